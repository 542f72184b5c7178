"""Readers of banks: queries, judgements and labelled messages.

One bad line stops the reading with `InvalidInput`, which names file and line and quotes nothing: a
figure over part of a bank would pass for a figure over all of it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Literal, Self, TypeAlias, TypeVar

from pydantic import (
    AfterValidator,
    AliasChoices,
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    model_validator,
)

from handrail.content.loader import ROOT
from handrail.domain.risk import Level
from handrail.errors import InvalidInput, NotFound

COACH_BANK = ROOT / "banks" / "coach.jsonl"
CRISIS_BANK = ROOT / "banks" / "crisis.jsonl"
MAX_GRADE = 30  # a gain of 2^30; more than any scale of judgements has

Grades = Mapping[str, float]


def _said(text: str) -> str:
    if not text.strip():
        raise ValueError("is blank")
    return text


_TAG = re.compile(r"([a-z]{2,3})(?:[-_][a-z0-9]{1,8})*", re.IGNORECASE)


def _language(tag: str) -> str:
    """The language of a tag (BCP 47) without its region: es-MX is measured as es."""
    match = _TAG.fullmatch(tag.strip())
    if match is None:
        raise ValueError("is not a language such as en or es-MX")
    return match[1].lower()


LanguageCode: TypeAlias = Annotated[str, AfterValidator(_language)]


class Query(BaseModel):
    """A labelled question; further fields of a row are left alone."""

    model_config = ConfigDict(frozen=True, extra="ignore", coerce_numbers_to_str=True)

    id: Annotated[str, AfterValidator(_said)] = Field(
        validation_alias=AliasChoices("_id", "qid", "id")
    )
    text: Annotated[str, AfterValidator(_said)]


class Message(Query):
    """A message that should be answered (``in``) or not (``out``), with its similar cases."""

    kind: Literal["in", "out"]
    relevant: tuple[str, ...] = ()


class CrisisRow(Query):
    """A message with the level it should be rated at; ``split`` says who saw it, and when.

    ``accepted`` says why an alarm over a harmless message is put up with; it counts all the same.
    """

    lang: LanguageCode
    level: Literal["none", "mild", "moderate", "high"]
    category: Annotated[str, AfterValidator(_said)] | None = Field(
        default=None, validation_alias=AliasChoices("category", "kind")
    )
    style: str | None = None
    split: str | None = None
    accepted: Annotated[str, AfterValidator(_said)] | None = None

    @property
    def label(self) -> Level:
        """The level, in its order."""
        return Level[self.level.upper()]

    @model_validator(mode="after")
    def _only_harmless_alarms_are_accepted(self) -> Self:
        if self.accepted is not None and self.label is not Level.NONE:
            raise ValueError("accepted: stands beside a level other than none")
        return self


Row = TypeVar("Row", bound=Query)


def read_queries(path: Path) -> tuple[Query, ...]:
    """The queries of a JSON Lines file, in order; raises `InvalidInput` or `NotFound`."""
    return read_rows(path, Query)


def read_messages(path: Path) -> tuple[Message, ...]:
    """The messages of a coach bank, in order; raises `InvalidInput` or `NotFound`."""
    return read_rows(path, Message)


def read_crisis(path: Path) -> tuple[CrisisRow, ...]:
    """The rows of a crisis bank, in order; raises `InvalidInput` or `NotFound`."""
    return read_rows(path, CrisisRow)


def read_judgements(path: Path) -> Mapping[str, Grades]:
    """Grades by query and corpus id, of lines ``query-id corpus-id score``; a header may lead.

    Columns are parted by tabs, or else by white space. Raises `InvalidInput` or `NotFound`.
    """
    judged: dict[str, dict[str, float]] = {}
    for number, line in _lines(path):
        columns = [part.strip() for part in (line.split("\t") if "\t" in line else line.split())]
        if len(columns) != 3 or not all(columns):
            raise _bad(path, number, "is not: query-id corpus-id score")
        query, document, score = columns
        grade = _grade(score)
        if grade is None and not judged and number == 1:
            continue
        if grade is None:
            raise _bad(path, number, f"has a score that is not a number up to {MAX_GRADE}")
        if judged.setdefault(query, {}).setdefault(document, grade) != grade:
            raise _bad(path, number, "grades the same pair again, and differently")
    if not judged:
        raise InvalidInput(
            f"{path.name!r} holds no judgement. Give lines: query-id corpus-id score"
        )
    return judged


def _grade(score: str) -> float | None:
    try:
        grade = float(score)
    except ValueError:
        return None
    return grade if math.isfinite(grade) and grade <= MAX_GRADE else None


def read_rows(path: Path, kind: type[Row]) -> tuple[Row, ...]:
    """The rows of a JSON Lines file as ``kind``, in order; ids are unique, and one row is there."""
    rows: dict[str, Row] = {}
    for number, line in _lines(path):
        try:
            row = kind.model_validate_json(line)
        except ValidationError as error:
            raise _bad(path, number, _reason(error)) from None
        if rows.setdefault(row.id, row) is not row:
            raise _bad(path, number, "repeats an id")
    if not rows:
        raise InvalidInput(f"{path.name!r} is empty. Give one JSON object a line")
    return tuple(rows.values())


def _reason(error: ValidationError) -> str:
    """The first problem, by field; what the row holds is not repeated."""
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    if first["type"] == "json_invalid":
        return "is not JSON"
    field = ".".join(str(part) for part in first["loc"])
    if field == "_id":
        field = '"_id" (or "qid", or "id")'
    return f"{field}: {first['msg']}".removeprefix(": ")


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    """Lines that are not blank, by number."""
    if not path.is_file():
        raise NotFound(f"there is no file {str(path)!r}")
    for number, raw in enumerate(path.read_bytes().splitlines(), start=1):
        try:
            line = raw.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError:
            raise _bad(path, number, "is not UTF-8") from None
        if line.strip():
            yield number, line


def _bad(path: Path, line: int, reason: str) -> InvalidInput:
    return InvalidInput(f"{path.name!r} line {line}: {reason}")
