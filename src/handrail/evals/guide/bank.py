"""Test rows for the guide: their fields, the packaged banks, and the two halves of each."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import AfterValidator, AliasChoices, BeforeValidator, Field

from handrail.content.loader import ROOT
from handrail.domain.entity import ChatType
from handrail.errors import InvalidInput
from handrail.evals.banks import Query, read_rows
from handrail.evals.guide.expectations import (
    Entry,
    Expectation,
    Ids,
    OneId,
    Source,
    entry_in_force,
)

Split: TypeAlias = Literal["train", "test", "all"]

BANKS = ("semantic", "keyword", "pattern", "state")
"""What a row asks: what a parent means, names or must not be missed, and what a state brings."""

PACKAGED = tuple(ROOT / "banks" / f"guide-{bank}.jsonl" for bank in BANKS)
SEALED = ROOT / "banks" / "guide-second.jsonl"
"""By another writer and no part of any tuning: all of its rows are test rows."""

_HINT = "A row needs test_id, bank and prompt; docs/howto/evaluate-the-guide.md shows one"


def _said(text: str) -> str:
    if not text.strip():
        raise ValueError("is blank")
    return text


def _named(bank: str) -> str:
    return _said(bank).strip().lower()


def _state(value: Any) -> Any:
    return {} if value is None else value


class GuideRow(Query):
    """One test; the fields of `Expectation` are the original one, ``history`` says what followed.

    ``is_critical`` marks a test of safety: a safety-critical entity must be there, or must not.
    """

    id: Annotated[str, AfterValidator(_said)] = Field(
        validation_alias=AliasChoices("test_id", "_id", "id")
    )
    text: Annotated[str, AfterValidator(_said)] = Field(
        validation_alias=AliasChoices("prompt", "text")
    )
    bank: Annotated[str, AfterValidator(_named)]
    user_state: Annotated[dict[str, Any], BeforeValidator(_state)] = Field(default_factory=dict)
    expected_primary: OneId = None
    expected_secondary: Ids = ()
    not_expected: Ids = ()
    expected_handlers: Ids = ()
    not_expected_handlers: Ids = ()
    is_critical: bool = False
    chat_type: ChatType | None = None
    name: str | None = None
    category: str | None = None
    topics: Ids = ()
    review: str | None = None
    synthetic: bool | None = None
    history: Annotated[tuple[Entry, ...], BeforeValidator(lambda value: value or ())] = ()

    @property
    def original(self) -> Expectation:
        """What the row's writer expected."""
        return Expectation(**{name: getattr(self, name) for name in Expectation.model_fields})

    @property
    def expectation(self) -> Expectation:
        """What is in force."""
        entry = entry_in_force(self.history)
        return self.original if entry is None else entry.over(self.original)

    @property
    def source(self) -> Source:
        """Who said what is in force."""
        entry = entry_in_force(self.history)
        return "original" if entry is None else entry.source


def half(test_id: str) -> Literal["train", "test"]:
    """The half of a row by the first byte of its id's SHA-256: it never depends on other rows."""
    return "test" if hashlib.sha256(test_id.encode()).digest()[0] % 2 else "train"


def read_guide(path: Path) -> tuple[GuideRow, ...]:
    """The rows of a bank, in order; raises `InvalidInput` naming the line, or `NotFound`."""
    try:
        return read_rows(path, GuideRow)
    except InvalidInput as error:
        raise InvalidInput(f"{error}. {_HINT}") from None


def chosen_files(bank: Path | None, split: Split) -> tuple[Path, ...]:
    """The file that was given, or the packaged ones; the sealed one where test rows are asked."""
    if bank is not None:
        return (bank,)
    sealed = (SEALED,) if split != "train" and SEALED.is_file() else ()
    return (*PACKAGED, *sealed)


def chosen_rows(file: Path, split: Split) -> tuple[GuideRow, ...]:
    """The rows of one half, or all; every row of the sealed bank is a test row."""
    rows = read_guide(file)
    if split == "all" or (file == SEALED and split == "test"):
        return rows
    return tuple(row for row in rows if half(row.id) == split and file != SEALED)


def oddities(rows: Iterable[GuideRow], known: Sequence[str] | frozenset[str]) -> tuple[str, ...]:
    """What can be measured but hardly was meant: unknown ids and banks, and contradictions."""
    return tuple(f"{row.id}: {problem}" for row in rows for problem in _odd(row, known))


def _odd(row: GuideRow, known: Sequence[str] | frozenset[str]) -> Iterable[str]:
    expected = row.expectation
    if row.bank not in BANKS:
        yield f"bank {row.bank!r} is none of {', '.join(BANKS)}"
    for name in dict.fromkeys((*expected.wanted, *expected.unwanted)):
        if name not in known:
            yield f"there is no entity {name!r}"
        if name in expected.wanted and name in expected.unwanted:
            yield f"{name!r} is both expected and not expected"
