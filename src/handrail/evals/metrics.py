"""How good one ranking is, by its judgements; ids in a ranking are distinct, best first."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence

DEPTH = 10


def hit(ranking: Sequence[str], relevant: Collection[str], *, k: int = 3) -> float:
    """1 when one of the first ``k`` is relevant, else 0 (C63)."""
    return float(any(id in relevant for id in ranking[:k]))


def recall(ranking: Sequence[str], relevant: Collection[str], *, k: int = DEPTH) -> float:
    """Share of all relevant ids that stand among the first ``k``; needs one relevant id."""
    return sum(id in relevant for id in ranking[:k]) / len(relevant)


def reciprocal_rank(ranking: Sequence[str], relevant: Collection[str], *, k: int = DEPTH) -> float:
    """1 / rank of the first relevant id among the first ``k``; 0 without one."""
    ranks = (rank for rank, id in enumerate(ranking[:k], start=1) if id in relevant)
    first = next(ranks, None)
    return 0.0 if first is None else 1 / first


def ndcg(ranking: Sequence[str], grades: Mapping[str, float], *, k: int = DEPTH) -> float:
    """Normalised discounted cumulative gain with gains ``2^grade - 1`` (Burges et al. 2005).

    The ideal ranks every judged id, found or not. An id without a grade gains nothing; needs one
    grade above 0.
    """
    ideal = sorted((gain(grade) for grade in grades.values()), reverse=True)
    return _discounted(gain(grades.get(id, 0)) for id in ranking[:k]) / _discounted(ideal[:k])


def gain(grade: float) -> float:
    """``2^grade - 1``; grades of 0 and below mean not relevant and gain nothing."""
    return float(2**grade - 1) if grade > 0 else 0.0


def _discounted(gains: Iterable[float]) -> float:
    return math.fsum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, start=1))
