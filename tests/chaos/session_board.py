"""Sessions whose store, locks, cipher and event log can be broken on command."""

from __future__ import annotations

import itertools
import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from board import Board, Part, rig

from handrail.adapters.memory import MemoryEvents
from handrail.calls.patience import PatientLog
from handrail.engine import Engine
from handrail.flows.reframe import Opening, Sessions
from handrail.flows.reframe.sessions import PURGE_SECONDS
from handrail.testing.scripted_model import ScriptedModel

ID = "session_1"
SAID = ("I'm anxious about a presentation", "everyone will judge me", "Fear and shame")
WROTE = (
    "<ui>That sounds heavy, and it makes sense that it stays with you. What goes through your mind "
    'about it?</ui><control>{"next_phase": "clarify"}</control>'
)

# What each part is asked in a turn, and beside it.
SESSION_STEPS: dict[str, tuple[str, ...]] = {
    "SessionStore": ("hold", "load", "save", "delete", "purge"),
    "Hold": ("enter", "exit"),
    "Cipher": ("seal", "unseal"),
    "EventLog": ("append", "read"),
}
SESSION_PLACES = [f"{part}__{step}" for part, steps in SESSION_STEPS.items() for step in steps]
BESIDE = {"SessionStore__delete", "EventLog__read"}  # no turn asks for them
IN_A_TURN = [place for place in SESSION_PLACES if place not in BESIDE]


class Store(Part):
    """A store whose holds can be broken too."""

    def hold(self, session_id: str, *, seconds: float) -> Any:
        made = self._call("hold", self._inner.hold, session_id, seconds=seconds)
        return Hold(self._board, "Hold", made) if hasattr(made, "__enter__") else made


class Hold(Part):
    """The time in which a session is held."""

    def __enter__(self) -> Any:
        return self._call("enter", self._inner.__enter__)

    def __exit__(self, *error: object) -> Any:
        return self._call("exit", self._inner.__exit__, *error)


@dataclass(frozen=True)
class Stage:
    """An engine with sessions, and the board that breaks them."""

    engine: Engine
    board: Board
    model: ScriptedModel

    def turn(self, number: int, *, text: str = "") -> str:
        """The record of a turn as JSON; its message has an id of its own."""
        told = self.engine.chat_now(
            ID,
            text or SAID[number],
            message_id=f"message-{number}",
            opening=Opening(language="en"),
        )
        return json.dumps(told.record)

    def begin(self) -> None:
        """An empty store."""
        self.engine.sessions.delete(ID)


def stage(home: Path, *, with_model: bool) -> Stage:
    """Sessions in a file below ``home``, every part of them wrapped; each turn purges."""
    made = rig(home, with_model=False)
    board, model = made.board, ScriptedModel(WROTE)
    build = made.engine.make_sessions
    minutes = itertools.count(1)

    def make() -> Sessions:
        assert build is not None
        sessions = build()
        return replace(
            sessions,
            store=Store(board, "SessionStore", sessions.store),  # type: ignore[arg-type]
            cipher=Part(board, "Cipher", sessions.cipher),  # type: ignore[arg-type]
            log=PatientLog(Part(board, "EventLog", MemoryEvents())),  # type: ignore[arg-type]
            model=model if with_model else None,
            ttl_seconds=1e9,
            clock=lambda: next(minutes) * PURGE_SECONDS,
        )

    return Stage(replace(made.engine, make_sessions=make), board, model)
