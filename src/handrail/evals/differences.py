"""The difference of two shares that come of different rows, with its 95 % interval."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import TypeAlias

from handrail.evals.intervals import LEVEL, Estimate

Tally: TypeAlias = tuple[int, int]  # successes, of how many; at least one


def difference(first: Tally, second: Tally) -> Estimate:
    """The first share less the second, with the hybrid score interval; ``n`` counts both.

    Method 10 of Newcombe (1998), "Interval estimation for the difference between independent
    proportions", Statistics in Medicine 17, 873-890: each side of the interval is put together from
    the sides of the two score intervals. It stays within [-1, 1] and has width at 0 and 1.
    """
    (a, m), (b, n) = first, second
    p, q = a / m, b / n
    (p_low, p_high), (q_low, q_high) = wilson(a, m), wilson(b, n)
    low = p - q - math.hypot(p - p_low, q_high - q)
    high = p - q + math.hypot(p_high - p, q - q_low)
    return Estimate(p - q, max(-1.0, low), min(1.0, high), m + n)


def wilson(successes: int, n: int, *, level: float = LEVEL) -> tuple[float, float]:
    """The score interval of a share (Wilson 1927), without continuity correction."""
    if not 0 <= successes <= n or n == 0:
        raise ValueError(f"no proportion: {successes} of {n}")
    z = NormalDist().inv_cdf((1 + level) / 2)
    middle = successes + z * z / 2
    reach = z * math.sqrt(successes * (n - successes) / n + z * z / 4)
    low, high = (middle - reach) / (n + z * z), (middle + reach) / (n + z * z)
    return (0.0 if successes == 0 else low), (1.0 if successes == n else high)
