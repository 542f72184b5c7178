"""What the reframing session says to whole sessions, word for word, without a model.

A script is a file ``sessions/<name>.yaml``: a language, and what a person writes. The transcript
beside it, ``sessions/<name>.txt``, is the record of every change of wording: read the difference
before it is committed. ``python tests/golden/golden_sessions.py`` writes the transcripts anew.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import yaml

from handrail.adapters.memory import MemorySessions
from handrail.bootstrap import build_engine
from handrail.flows.reframe import Opening, Sessions
from handrail.settings import SessionSettings, Settings

FOLDER = Path(__file__).parent / "sessions"


@dataclass(frozen=True, slots=True, kw_only=True)
class Script:
    """A person's side of a session; ``about`` tells a reader who is writing."""

    name: str
    language: str
    about: str
    messages: tuple[str, ...]


def scripts() -> tuple[Script, ...]:
    """Every script, by name."""
    return tuple(_script(path) for path in sorted(FOLDER.glob("*.yaml")))


def _script(path: Path) -> Script:
    told = yaml.safe_load(path.read_text(encoding="utf-8"))
    return Script(
        name=path.stem,
        language=told["language"],
        about=told["about"],
        messages=tuple(told["messages"]),
    )


def transcript(sessions: Sessions, script: Script) -> str:
    """The whole session as a person would read it; nothing is kept in the store of others."""
    fresh = replace(sessions, store=MemorySessions())
    records = asyncio.run(_records(fresh, script))
    turns = map(_turn, script.messages, records)
    return "\n".join([f"{script.about}\n", *turns])


async def _records(sessions: Sessions, script: Script) -> list[Mapping[str, Any]]:
    opening = Opening(language=script.language)
    return [
        (await sessions.process_turn(script.name, message, opening=opening)).record
        for message in script.messages
    ]


def _turn(message: str, record: Mapping[str, Any]) -> str:
    return "\n".join(_lines(message, record)) + "\n"


def _lines(message: str, record: Mapping[str, Any]) -> Iterator[str]:
    yield f"> {message}"
    ended = ", the session is over" if record["end_of_session"] else ""
    yield f"[{record['phase']}, turn {record['turn']}{ended}]"
    if record["banner"]:
        yield f"[{record['banner']}]"
    yield record["ui_text"]
    yield from (f"{each['label']}: {each['value']}" for each in record["resources"])


def recorded(name: str) -> Path:
    """The transcript of a script."""
    return FOLDER / f"{name}.txt"


def main() -> None:
    """Write every transcript anew."""
    with tempfile.TemporaryDirectory() as home:
        settings = Settings(home=Path(home), sessions=SessionSettings(store="memory"))
        sessions = build_engine(settings).sessions
        for script in scripts():
            recorded(script.name).write_text(transcript(sessions, script), encoding="utf-8")


if __name__ == "__main__":
    main()
