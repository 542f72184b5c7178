"""The tables of entities in SQLite, and how an older one gets what it lacks."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

from handrail.adapters.entity_rows import ATTRIBUTION_COLUMNS, ENTITY_COLUMNS
from handrail.adapters.entity_sql import VERSIONS
from handrail.adapters.sqlite.schema import is_older

FILE = "guide.sqlite3"
VERSION = 1

_UNIQUE = "CREATE UNIQUE INDEX IF NOT EXISTS content_entities_id ON content_entities (entity_id)"


def prepare(connection: sqlite3.Connection) -> None:
    """Give the file its tables, and an older table the columns that it lacks.

    SQLite keeps text of any length in any column: none is too narrow.
    """
    if not is_older(connection, VERSION, what="entities"):
        return
    connection.execute("BEGIN IMMEDIATE")
    for statement in _missing(connection):
        connection.execute(statement)
    connection.execute(f"PRAGMA user_version = {VERSION}")
    connection.execute("COMMIT")


def _missing(connection: sqlite3.Connection) -> Iterator[str]:
    yield "CREATE TABLE IF NOT EXISTS content_entities (entity_id TEXT PRIMARY KEY)"
    there = {row[1] for row in connection.execute("PRAGMA table_info(content_entities)")}
    for name, kind in {**ENTITY_COLUMNS, **ATTRIBUTION_COLUMNS}.items():
        if name not in there:
            yield f"ALTER TABLE content_entities ADD COLUMN {name} {_KINDS.get(kind, kind)}"
    yield _UNIQUE
    yield from VERSIONS


# What SQLite has no type for is text, or it would take text that looks like a number for one.
_KINDS = {
    "JSONB DEFAULT '[]'": "TEXT DEFAULT '[]'",
    "JSONB DEFAULT NULL": "TEXT DEFAULT NULL",
    "TIMESTAMPTZ": "TEXT",
}
