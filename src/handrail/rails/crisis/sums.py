"""Signs that add up: means hidden away and "nobody knows" are danger only beside each other.

Every sign counts once however often it is said, and two that share words count as one, so that no
single phrase makes a danger of itself. A sum adds up signs of its own language alone. Linear
in the number of signs found.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from handrail.rails.crisis.lexicon import Rule, Sum
from handrail.rails.crisis.reading import Found


class Total(NamedTuple):
    """A sum that was reached, and the signs that reached it."""

    sum: Sum
    parts: Sequence[Found[Rule]]


def totals(sums: Iterable[Sum], found: Sequence[Found[Rule]]) -> Iterator[Total]:
    """The sums that the signs and dangers found in a message reach."""
    by_language: dict[str, Mapping[str, Found[Rule]]] = {}
    for total in sums:
        if total.language not in by_language:
            by_language[total.language] = _first_of_each(found, total.language)
        first = by_language[total.language]
        names = total.signs & first.keys()
        if len(names) < total.least or not total.unless.isdisjoint(first):
            continue
        present = [first[name] for name in names]
        parts = _apart(sorted(present, key=_place))
        if len(parts) >= total.least:
            yield Total(total, parts)


def _place(hit: Found[Rule]) -> tuple[int, int, str]:
    return hit.start, hit.end, hit.what.id


def _first_of_each(found: Sequence[Found[Rule]], language: str) -> Mapping[str, Found[Rule]]:
    """The first sign of each name in a language, and the first danger of each kind in any."""
    return {
        hit.what.kind: hit
        for hit in reversed(found)
        if hit.what.level or hit.what.language == language
    }


def _apart(hits: Sequence[Found[Rule]]) -> Sequence[Found[Rule]]:
    """The hits, by start, without those that reach into the one before."""
    kept: list[Found[Rule]] = []
    for hit in hits:
        if not kept or hit.start >= kept[-1].end:
            kept.append(hit)
    return kept
