"""Entities as rows and as lines of JSON: the one mapping that all stores of entities share.

A row is read in whatever form an older table kept it: lists as JSON, as text with commas or as
lines of text; what is null as if it were not there.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any, TypeAlias

from handrail.content.entities import entity_json, read_entity
from handrail.domain.entity import Entity
from handrail.errors import ContentInvalid, InvalidInput

Row: TypeAlias = Mapping[str, Any]  # by the name of the column

LARGEST = 2**53  # whole numbers up to here are the same to every reader of JSON

# Every column of `content_entities` that is ours, with its type and what an older row gets.
ENTITY_COLUMNS = {
    "entity_id": "TEXT",
    "entity_type": "TEXT",
    "subtype": "TEXT DEFAULT ''",
    "title": "TEXT",
    "concept_summary": "TEXT",
    "recognition": "TEXT",
    "recognition_clinician": "TEXT",
    "keywords": "TEXT",
    "trigger_patterns": "JSONB DEFAULT '[]'",
    "state_conditions": "JSONB DEFAULT NULL",
    "confused_with": "TEXT",
    "never_with": "TEXT",
    "acknowledgement": "TEXT",
    "guidance_do": "TEXT",
    "guidance_dont": "TEXT",
    "scripts": "TEXT",
    "examples": "TEXT",
    "red_flags": "TEXT",
    "load_mode": "TEXT",
    "priority": "INTEGER DEFAULT 50",
    "audience_types": "TEXT",
    "chat_types": "TEXT",
    "editable_by": "TEXT",
    "is_active": "BOOLEAN DEFAULT TRUE",
    "safety_critical": "BOOLEAN DEFAULT FALSE",
    "language": "TEXT DEFAULT 'en'",
    "reviewer": "TEXT",
    "source": "TEXT",
    "version": "BIGINT DEFAULT 1",
}
ATTRIBUTION_COLUMNS = {
    "created_by": "TEXT",
    "created_at": "TIMESTAMPTZ",
    "updated_by": "TEXT",
    "updated_at": "TIMESTAMPTZ",
}
_LISTED = ("keywords", "confused_with", "never_with", "audience_types", "chat_types", "editable_by")
_NAMED = ("entity_type", "load_mode")
_FLAGS = ("is_active", "safety_critical")
_NUMBERS = ("priority", "version")
_JSON = ("trigger_patterns", "state_conditions")
_LINES = (
    *("recognition", "recognition_clinician", "acknowledgement", "guidance_do", "guidance_dont"),
    *("scripts", "examples", "red_flags"),
)
_AS_JSON = (*_LINES, *_LISTED, *_JSON)
_NUL = re.compile(r"(?<!\\)(?:\\\\)*\\u0000")  # as JSON writes it, and not the text of that
_NEXT = "Mend the row, write the entity anew, or set its is_active to false"


def read_row(row: Row) -> Entity:
    """The entity of a row or of a parsed line; raises `ContentInvalid` naming it and what to do."""
    where = f"the row {row.get('entity_id')!r} of content_entities"
    try:
        return read_entity(_values(row), where=where)
    except ContentInvalid as error:
        raise ContentInvalid(f"{error}. {_NEXT}") from None


def to_row(entity: Entity) -> dict[str, object]:
    """Columns as they are written: lists as JSON, none of them null but ``state_conditions``."""
    values = entity_json(entity)
    for name in _AS_JSON:
        value = values[name]
        if value is not None:
            values[name] = _dumped(value) if value else "[]"
    return values


def to_line(row: Row) -> str:
    """What a version keeps of a row, or of the values of an entity: one line of JSON."""
    return _dumped({name: row[name] for name in ENTITY_COLUMNS if name in row})


def line_of(entity: Entity) -> str:
    """The entity as one line; equal lines are equal entities, number types included."""
    return to_line(entity_json(entity))


def from_line(line: str) -> Row:
    """The values of a line, for `read_row`."""
    row: Row = json.loads(line)
    return row


def standard(entity: Entity) -> Entity:
    """The entity as every store gives it back, apart from what the caller holds.

    Raises `ContentInvalid` where it breaks the schema of content, and `InvalidInput` where it
    holds what not every store can keep.
    """
    where = f"the entity {entity.entity_id!r}"
    try:
        line = line_of(entity)
        line.encode()
        values = json.loads(line, parse_int=_bounded, parse_float=_bounded, parse_constant=_bounded)
    except (TypeError, ValueError, RecursionError):  # their own words may repeat the text
        raise InvalidInput(
            f"{where} holds what cannot be stored: text that is no Unicode, or a state condition "
            f"that is no JSON or has a number beyond {LARGEST}"
        ) from None
    if "\\u0000" in line and _NUL.search(line):
        raise InvalidInput(f"{where} holds the character NUL, which PostgreSQL does not keep")
    return read_entity(
        {**values, "state_conditions": values["state_conditions"] or None}, where=where
    )


def equal(row: Row, entity: Entity) -> bool:
    """Whether the row says the same but for the version; 1, 1.0 and true are not the same."""
    try:
        found = read_row(row)
    except ContentInvalid:
        return False
    conditions = (_dumped(each.state_conditions) for each in (found, entity))
    return replace(found, version=entity.version) == entity and len({*conditions}) == 1


def is_active(row: Row) -> bool:
    """Whether the row stands, read as `read_row` reads it."""
    value = row.get("is_active")
    return value is None or bool(value)


def version_of(row: Row) -> int:
    """The version of a row, 1 where an older table kept none."""
    found = _whole(row.get("version"))
    return found if isinstance(found, int) and found > 0 else 1


def seconds(value: object) -> float:
    """Seconds since the epoch of what a column of times holds; 0 where that says no time."""
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value)
        except ValueError:
            return 0.0
    if isinstance(value, datetime):
        return (value if value.tzinfo else value.replace(tzinfo=UTC)).timestamp()
    return float(value) if isinstance(value, int | float) else 0.0


def moment(at: float) -> str:
    """A time as text that any column of times takes; raises `InvalidInput` where it is none."""
    try:
        return datetime.fromtimestamp(at, UTC).isoformat()
    except (ValueError, OverflowError, OSError):
        raise InvalidInput("'at' must be seconds since the epoch") from None


def _values(row: Row) -> dict[str, object]:
    """What the row says, without what it leaves open."""
    values = {name: read(row[name]) for name, read in _READ.items() if row.get(name) is not None}
    if values.get("load_mode") is None:
        values["load_mode"] = "STATE" if values.get("state_conditions") else "SITUATION"
    return {name: value for name, value in values.items() if value is not None}


def _plain(value: object) -> object:
    """What JSON does not know: mappings of other kinds, and the decimals of older columns."""
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, Decimal):
        return int(value)
    raise TypeError


# Made once: json.dumps makes a new one for each call with such options.
_dumped = json.JSONEncoder(
    ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":"), default=_plain
).encode


def _bounded(number: str) -> int | float:
    value = float(number) if set(number) & set(".eEnN") else int(number)
    if not abs(value) <= LARGEST:
        raise ValueError(number)
    return value


def _parsed(value: object) -> object:
    """JSON text that holds an object or a list, as that; other text as it is, or None for none."""
    if not isinstance(value, str):
        return value
    text = value.strip()
    if text[:1] not in ("[", "{"):
        return None if text in ("", "null") else value
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return value


def _lines(value: object) -> object:
    found = _parsed(value)
    if isinstance(found, str):
        return tuple(filter(None, map(str.strip, found.splitlines())))
    return found


def _list(value: object) -> object:
    found = _parsed(value)
    if isinstance(found, str):
        return tuple(filter(None, map(str.strip, found.split(","))))
    return found


def _names(value: object) -> object:
    """Names in capitals; None where there are none, which stands for all."""
    found = _list(value)
    return tuple(map(_name, found)) if isinstance(found, list | tuple) and found else found or None


def _conditions(value: object) -> object:
    """Sorted by name, as not every database keeps an order; None where there are none."""
    found = _parsed(value) or None
    return json.loads(_dumped(found)) if isinstance(found, dict) else found


def _or_none(value: object) -> object:
    return _parsed(value) or None


def _name(value: object) -> object:
    return value.strip().upper() if isinstance(value, str) else value


def _whole(value: object) -> object:
    try:
        return int(value)  # type: ignore[call-overload]
    except (TypeError, ValueError):
        return value


def _same(value: object) -> object:
    return value


_READ: dict[str, Callable[[Any], object]] = {
    **dict.fromkeys(ENTITY_COLUMNS, _same),
    **dict.fromkeys(_LISTED, _list),
    **dict.fromkeys(_LINES, _lines),
    **dict.fromkeys(_NAMED, _name),
    **dict.fromkeys(_NUMBERS, _whole),
    **dict.fromkeys(_FLAGS, bool),
    "audience_types": _names,
    "chat_types": _names,
    "trigger_patterns": _or_none,
    "state_conditions": _conditions,
}
