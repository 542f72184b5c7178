"""Figures with their 95 % intervals: exact for shares, seeded bootstrap for the rest."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

LEVEL = 0.95
RESAMPLES = 10_000
SEED = 42
_DRAWS_AT_ONCE = 2_000_000  # 16 MB of indices
_BISECTIONS = 60  # halves [0, 1] to below the spacing of floats near 1


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure from ``n`` observations with its 95 % interval; all None when ``n`` is 0."""

    value: float | None
    low: float | None
    high: float | None
    n: int

    def to_json(self) -> dict[str, float | int | None]:
        """The four parts, rounded to six places."""
        return {
            "value": _rounded(self.value),
            "low": _rounded(self.low),
            "high": _rounded(self.high),
            "n": self.n,
        }


NOTHING = Estimate(None, None, None, 0)


def share(successes: int, n: int) -> Estimate:
    """A proportion with the exact interval of Clopper and Pearson (1934)."""
    if n == 0:
        return NOTHING
    low, high = clopper_pearson(successes, n)
    return Estimate(successes / n, low, high, n)


def mean(values: Sequence[float]) -> Estimate:
    """A mean with its percentile bootstrap interval (Efron 1979); one value has no width."""
    if not values:
        return NOTHING
    data = np.asarray(values, dtype=np.float64)
    low, high = _bootstrap(data, lambda drawn: drawn.mean(axis=1))
    return Estimate(float(data.mean()), low, high, len(data))


def percentile(values: Sequence[float], at: float) -> Estimate:
    """A nearest-rank percentile (``at`` in (0, 1]) with its percentile bootstrap interval."""
    if not values:
        return NOTHING
    data = np.sort(np.asarray(values, dtype=np.float64))
    rank = math.ceil(at * len(data)) - 1
    low, high = _bootstrap(data, lambda drawn: np.partition(drawn, rank, axis=1)[:, rank])
    return Estimate(float(data[rank]), low, high, len(data))


def clopper_pearson(successes: int, n: int, *, level: float = LEVEL) -> tuple[float, float]:
    """The proportions that an exact two-sided binomial test does not reject.

    Each bound is found by bisection on the binomial tail, which is the regularised incomplete beta
    function. Cost grows with ``n``: 60 sums over at most ``n`` terms.
    """
    if not 0 <= successes <= n or n == 0:
        raise ValueError(f"no proportion: {successes} of {n}")
    tail = (1 - level) / 2
    at_least = _tail(successes, n)
    more = _tail(successes + 1, n)
    low = 0.0 if successes == 0 else _crossing(lambda p: at_least(p) >= tail)
    high = 1.0 if successes == n else _crossing(lambda p: more(p) >= 1 - tail)
    return low, high


def _tail(k: int, n: int) -> Callable[[float], float]:
    """P(X >= k) of a binomial X as a function of the probability."""
    heads = np.arange(k, n + 1, dtype=np.float64)
    ways = np.array([_log_choose(n, i) for i in range(k, n + 1)])

    def at(p: float) -> float:
        if p in (0.0, 1.0):
            return float(p == 1.0 or k == 0)
        logs = ways + heads * math.log(p) + (n - heads) * math.log1p(-p)
        return float(np.exp(logs).sum())

    return at


def _log_choose(n: int, k: int) -> float:
    return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)


def _crossing(reached: Callable[[float], bool]) -> float:
    """The smallest probability at which a rising condition holds."""
    low, high = 0.0, 1.0
    for _ in range(_BISECTIONS):
        middle = (low + high) / 2
        low, high = (low, middle) if reached(middle) else (middle, high)
    return (low + high) / 2


def _bootstrap(data: Floats, statistic: Callable[[Floats], Floats]) -> tuple[float, float]:
    found = np.concatenate([statistic(data[rows]) for rows in _draws(len(data))])
    low, high = np.quantile(found, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return float(low), float(high)


def _draws(n: int) -> Iterator[NDArray[np.int64]]:
    """Rows of ``n`` indices with replacement, 10,000 in all; the same for the same ``n``."""
    random = np.random.default_rng(SEED)
    at_once = max(1, _DRAWS_AT_ONCE // n)
    for done in range(0, RESAMPLES, at_once):
        yield random.integers(0, n, size=(min(at_once, RESAMPLES - done), n))


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 6)
