"""The tables of entities in PostgreSQL, and how an older one gets what it lacks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from handrail.adapters.entity_rows import ATTRIBUTION_COLUMNS, ENTITY_COLUMNS
from handrail.adapters.entity_sql import VERSIONS
from handrail.adapters.postgres.schema import SETUP_LOCK
from handrail.errors import StoreFailed

if TYPE_CHECKING:
    from handrail.adapters.postgres.database import Link

TABLES = "content_entities and content_entity_versions"

_TABLE = "CREATE TABLE content_entities (entity_id TEXT PRIMARY KEY)"
_UNIQUE = "CREATE UNIQUE INDEX content_entities_id ON content_entities (entity_id)"
_VERSIONS_THERE = """
SELECT to_regclass('content_entity_versions') IS NOT NULL
    AND to_regclass('content_entity_versions_revision') IS NOT NULL
"""
_COLUMNS = """
SELECT attname, format_type(atttypid, NULL), typcategory, atttypmod >= 0, attnotnull,
    pg_get_expr(adbin, adrelid), EXISTS (
        SELECT 1 FROM pg_constraint
        WHERE conrelid = attrelid AND contype = 'f' AND attnum = ANY (conkey)
    )
FROM pg_attribute JOIN pg_type ON pg_type.oid = atttypid
LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
WHERE attrelid = to_regclass('content_entities') AND attnum > 0 AND NOT attisdropped
"""
_UNIQUE_THERE = """
SELECT EXISTS (
    SELECT 1 FROM pg_index JOIN pg_attribute ON attrelid = indrelid AND attname = 'entity_id'
    WHERE indrelid = to_regclass('content_entities') AND indisunique AND indpred IS NULL
        AND indnkeyatts = 1 AND indkey[0] = attnum
)
"""

# Categories of types that a kind of column may have in an older table: A arrays, B truth values,
# D times, E enumerations, N numbers, S strings, U the rest, where only JSON is meant.
_MAY_BE = {"TEXT": "AESU", "JSONB": "SU", "BOOLEAN": "B", "INTEGER": "N", "BIGINT": "N"}
_AS_TEXT = {"A": "to_json({})::text", "E": "({})::text"}


class Column(NamedTuple):
    """A column of a table that is there."""

    name: str
    type: str
    category: str
    bounded: bool
    required: bool
    default: str | None  # an expression
    refers: bool  # to rows of another table


# What the table that `_TABLE` makes has at first.
_FRESH = {"entity_id": Column("entity_id", "text", "S", False, True, None, False)}


def prepare(link: Link) -> None:
    """Make the tables, or bring an older one up to date; workers that start together take turns.

    Where nothing is missing nothing is asked for, so the account needs no right to change tables.
    No row and no column is taken away. Raises `StoreFailed` for a column of ours that is of a type
    that cannot hold what belongs there.
    """
    if not _changes(link):
        return
    with link.transaction():
        link.execute("SELECT pg_advisory_xact_lock(%s)", (SETUP_LOCK,))
        for statement in _changes(link):  # another worker may have made them meanwhile
            link.execute(statement)


def attributed(link: Link) -> list[str]:
    """Those of the columns of who and when that can be written.

    In an older table they may point to accounts or be of any type; then the history alone tells.
    """
    fit = {"TEXT": "S", "TIMESTAMPTZ": "D"}
    return [
        column.name
        for column in _columns(link).values()
        if column.category == fit.get(ATTRIBUTION_COLUMNS.get(column.name, ""))
        and not column.refers
    ]


def _changes(link: Link) -> list[str]:
    """What is to be done: columns added or widened, keys made."""
    there = _columns(link)
    changes = [] if there else [_TABLE]
    changes += _columns_changed(there or _FRESH)
    if there and not _asked(link, _UNIQUE_THERE):
        changes.append(_UNIQUE)
    if not _asked(link, _VERSIONS_THERE):
        changes += VERSIONS
    return changes


def _columns_changed(there: Mapping[str, Column]) -> Iterator[str]:
    if "entity_id" not in there:
        raise StoreFailed(
            "the table content_entities has no column entity_id. Rename it, or use another schema"
        )
    for name, kind in {**ENTITY_COLUMNS, **ATTRIBUTION_COLUMNS}.items():
        if name not in there:
            yield f"ALTER TABLE content_entities ADD COLUMN {name} {kind}"
        elif name in ENTITY_COLUMNS:
            _require_fit(there[name], kind.split()[0])
    for column in there.values():
        yield from _column_changed(column)


def _require_fit(column: Column, kind: str) -> None:
    fits = column.category in _MAY_BE[kind]
    if not fits or (column.category == "U" and column.type not in ("json", "jsonb")):
        raise StoreFailed(
            f"the column {column.name} of content_entities has the type {column.type}, which "
            f"cannot hold {kind}. Rename the column and start again"
        )


def _column_changed(column: Column) -> Iterator[str]:
    alter = f'ALTER TABLE content_entities ALTER COLUMN "{column.name}"'
    if column.name not in ENTITY_COLUMNS and column.name not in ATTRIBUTION_COLUMNS:
        if column.type == "uuid" and column.required and column.default is None:
            yield f"{alter} SET DEFAULT gen_random_uuid()"  # only the other program made one
        return
    if column.category == "S" and column.bounded:
        yield f"{alter} TYPE TEXT"
    if column.category in _AS_TEXT:
        yield from _made_text(alter, column)
    if column.name == "state_conditions" and column.required:
        yield f"{alter} DROP NOT NULL"


def _made_text(alter: str, column: Column) -> Iterator[str]:
    """An enumeration as text, or an array as a JSON list; what it is by default goes with it."""
    text = _AS_TEXT[column.category]
    if column.default is not None:
        yield f"{alter} DROP DEFAULT"
    yield f"{alter} TYPE TEXT USING {text.format(column.name)}"
    if column.default is not None:
        yield f"{alter} SET DEFAULT {text.format(column.default)}"


def _columns(link: Link) -> dict[str, Column]:
    found = (Column(*row) for row in link.execute(_COLUMNS).fetchall())
    return {column.name: column for column in found}


def _asked(link: Link, question: str) -> bool:
    row = link.execute(question).fetchone()
    return bool(row and row[0])
