"""Which phrases a sentence can hold, told from its words alone, before any pattern runs.

A phrase is asked for only when one of its trigger words is there, and then only when each of its
other firm items is there as well. Words are bits of an integer, so that to ask for an item of many
words costs one step.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence


class Sieve:
    """Firm items of phrases; a phrase that has not told them yet is let through."""

    def __init__(self) -> None:
        self._bits: dict[str, int] = {}
        self._needs: dict[int, tuple[int, ...]] = {}
        self._shared: dict[frozenset[str], int] = {}  # thousands of phrases need the same items

    def require(self, number: int, items: Sequence[frozenset[str]]) -> None:
        """Ask of a phrase that one word of each of ``items`` is there."""
        self._needs[number] = tuple(map(self._need, items))

    def sift(self, called: Iterable[int], words: Collection[str]) -> list[int]:
        """The phrases among ``called``, in order, whose items all have a word among ``words``."""
        there = 0
        for word in words:
            there |= self._bits.get(word, 0)
        kept = []
        for number in called:
            for need in self._needs.get(number, ()):
                if not need & there:
                    break
            else:
                kept.append(number)
        return kept

    def _need(self, words: frozenset[str]) -> int:
        need = self._shared.get(words)
        if need is None:
            need = sum(map(self._bit, words))
            self._shared[words] = need
        return need

    def _bit(self, word: str) -> int:
        return self._bits.setdefault(word, 1 << len(self._bits))
