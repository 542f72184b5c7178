"""`EventLog` in PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from handrail.adapters.event_lines import from_line, to_line
from handrail.adapters.postgres.database import Database

CONNECTIONS = 2
TIMEOUT_SECONDS = 5.0
PAGE = 500  # events read at once; nothing stays open between pages

_APPEND = "INSERT INTO handrail_event (at, line) VALUES (%s, %s)"
_READ = """
SELECT at, number, line FROM handrail_event
WHERE (at, number) > (%s::double precision, %s::bigint) ORDER BY at, number LIMIT %s
"""


class PostgresEvents:
    """Events of any number of workers, in the database at ``url``; ``line`` casts to jsonb."""

    def __init__(
        self,
        url: str,
        *,
        connections: int = CONNECTIONS,
        timeout_seconds: float = TIMEOUT_SECONDS,
    ) -> None:
        self._database = Database(url, connections=connections, timeout_seconds=timeout_seconds)

    def append(self, events: Sequence[Mapping[str, object]]) -> None:
        """Keep all of them, or none."""
        lines = [to_line(event) for event in events]
        with self._database.link() as link, link.transaction(), link.cursor() as cursor:
            cursor.executemany(_APPEND, lines)

    def read(self, *, since: float = 0.0) -> Iterator[Mapping[str, object]]:
        """Events from ``since`` on, in bounded memory; those that arrive meanwhile may be there."""
        last: tuple[float, int] = (since, 0)  # numbers begin at 1
        while page := self._page(last):
            at, number, _ = page[-1]
            last = (at, number)
            for *_, line in page:
                yield from_line(line)

    def _page(self, last: tuple[float, int]) -> list[tuple[Any, ...]]:
        with self._database.link() as link:
            return link.execute(_READ, (*last, PAGE)).fetchall()
