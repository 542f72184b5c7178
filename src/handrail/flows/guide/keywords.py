"""Keywords: phrases of whole words, found in a message in one pass (H10, H34)."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from handrail.domain.entity import Entity
from handrail.domain.text import Span
from handrail.flows.guide.text import Word, normal, words

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class KeywordHit:
    """One keyword where it stands: the rows of the entities that have it, and its weight."""

    keyword: str
    span: Span
    weight: float
    rows: NDArray[np.int64]


class Keywords:
    """An index from the words of keywords to the entities that have them.

    A keyword written as several words, or with a hyphen, is also found written as one: pick up,
    pick-up, pickup. It weighs ln(1 + N / n) where n of N entities have it.
    """

    def __init__(self, entities: Sequence[Entity], spellings: Mapping[str, str]) -> None:
        self._spellings = spellings
        self._count = len(entities)
        owners: dict[tuple[str, ...], list[int]] = defaultdict(list)
        for row, entity in enumerate(entities):
            for key in {key for word in entity.keywords for key in self._keys(word)}:
                owners[key].append(row)
        self._owners = {key: np.array(rows) for key, rows in owners.items()}
        self._longest = _longest(self._owners)

    def _keys(self, keyword: str) -> Iterable[tuple[str, ...]]:
        parts = tuple(word.text for word in words(normal(keyword), self._spellings))
        if parts:
            yield parts
        if len(parts) > 1:
            yield ("".join(parts),)

    def find(self, text: str) -> list[KeywordHit]:
        """Every keyword in a normal text; where two overlap, the longer that begins first."""
        said = words(text, self._spellings)
        found: list[KeywordHit] = []
        at = 0
        while at < len(said):
            key = self._key(said, at)
            if key:
                found.append(self._hit(key, said[at].start, said[at + len(key) - 1].end))
            at += max(1, len(key))
        return found

    def _key(self, said: Sequence[Word], at: int) -> tuple[str, ...]:
        """The longest keyword that begins with the word at ``at``, within its sentence, or none."""
        most, sentence = self._longest.get(said[at].text, 0), said[at].sentence
        parts = tuple(word.text for word in said[at : at + most] if word.sentence == sentence)
        lengths = range(len(parts), 0, -1)
        return next((parts[:length] for length in lengths if parts[:length] in self._owners), ())

    def _hit(self, key: tuple[str, ...], start: int, end: int) -> KeywordHit:
        rows = self._owners[key]
        return KeywordHit(
            " ".join(key), Span(start, end), math.log(1 + self._count / len(rows)), rows
        )


def _longest(keys: Iterable[tuple[str, ...]]) -> dict[str, int]:
    """The length of the longest keyword that begins with a word."""
    longest: dict[str, int] = {}
    for key in keys:
        longest[key[0]] = max(longest.get(key[0], 0), len(key))
    return longest
