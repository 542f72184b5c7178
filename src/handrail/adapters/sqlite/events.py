"""`EventLog` in SQLite."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from handrail.adapters.event_lines import from_line, to_line
from handrail.adapters.sqlite.database import Database

PAGE = 500  # events read at once; nothing stays open between pages

_APPEND = "INSERT INTO event (at, line) VALUES (?, ?)"
_READ = """
SELECT at, number, line FROM event WHERE (at, number) > (?, ?) ORDER BY at, number LIMIT ?
"""


class SqliteEvents:
    """Events of the workers of one machine, in the file of their sessions.

    A power failure may take the last ones: they are counted, not acted on, and are not worth a
    second wait for the disk in every turn.
    """

    def __init__(self, folder: Path) -> None:
        self._database = Database(folder, synchronous="NORMAL")

    def append(self, events: Sequence[Mapping[str, object]]) -> None:
        """Keep all of them, or none."""
        lines = [to_line(event) for event in events]
        with self._database.connection() as connection:
            connection.execute("BEGIN IMMEDIATE")
            connection.executemany(_APPEND, lines)
            connection.execute("COMMIT")

    def read(self, *, since: float = 0.0) -> Iterator[Mapping[str, object]]:
        """Events from ``since`` on, in bounded memory; those that arrive meanwhile may be there."""
        last = (since, 0)  # numbers begin at 1
        while page := self._page(last):
            last = page[-1][:2]
            for _, _, line in page:
                yield from_line(line)

    def _page(self, last: tuple[float, int]) -> list[tuple[float, int, str]]:
        with self._database.connection() as connection:
            return connection.execute(_READ, (*last, PAGE)).fetchall()
