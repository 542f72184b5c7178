"""`EntityStore` in PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from handrail.adapters.entity_sql import Cursor, SqlEntities
from handrail.adapters.postgres.database import Database
from handrail.adapters.postgres.entity_schema import TABLES, attributed, prepare

CONNECTIONS = 2
TIMEOUT_SECONDS = 5.0
WRITE_SECONDS = 60  # how long a write waits for another; one of 100,000 entities takes seconds
PAGE = 2_000  # rows fetched at once

# Writers take turns by an advisory lock, for which no right to a table is needed; its number is
# "entities" in ASCII.
_LOCK = int.from_bytes(b"entities", "big")
_PATIENT = "SELECT set_config('statement_timeout', %s, true)"


class PostgresEntities(SqlEntities):
    """Entities of any number of workers, in the database at ``url``.

    The table `content_entities` may be that of another program: its rows and its own columns stay.
    """

    mark = "%s"

    def __init__(
        self,
        url: str,
        *,
        connections: int = CONNECTIONS,
        timeout_seconds: float = TIMEOUT_SECONDS,
    ) -> None:
        self._database = Database(
            url,
            connections=connections,
            timeout_seconds=timeout_seconds,
            prepare=prepare,
            tables=TABLES,
        )
        with self._database.link() as link:
            super().__init__(attributed=attributed(link))

    @contextmanager
    def _reading(self) -> Iterator[Cursor]:
        with self._database.link() as link, link.cursor() as cursor:
            yield cursor

    @contextmanager
    def _scanning(self) -> Iterator[Cursor]:
        with (
            self._database.link() as link,
            link.transaction(),
            link.cursor(name="entities") as cursor,
        ):
            cursor.itersize = PAGE
            yield cursor

    @contextmanager
    def _writing(self) -> Iterator[Cursor]:
        with self._database.link() as link, link.transaction(), link.cursor() as cursor:
            cursor.execute(_PATIENT, [str(WRITE_SECONDS * 1000)])
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_LOCK])
            yield cursor
