"""Conversations and the people in them, as text files: ``user:`` and ``agent:`` turns."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from handrail.errors import InvalidInput, NotFound

_TURN = re.compile(r"^(user|agent):[ \t]*", re.MULTILINE)
_STAGE = re.compile(r"^\[CONVERSATION[^\]\n]*\]\s*$", re.MULTILINE)  # a note, nobody's words
_NAME, _LEVEL = "Name", "Current Risk Level"


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """What one side said; ``before`` is the other side's turn just before it, if any."""

    text: str
    before: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialogue:
    """The user's turns of one conversation; ``id`` is the stem of its file."""

    id: str
    persona: str
    turns: tuple[Turn, ...]


def read_personas(path: Path) -> Mapping[str, str]:
    """Risk level in lower case by persona, from a tab-separated file with a head.

    Raises `NotFound` without the file, `InvalidInput` without the columns or with a name twice.
    """
    if not path.is_file():
        raise NotFound(f"there is no file {str(path)!r}")
    with path.open(encoding="utf-8-sig", newline="") as lines:
        rows = list(csv.DictReader(lines, delimiter="\t"))
    if not rows or not {_NAME, _LEVEL} <= rows[0].keys():
        raise InvalidInput(f"{path.name!r} needs the columns {_NAME!r} and {_LEVEL!r}")
    levels = {row[_NAME].strip(): (row[_LEVEL] or "").strip().lower() for row in rows}
    if len(levels) != len(rows) or not all(name and level for name, level in levels.items()):
        raise InvalidInput(f"{path.name!r} needs one row with a level for each persona")
    return levels


def read_dialogues(folder: Path, personas: Mapping[str, str]) -> Sequence[Dialogue]:
    """Every ``*.txt`` of a folder by name; the persona is a part of the name between underscores.

    Raises `NotFound` without any, `InvalidInput` for a file of no persona or without user turns.
    """
    paths = sorted(folder.glob("*.txt"))
    if not paths:
        raise NotFound(f"there is no conversation (*.txt) in {str(folder)!r}")
    return [_dialogue(path, personas) for path in paths]


def _dialogue(path: Path, personas: Mapping[str, str]) -> Dialogue:
    persona = next((part for part in path.stem.split("_") if part in personas), None)
    if persona is None:
        raise InvalidInput(f"{path.name!r} names no persona of the personas file")
    try:
        turns = tuple(_turns(path.read_text(encoding="utf-8-sig")))
    except UnicodeDecodeError:
        raise InvalidInput(f"{path.name!r} is not UTF-8") from None
    if not turns:
        raise InvalidInput(f"{path.name!r} has no turn that begins with 'user:'")
    return Dialogue(id=path.stem, persona=persona, turns=turns)


def _turns(text: str) -> Iterator[Turn]:
    parts = _TURN.split(_STAGE.sub("", text))[1:]
    before = None
    for speaker, said in zip(parts[::2], parts[1::2], strict=True):
        if speaker == "agent":
            before = said.strip()
            continue
        yield Turn(text=said.strip(), before=before)
        before = None
