"""`EntityStore` in SQLite."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from handrail.adapters.entity_sql import Cursor, SqlEntities
from handrail.adapters.sqlite.database import Database
from handrail.adapters.sqlite.entity_schema import FILE, prepare

WRITE_SECONDS = 60  # how long a write waits for another; one of 100,000 entities takes seconds


class SqliteEntities(SqlEntities):
    """Entities of the workers of one machine, in a file of their own below ``folder``."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._database = Database(folder, synchronous="FULL", file=FILE, prepare=prepare)

    @contextmanager
    def _reading(self) -> Iterator[Cursor]:
        with self._database.connection() as connection:
            connection.execute("BEGIN")
            yield connection.cursor()
            connection.execute("COMMIT")

    _scanning = _reading

    @contextmanager
    def _writing(self) -> Iterator[Cursor]:
        with self._database.connection() as connection:
            connection.execute(f"PRAGMA busy_timeout = {WRITE_SECONDS * 1000}")
            connection.execute("BEGIN IMMEDIATE")
            yield connection.cursor()
            connection.execute("COMMIT")
