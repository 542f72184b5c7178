"""`EventLog` in a list."""

from __future__ import annotations

import threading
from bisect import bisect_left, insort
from collections.abc import Iterator, Mapping, Sequence

from handrail.adapters.event_lines import from_line, to_line


class MemoryEvents:
    """Events of one process; kept as lines, so that nobody changes them afterwards."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._lines: list[tuple[float, str]] = []

    def append(self, events: Sequence[Mapping[str, object]]) -> None:
        """Keep all of them, or none where one is unfit."""
        lines = [to_line(event) for event in events]
        with self._guard:
            for line in lines:
                insort(self._lines, line, key=_time)  # to the right of its equals

    def read(self, *, since: float = 0.0) -> Iterator[Mapping[str, object]]:
        """Events from ``since`` on, as they stood when reading began."""
        with self._guard:
            lines = self._lines[bisect_left(self._lines, since, key=_time) :]
        for _, line in lines:
            yield from_line(line)


def _time(line: tuple[float, str]) -> float:
    return line[0]
