"""How a text is worded, weighed: a linear reader over words, pairs of words and parts of words.

Every feature is hashed to one of `BUCKETS` places (Weinberger et al. 2009, "Feature Hashing for
Large Scale Multitask Learning"); a place has a weight and the rarity of what falls into it. Plain
Python over bytes: no array library is needed to read a message.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from math import sqrt

from handrail.errors import ContentInvalid

BUCKETS = 1 << 17
RARITY_STEP = 1 / 16  # rarities up to 15.9: the logarithm of eight million texts
_PARTS = (3, 4, 5)  # letters in a part of a word
_CACHED_WORDS = 1 << 14
_LONGEST_WORD = 32
_SENTENCE = re.compile(r"[.?]")  # not lines: people break them anywhere
_TOKEN = re.compile(r"[^\s,.?]+|,")


class Wording:
    """Log-odds of danger from the wording of a text in the normal form of `Normaliser`.

    ``table`` holds `BUCKETS` weights as signed bytes, then as many rarities as bytes; a weight
    counts in units of ``unit``, a rarity in `RARITY_STEP`. Raises `ContentInvalid` for another
    length.
    """

    def __init__(self, table: bytes, *, unit: float, bias: float) -> None:
        if len(table) != 2 * BUCKETS:
            raise ContentInvalid(f"the table of wordings has {len(table)} bytes, not {2 * BUCKETS}")
        self._weights = memoryview(table)[:BUCKETS].cast("b")
        self._rarities = table[BUCKETS:]
        self._unit = unit / RARITY_STEP
        self._bias = bias

    def log_odds(self, text: str) -> float:
        """The weights of a text's features at unit length; the bias for a text without any."""
        found = features(text)
        length = sqrt(sum(_SQUARES[self._rarities[place]] for place in found))
        weight = sum(self._weights[place] for place in found)
        return self._bias + self._unit * weight / length if length else self._bias


def features(text: str) -> set[int]:
    """The places of the features of a normal text, each once."""
    found: set[int] = set()
    for sentence in _SENTENCE.split(text):
        words = _TOKEN.findall(sentence)
        for word in words:
            found.update(_of_word(word) if len(word) <= _LONGEST_WORD else _parts(word))
        found.update(_pairs(("^", *words, "$")))
    return found


def _pairs(words: Sequence[str]) -> Iterator[int]:
    """Neighbours, and words with one between them."""
    for first, second in pairwise(words):
        yield _place(f"w{first} {second}")
    for first, second in zip(words, words[2:], strict=False):
        yield _place(f"s{first} {second}")


def _parts(word: str) -> tuple[int, ...]:
    """A word and its parts, its edges marked."""
    edged = f"<{word}>"
    parts = (edged[at : at + n] for n in _PARTS for at in range(len(edged) - n + 1))
    return (_place(f"w{word}"), *(_place(f"c{part}") for part in parts))


def _place(feature: str) -> int:
    return zlib.crc32(feature.encode()) % BUCKETS


_of_word = lru_cache(maxsize=_CACHED_WORDS)(_parts)
_SQUARES = [rarity * rarity for rarity in range(256)]
