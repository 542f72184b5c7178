"""F1 of many labels at once, macro-averaged, with its bootstrap interval."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

import numpy as np

from handrail.evals.intervals import LEVEL, NOTHING, RESAMPLES, SEED, Estimate

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Counts = NDArray[np.float64]

Pair = tuple[Collection[str], Collection[str]]
"""The labels that one text should have, and those that it was given."""

_DRAWS_AT_ONCE = 1_000


def macro_f1(pairs: Sequence[Pair], labels: Sequence[str]) -> Estimate:
    """The mean over ``labels`` of ``2 tp / (2 tp + fp + fn)`` (van Rijsbergen 1979).

    The interval is a percentile bootstrap over texts. A label that is neither there nor given is
    left out of the mean; a text without labels counts through what it was given.
    """
    if not pairs or not labels:
        return NOTHING
    cells = np.array([_cells(pair, labels) for pair in pairs], dtype=np.float64)
    value = _macro(np.ones((1, len(pairs))), cells, len(labels))
    random = np.random.default_rng(SEED)
    share = np.full(len(pairs), 1 / len(pairs))
    found = [
        _macro(random.multinomial(len(pairs), share, size=_DRAWS_AT_ONCE), cells, len(labels))
        for _ in range(0, RESAMPLES, _DRAWS_AT_ONCE)
    ]
    low, high = np.nanquantile(np.concatenate(found), [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Estimate(float(value[0]), float(low), float(high), len(pairs))


def _cells(pair: Pair, labels: Sequence[str]) -> list[bool]:
    """For each label whether it is there and given; then whether it is in one of the two alone."""
    gold, given = pair
    both = [label in gold and label in given for label in labels]
    return both + [(label in gold) != (label in given) for label in labels]


def _macro(weights: Counts | NDArray[np.int64], cells: Counts, labels: int) -> Counts:
    """The macro F1 under each row of weights of texts."""
    counts = weights @ cells
    twice, wrong = 2 * counts[:, :labels], counts[:, labels:]
    whole = twice + wrong
    each = np.divide(twice, whole, out=np.full_like(whole, np.nan), where=whole > 0)
    met = whole > 0
    total = np.where(met, each, 0.0).sum(axis=1)
    mean: Counts = total / np.maximum(met.sum(axis=1), 1)
    return mean
