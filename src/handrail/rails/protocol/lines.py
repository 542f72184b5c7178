"""The reviewed lines of the protocol: one file a language, some wordings a move.

A wording is picked by counting: the first of a session depends on the session's seed, and none
comes again before the others have been said.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from pydantic import BaseModel, ConfigDict, Field, model_validator

from handrail.content.loader import ROOT, load
from handrail.domain.reply import Fragment, Vetted
from handrail.domain.text import digest
from handrail.errors import ContentInvalid
from handrail.rails.protocol.state import State

_FILES = "protocol/lines.*.yaml"
PREFIX = "protocol/"
FALLBACK = "en"


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class MoveModel(_Strict):
    """A move and its wordings; every wording does what the move says, and nothing else."""

    id: str = Field(pattern=r"^[a-z][a-z-]*$")
    review: str = Field(min_length=1)
    say: tuple[str, ...] = Field(min_length=1)


class LinesModel(_Strict):
    """One language's file."""

    id: str
    version: str
    language: str
    reviewer: str
    source: str
    moves: tuple[MoveModel, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _unique(self) -> LinesModel:
        if len({move.id for move in self.moves}) != len(self.moves):
            raise ValueError("a move occurs twice")
        return self


class ProtocolLines:
    """Every reviewed line, by language, move and wording."""

    def __init__(self, models: Sequence[LinesModel]) -> None:
        self.versions: Mapping[str, str] = {model.language: model.version for model in models}
        self._says: Mapping[str, Mapping[str, tuple[str, ...]]] = {
            model.language: {move.id: move.say for move in model.moves} for model in models
        }
        if FALLBACK not in self._says:
            raise ContentInvalid(f"the protocol has no lines in {FALLBACK!r}; it cannot speak")

    @property
    def languages(self) -> tuple[str, ...]:
        """Languages with lines."""
        return tuple(sorted(self._says))

    def moves(self, language: str) -> Mapping[str, tuple[str, ...]]:
        """Wordings by move; English for a language that has no lines."""
        return self._says.get(language, self._says[FALLBACK])

    def fragment(self, state: State, move: str) -> Fragment:
        """The next wording of ``move`` in a session; raises `ContentInvalid` for an unknown one.

        ``state`` is the session before the move.
        """
        language = state.language if state.language in self._says else FALLBACK
        says = self.moves(language).get(move)
        if says is None:
            raise ContentInvalid(f"the protocol has no line {move!r} in {language!r}")
        first = int(digest(str(state.seed), move)[:8], 16)
        number = (first + state.count(move)) % len(says)
        item_id = f"{PREFIX}{move}.{number + 1}.{language}"
        return Fragment(says[number], Vetted(item_id=item_id))

    def piece(self, item_id: str, piece: int) -> str:
        """The reviewed text behind a `Vetted` fragment; raises `ContentInvalid` if unknown."""
        move, _, rest = item_id.removeprefix(PREFIX).partition(".")
        number, _, language = rest.partition(".")
        says = self._says.get(language, {}).get(move, ())
        known = item_id.startswith(PREFIX) and number.isdecimal() and piece == 0
        if not known or not 1 <= int(number) <= len(says) or str(int(number)) != number:
            raise ContentInvalid(f"no reviewed line {item_id!r} piece {piece}")
        return says[int(number) - 1]


@cache
def packaged_lines() -> ProtocolLines:
    """The lines of every packaged language; raises `ContentInvalid` when a file is broken."""
    names = sorted(path.relative_to(ROOT).as_posix() for path in ROOT.glob(_FILES))
    return ProtocolLines([load(name, LinesModel) for name in names])


def move_of(item_id: str) -> str:
    """The move that a reviewed line of the protocol makes."""
    return item_id.removeprefix(PREFIX).partition(".")[0]
