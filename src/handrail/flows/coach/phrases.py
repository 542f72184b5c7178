"""Whole-word phrase lookup: one pass over the words, a few dictionary lookups a word."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
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
    """A table from phrases to values; a phrase may have several."""

    def __init__(self, table: Iterable[tuple[str, T]]) -> None:
        self._table: dict[tuple[str, ...], list[T]] = defaultdict(list)
        for phrase, value in table:
            self._table[tuple(word for word, _ in words(phrase))].append(value)
        self._sizes = sorted({len(key) for key in self._table}, reverse=True)
        self._heads = {key[0] for key in self._table if key}

    def longest(self, text: str) -> list[tuple[T, Span, int]]:
        """Value, span and number of words before it; longest first, none overlapping, in order."""
        spoken = words(text)
        found: list[tuple[T, Span, int]] = []
        free = 0
        for at, size, values in self._matches([word for word, _ in spoken]):
            if at >= free:
                span = Span(spoken[at][1].start, spoken[at + size - 1][1].end)
                found += [(value, span, at) for value in values]
                free = at + size
        return found

    def all(self, text: str) -> set[T]:
        """The values of every phrase that the text holds, overlapping ones too."""
        spoken = [word for word, _ in words(text)]
        return {value for _, _, values in self._matches(spoken) for value in values}

    def _matches(self, spoken: list[str]) -> Iterator[tuple[int, int, list[T]]]:
        for at, word in enumerate(spoken):
            if word not in self._heads:
                continue
            for size in self._sizes:
                values = self._table.get(tuple(spoken[at : at + size]))
                if values and at + size <= len(spoken):
                    yield at, size, values
