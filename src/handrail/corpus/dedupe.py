"""Which texts are the same, or nearly: shingles, MinHash, banding, then the exact resemblance.

After Broder (1997), "On the resemblance and containment of documents". Each text is compared with
the first of its kind only, so that a chain of small steps never joins two distant texts, and so
that texts added later leave earlier groups as they are.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from handrail.domain.text import Case

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Shingles = NDArray[np.uint64]

SHINGLE = 5  # characters
BANDS, ROWS = 8, 4  # finds a pair of resemblance 0.85 with probability 0.997
ALIKE = 0.85  # resemblance from which contexts share a group and answers count as one
SHORT = 60  # characters; in a shorter text one letter can turn the meaning
COMPARED = 64  # earlier texts that one is compared with; keeps boilerplate from going quadratic
_ODD = 0x9E3779B97F4A7C15  # 2^64 / golden ratio, odd: Knuth's multiplicative hashing
_WORD = re.compile(r"\w+")
_NUMBER = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Deduped:
    """Cases that stay, with their groups, and how many went."""

    cases: tuple[Case, ...]
    exact_duplicates: int
    near_duplicates: int


def dedupe(cases: Sequence[Case]) -> Deduped:
    """Merge exact duplicates, drop near-duplicate pairs, and group like contexts (C55).

    The first of each kind stays. A pair goes only when context and response both are nearly the
    same as another's; a text without a response goes only when it is exactly the same.
    """
    unique = first_by(lambda case: case.id, cases)
    contexts = leaders([case.context for case in unique])
    responses = leaders([case.response for case in unique])
    kept, pairs = [], set()
    for case, context, response in zip(unique, contexts, responses, strict=True):
        pair = (context, response)
        if case.response and pair in pairs:
            continue
        pairs.add(pair)
        kept.append(replace(case, group=unique[context].id))
    return Deduped(tuple(kept), len(cases) - len(unique), len(unique) - len(kept))


def first_by(key: Callable[[Case], str], cases: Iterable[Case]) -> list[Case]:
    """The first case of every key, in order."""
    first: dict[str, Case] = {}
    for case in cases:
        first.setdefault(key(case), case)
    return list(first.values())


def leaders(texts: Sequence[str]) -> list[int]:
    """For each text, the place of the first text that it resembles; its own where there is none.

    Texts of the same words are alike. Longer ones are alike as well when they share most of their
    shingles and all of their numbers.
    """
    exact: dict[str, int] = {}
    buckets: defaultdict[tuple[int, bytes], list[int]] = defaultdict(list)
    found = []
    for place, text in enumerate(texts):
        bare = fold(text) or text
        if bare not in exact:
            exact[bare] = _leader(bare, place, texts, buckets)
        found.append(exact[bare])
    return found


def _leader(
    bare: str, place: int, texts: Sequence[str], buckets: dict[tuple[int, bytes], list[int]]
) -> int:
    if len(bare) < SHORT:
        return place
    own = shingles(bare)
    keys = _keys(own)
    near = sorted({other for key in keys for other in buckets[key]})
    for other in near[:COMPARED]:
        earlier = fold(texts[other]) or texts[other]
        same_numbers = _NUMBER.findall(bare) == _NUMBER.findall(earlier)
        if same_numbers and resemblance(own, shingles(earlier)) >= ALIKE:
            return other
    for key in keys:
        buckets[key].append(place)
    return place


def fold(text: str) -> str:
    """The words alone: no case, accents, punctuation or spacing."""
    text = unicodedata.normalize("NFKD", text.casefold().replace("'", "").replace("’", ""))
    return " ".join(_WORD.findall("".join(c for c in text if not unicodedata.combining(c))))


def shingles(text: str) -> Shingles:
    """The distinct hashes of every run of five characters, sorted; a shorter text is one run."""
    codes = np.frombuffer(text.ljust(SHINGLE).encode("utf-32-le"), dtype=np.uint32)
    hashes = np.zeros(len(codes) - SHINGLE + 1, dtype=np.uint64)
    for offset in range(SHINGLE):
        run = codes[offset : len(codes) - SHINGLE + 1 + offset]
        hashes = (hashes + run + np.uint64(1)) * np.uint64(_ODD)
        hashes ^= hashes >> np.uint64(29)
    return np.unique(hashes)


def resemblance(one: Shingles, other: Shingles) -> float:
    """Jaccard's coefficient of two sets of shingles, in [0, 1]."""
    shared = len(np.intersect1d(one, other, assume_unique=True))
    return shared / (len(one) + len(other) - shared)


def _keys(own: Shingles) -> list[tuple[int, bytes]]:
    """One key a band: the minima of ``ROWS`` hash functions over the shingles."""
    seeds = np.arange(1, BANDS * ROWS + 1, dtype=np.uint64) * np.uint64(_ODD)
    minima = np.full(BANDS * ROWS, np.iinfo(np.uint64).max)
    for start in range(0, len(own), 4096):  # bounds the memory that a long text takes
        mixed = (own[start : start + 4096, None] ^ seeds) * np.uint64(_ODD)
        mixed ^= mixed >> np.uint64(32)
        minima = np.minimum(minima, (mixed * np.uint64(_ODD)).min(axis=0))
    return [(band, minima[band * ROWS : (band + 1) * ROWS].tobytes()) for band in range(BANDS)]
