"""Reviewed lines by what they do: one file a language, some wordings a move.

A wording is picked by counting: the first of a session depends on the session's seed, and none
comes again before the others have been said.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import ClassVar, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from handrail.content.loader import ROOT, load
from handrail.domain.reply import Fragment, Vetted
from handrail.domain.text import digest
from handrail.errors import ContentInvalid

FALLBACK = "en"
_SLOT = re.compile(r"\{(\w+)\}")


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


class Wordings:
    """Every reviewed line of one bank, by language, move and wording.

    ``prefix`` begins the ids of its lines; ``speaker`` is named in errors; ``may_hold`` names the
    slots that a line may have.
    """

    prefix: ClassVar[str]
    speaker: ClassVar[str]
    may_hold: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, models: Sequence[LinesModel]) -> None:
        self.versions: Mapping[str, str] = {model.language: model.version for model in models}
        self._says: Mapping[str, Mapping[str, tuple[str, ...]]] = {
            model.language: {move.id: move.say for move in model.moves} for model in models
        }
        if FALLBACK not in self._says:
            raise ContentInvalid(f"{self.speaker} has no lines in {FALLBACK!r}; it cannot speak")
        for language, says in self._says.items():
            for move, wordings in says.items():
                _refuse_slots(f"{self.prefix}{move} in {language!r}", wordings, self.may_hold)

    @classmethod
    def packaged(cls, files: str) -> Self:
        """The lines of every packaged language, by a pattern of file names.

        Raises `ContentInvalid` when a file is broken.
        """
        names = sorted(path.relative_to(ROOT).as_posix() for path in ROOT.glob(files))
        return cls([load(name, LinesModel) for name in names])

    @property
    def languages(self) -> tuple[str, ...]:
        """Languages with lines."""
        return tuple(sorted(self._says))

    def spoken(self, language: str) -> str:
        """``language`` where there are lines in it, else English."""
        return language if language in self._says else FALLBACK

    def moves(self, language: str) -> Mapping[str, tuple[str, ...]]:
        """Wordings by move; English for a language that has no lines."""
        return self._says[self.spoken(language)]

    def pick(self, move: str, *, language: str, seed: int, count: int) -> str:
        """The id of the wording that comes when ``move`` was made ``count`` times before.

        Raises `ContentInvalid` for a move without lines.
        """
        spoken = self.spoken(language)
        says = self._says[spoken].get(move)
        if says is None:
            raise ContentInvalid(f"{self.speaker} has no line {move!r} in {spoken!r}")
        number = (int(digest(str(seed), move)[:8], 16) + count) % len(says)
        return f"{self.prefix}{move}.{number + 1}.{spoken}"

    def fragments(
        self, item_id: str, slots: Mapping[str, Sequence[Fragment]] | None = None
    ) -> tuple[Fragment, ...]:
        """The line with its slots filled, in fragments; raises `KeyError` for a slot unfilled."""
        out: list[Fragment] = []
        for at, part in enumerate(_SLOT.split(self._line(item_id))):
            if at % 2:
                out += (slots or {})[part]
            elif part:
                out.append(Fragment(part, Vetted(item_id=item_id, piece=at // 2)))
        return tuple(out)

    def piece(self, item_id: str, piece: int) -> str:
        """The reviewed text behind a `Vetted` fragment; raises `ContentInvalid` if unknown."""
        pieces = _SLOT.split(self._line(item_id))[::2]
        if not 0 <= piece < len(pieces):
            raise ContentInvalid(f"no reviewed line {item_id!r} piece {piece}")
        return pieces[piece]

    def slots(self, item_id: str) -> tuple[str, ...]:
        """Names of the slots of a line, in order."""
        return tuple(_SLOT.findall(self._line(item_id)))

    def _line(self, item_id: str) -> str:
        move, _, rest = item_id.removeprefix(self.prefix).partition(".")
        number, _, language = rest.partition(".")
        says = self._says.get(language, {}).get(move, ())
        known = item_id.startswith(self.prefix) and number.isdecimal()
        if not known or not 1 <= int(number) <= len(says) or str(int(number)) != number:
            raise ContentInvalid(f"no reviewed line {item_id!r} piece 0")
        return says[int(number) - 1]


def _refuse_slots(name: str, wordings: Sequence[str], allowed: frozenset[str]) -> None:
    """Raise `ContentInvalid` for a brace that is no known slot."""
    for text in wordings:
        parts = _SLOT.split(text)
        unknown = set(parts[1::2]) - allowed
        if unknown or any(brace in piece for piece in parts[::2] for brace in "{}"):
            raise ContentInvalid(f"{name}: only {sorted(allowed)} may stand in braces")
