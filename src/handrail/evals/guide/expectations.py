"""What a test row expects, and who said so: a person before a calibration before the original."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import UTC, datetime
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict

Source: TypeAlias = Literal["original", "calibration", "human"]
SOURCES: tuple[Source, ...] = ("original", "calibration", "human")
"""Of two sources the later one is in force (H39)."""


def _none_is_empty(value: Any) -> Any:
    return () if value is None else value


def _empty_is_none(value: Any) -> Any:
    return None if value == "" else value


def _said(text: str) -> str:
    if not text.strip():
        raise ValueError("is blank")
    return text.strip()


def _in_utc(at: datetime) -> datetime:
    """A time without a zone is taken for UTC."""
    return at.replace(tzinfo=UTC) if at.tzinfo is None else at


Ids: TypeAlias = Annotated[tuple[str, ...], BeforeValidator(_none_is_empty)]
OneId: TypeAlias = Annotated[str | None, BeforeValidator(_empty_is_none)]


class Expectation(BaseModel):
    """Which entities must be in the final set, and which must not; no primary, none is missed."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    expected_primary: OneId = None
    expected_secondary: Ids = ()
    not_expected: Ids = ()
    expected_handlers: Ids = ()
    not_expected_handlers: Ids = ()

    @property
    def wanted(self) -> tuple[str, ...]:
        """Ids that must be there, the primary first, each once."""
        first = (self.expected_primary,) if self.expected_primary else ()
        return tuple(dict.fromkeys((*first, *self.expected_handlers, *self.expected_secondary)))

    @property
    def unwanted(self) -> tuple[str, ...]:
        """Ids that must not be there, each once."""
        return tuple(dict.fromkeys((*self.not_expected_handlers, *self.not_expected)))

    def without(self, neutral: Collection[str]) -> Expectation:
        """The same with nothing said of ``neutral``: entities that are always loaded."""
        values = {
            name: tuple(one for one in ids if one not in neutral)
            for name, ids in self.model_dump(exclude={"expected_primary"}).items()
        }
        primary = None if self.expected_primary in neutral else self.expected_primary
        return Expectation(expected_primary=primary, **values)


FIELDS = tuple(Expectation.model_fields)


class Entry(Expectation):
    """One line of a row's history; a field that it does not name is as in the original."""

    source: Source
    by: Annotated[str, AfterValidator(_said)]
    at: Annotated[datetime, AfterValidator(_in_utc)]
    reason: Annotated[str, AfterValidator(_said)]

    def over(self, original: Expectation) -> Expectation:
        """What is expected once this entry is in force."""
        named = {name: getattr(self, name) for name in FIELDS if name in self.model_fields_set}
        return Expectation(**{**original.model_dump(), **named})


def entry_in_force(history: Sequence[Entry]) -> Entry | None:
    """The newest human entry, else the newest calibration, else an original; None without any.

    Of two entries of one time the one that was appended later is the newer.
    """
    ranked = [(SOURCES.index(one.source), one.at, place) for place, one in enumerate(history)]
    return history[max(ranked)[2]] if ranked else None
