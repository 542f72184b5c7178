"""Which column of a file is which part of a case."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from handrail.domain.text import Case, canonical, case_id

Fields: TypeAlias = Mapping[str, object]

# Concern and answer, in the spellings of the public sets; without an answer the text stands alone.
_PAIRS = (
    ("context", "response"),
    ("questiontext", "answertext"),
    ("question", "answer"),
    ("text", None),
)
_TITLES = ("title", "questiontitle")
_IDS = ("_id", "id")


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnMap:
    """Column names as the file spells them; without ``response`` a case is a text alone."""

    context: str
    response: str | None = None
    title: str | None = None
    id: str | None = None

    @property
    def named(self) -> tuple[str, ...]:
        """Every column that the map names."""
        return tuple(n for n in (self.context, self.response, self.title, self.id) if n is not None)


class BadRecord(ValueError):
    """A record that cannot become a case; the message names columns and never holds text."""


def detect(names: Iterable[str]) -> ColumnMap | None:
    """The map for columns of these names, in any letter case; None when none is known."""
    spelled = {name.lower(): name for name in names}
    for context, response in _PAIRS:
        if context in spelled and (response is None or response in spelled):
            return ColumnMap(
                context=spelled[context],
                response=spelled[response] if response else None,
                title=next((spelled[name] for name in _TITLES if name in spelled), None),
                id=next((spelled[name] for name in _IDS if name in spelled), None),
            )
    return None


def to_case(fields: Fields, columns: ColumnMap) -> Case:
    """The case of a record, without group and sentences; raises `BadRecord`."""
    context = _required(fields, columns.context)
    response = _required(fields, columns.response) if columns.response else ""
    title = fields.get(columns.title) if columns.title else None
    return Case(
        id=case_id(context, response),
        context=context,
        response=response,
        title=canonical(title) if isinstance(title, str) else "",
        source_id=_plain(fields.get(columns.id)) if columns.id else "",
        metadata={
            canonical(name): _plain(value)
            for name, value in fields.items()
            if name not in columns.named and value is not None
        },
    )


def _required(fields: Fields, name: str) -> str:
    if name not in fields or fields[name] is None:
        raise BadRecord(f"column {name!r} is missing")
    value = fields[name]
    if not isinstance(value, str):
        raise BadRecord(f"column {name!r} is not a string")
    text = canonical(value)
    if not text:
        raise BadRecord(f"column {name!r} is blank")
    return text


def _plain(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return canonical(value)
    return json.dumps(value, ensure_ascii=False, sort_keys=True, default=str)
