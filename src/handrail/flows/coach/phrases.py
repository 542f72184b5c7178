"""Whole-word phrase lookup: which listed phrases a text holds, longest first, never overlapping."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Generic, TypeVar

from handrail.domain.text import Span

_WORD = re.compile(r"\w+(?:['’]\w+)*")
T = TypeVar("T")


def words(text: str) -> list[tuple[str, Span]]:
    """Case-folded words with straight apostrophes, and where they stand."""
    return [
        (match.group().casefold().replace("’", "'"), Span(match.start(), match.end()))
        for match in _WORD.finditer(text)
    ]


class Phrases(Generic[T]):
    """A table from phrases to values; one pass over the words, a few lookups a word."""

    def __init__(self, table: Iterable[tuple[str, T]]) -> None:
        self._table: Mapping[tuple[str, ...], T] = {
            tuple(word for word, _ in words(phrase)): value for phrase, value in table
        }
        self._longest = max((len(key) for key in self._table), default=0)

    def find(self, text: str) -> list[tuple[T, Span, int]]:
        """Value, span and number of words before it, for each phrase found, in order."""
        found = []
        spoken = words(text)
        at = 0
        while at < len(spoken):
            size = self._match(spoken, at)
            if size:
                key = tuple(word for word, _ in spoken[at : at + size])
                span = Span(spoken[at][1].start, spoken[at + size - 1][1].end)
                found.append((self._table[key], span, at))
            at += size or 1
        return found

    def _match(self, spoken: list[tuple[str, Span]], at: int) -> int:
        for size in range(min(self._longest, len(spoken) - at), 0, -1):
            if tuple(word for word, _ in spoken[at : at + size]) in self._table:
                return size
        return 0
