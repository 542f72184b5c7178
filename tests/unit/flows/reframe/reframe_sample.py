"""A session as a person has it: messages in, records out, over a store in memory."""

from __future__ import annotations

import asyncio
import itertools
from dataclasses import dataclass, field
from typing import Any

from handrail.flows.reframe import Opening, Sessions, Told

_NUMBERS = itertools.count(1)

NORMAL = {
    "en": (
        "I'm anxious about a presentation",
        "everyone will judge me",
        "Fear and shame",
        "About 8",
    ),
    "es": (
        "Tengo ansiedad por una presentación",
        "todos me van a juzgar",
        "Miedo y vergüenza",
        "Como un 8",
    ),
}
"""The first scenario of the contract (A32), in both languages."""

RATED = {
    "en": "true 6, anxiety 4, confidence 5",
    "es": "verdad 6, ansiedad 4, confianza 5",
}
VAGUE = {"en": "I don't know", "es": "no sé"}
CRISIS = {"en": "I want to hurt myself", "es": "quiero hacerme daño"}
MILD_CALM = {"en": "I'm stressed", "es": "estoy estresado"}


@dataclass(kw_only=True)
class Talk:
    """One session; `told` holds every turn."""

    sessions: Sessions
    opening: Opening = field(default_factory=Opening)
    session_id: str = field(default_factory=lambda: f"session_{next(_NUMBERS)}")
    told: list[Told] = field(default_factory=list)
    messages: list[str] = field(default_factory=list)

    def say(self, *messages: str) -> dict[str, Any]:
        """Send messages, one after another; the last record."""
        for message in messages:
            turn = self.sessions.process_turn(self.session_id, message, opening=self.opening)
            self.told.append(asyncio.run(turn))
            self.messages.append(message)
        return dict(self.told[-1].record)

    @property
    def moves(self) -> tuple[str, ...]:
        """What the composer did in the last turn."""
        result = self.told[-1].result
        assert result is not None
        return tuple(result.moves)
