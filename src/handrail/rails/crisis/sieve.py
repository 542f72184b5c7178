"""Which phrases a sentence can hold at all, told from its words alone: one bit a phrase.

A phrase is asked for only when one of its trigger words is there, and then only when each of its
other firm items is there as well. Whole sets of phrases are met and intersected at once, as the
bits of integers, so that thousands of phrases cost no more than a few hundred.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence

_LAYERS = 3  # firm items of a phrase that are looked at; a phrase rarely has more


class Sieve:
    """Firm items of phrases by word; a phrase that has not told them yet is let through."""

    def __init__(self) -> None:
        self._held: list[defaultdict[str, int]] = [defaultdict(int) for _ in range(_LAYERS)]
        self._bound = [0] * _LAYERS  # the phrases that need a word of this layer

    def require(self, number: int, items: Sequence[Collection[str]]) -> None:
        """Ask of a phrase that one word of each of ``items`` is there."""
        bit = 1 << number
        for layer, words in enumerate(items[:_LAYERS]):
            self._bound[layer] |= bit
            for word in words:
                self._held[layer][word] |= bit

    def sift(self, called: int, words: Collection[str]) -> int:
        """The phrases among ``called`` whose firm items all have a word among ``words``."""
        for held, bound in zip(self._held, self._bound, strict=True):
            wanting = called & bound
            if wanting:
                met = 0
                for word in held.keys() & words:
                    met |= held[word]
                called &= ~wanting | met
        return called


def bits(numbers: Collection[int]) -> int:
    """A set of phrase numbers as an integer."""
    return sum(1 << number for number in set(numbers))


def numbers(bits: int) -> Iterator[int]:
    """The phrase numbers in an integer, in order."""
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest
