"""Knowledge cards (A27): what whoever writes a reply may look at, by phase and thinking trap."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from handrail.content.loader import ROOT, load
from handrail.flows.reframe.distortions import Distortion
from handrail.flows.reframe.phases import Phase

_FILES = "reframe/cards.*.yaml"
FALLBACK = "en"
SHOWN = 4  # cards a turn: two traps and two principles fill a page


class Card(BaseModel):
    """One card; without ``distortions`` it belongs to any thought."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str = Field(pattern=r"^[a-z][a-z-]*$")
    review: str = Field(min_length=1)
    kind: Literal["distortion", "principle", "summary"]
    phases: tuple[Phase, ...] = Field(min_length=1)
    distortions: tuple[Distortion, ...]
    title: str = Field(min_length=1)
    text: str = Field(min_length=1)


class CardFile(BaseModel):
    """One language's cards."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    version: str
    language: str
    reviewer: str
    source: str
    cards: tuple[Card, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _unique(self) -> CardFile:
        if len({card.id for card in self.cards}) != len(self.cards):
            raise ValueError("a card occurs twice")
        return self


class Cards:
    """Every card, by language."""

    def __init__(self, files: Sequence[CardFile]) -> None:
        self._cards = {file.language: file.cards for file in files}

    def of(self, language: str) -> tuple[Card, ...]:
        """All cards of a language; English where it has none."""
        return self._cards.get(language, self._cards[FALLBACK])

    def find(
        self,
        phase: Phase,
        traps: Sequence[str] = (),
        *,
        language: str = FALLBACK,
        k: int = SHOWN,
        turn: int = 0,
    ) -> tuple[Card, ...]:
        """At most ``k`` cards for a reply: the traps in their order, then what the phase needs.

        Ties fall to the order of the file. Of the general cards the first stays, and the others
        take turns in the places that are left: by ``turn``, counted from 0, every one comes up.
        """
        fitting = [card for card in self.of(language) if phase in card.phases]
        named = [card for trap in traps for card in fitting if trap in card.distortions]
        general = [card for card in fitting if not card.distortions]
        named = list(dict.fromkeys(named))[:k]
        return (*named, *_in_turn(general, k - len(named), turn))


def _in_turn(cards: Sequence[Card], places: int, turn: int) -> tuple[Card, ...]:
    """The first card and the next of the others, block by block; one place goes round over all."""
    if len(cards) <= places:
        return tuple(cards)
    fixed = 1 if places > 1 else 0
    others, width = cards[fixed:], places - fixed
    begin = turn * width
    window = (others[(begin + at) % len(others)] for at in range(width))
    return (*cards[:fixed], *window)


@cache
def packaged_cards() -> Cards:
    """The cards of every packaged language; raises `ContentInvalid` when a file is broken."""
    names = sorted(path.relative_to(ROOT).as_posix() for path in ROOT.glob(_FILES))
    return Cards([load(name, CardFile) for name in names])
