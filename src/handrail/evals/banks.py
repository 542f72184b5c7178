"""Readers of banks: queries, judgements and labelled messages.

One bad line stops the reading with `InvalidInput`, which names file and line and quotes nothing: a
figure over part of a bank would pass for a figure over all of it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Literal, TypeVar

from pydantic import AfterValidator, AliasChoices, BaseModel, ConfigDict, Field, ValidationError

from handrail.content.loader import ROOT
from handrail.errors import InvalidInput, NotFound

COACH_BANK = ROOT / "banks" / "coach.jsonl"
MAX_GRADE = 30  # a gain of 2^30; more than any scale of judgements has

Grades = Mapping[str, float]


def _said(text: str) -> str:
    if not text.strip():
        raise ValueError("is blank")
    return text


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


Row = TypeVar("Row", bound=Query)


def read_queries(path: Path) -> tuple[Query, ...]:
    """The queries of a JSON Lines file, in order; raises `InvalidInput` or `NotFound`."""
    return _read(path, Query)


def read_messages(path: Path) -> tuple[Message, ...]:
    """The messages of a coach bank, in order; raises `InvalidInput` or `NotFound`."""
    return _read(path, Message)


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


def _read(path: Path, kind: type[Row]) -> tuple[Row, ...]:
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
