"""Scores have kinds: a threshold names its kind, and two kinds are never compared."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

from handrail.errors import KindMismatch, UnreachableThreshold


class ScoreKind(StrEnum):
    """What a number measures."""

    COSINE = "cosine"  # [-1, 1]
    UNIT_COSINE = "unit_cosine"  # (1 + cosine) / 2, [0, 1]
    BM25 = "bm25"  # [0, inf)
    RRF = "rrf"  # (0, n/(c+1)] for n channels
    FUSION = "fusion"  # [0, 1] unless the fusion says otherwise
    CROSS_ENCODER = "cross_encoder"  # a logit, (-inf, inf)
    OVERLAP = "overlap"  # [0, 1]
    PROBABILITY = "probability"  # [0, 1]
    EVIDENCE = "evidence"  # 1 less the product of (1 - weight) over signs, [0, 1]
    CONTRAST = "contrast"  # a mean cosine less half of another, [-1.5, 1.5]
    INFORMATION = "information"  # a sum of log(1 + N / n), [0, inf)
    COUNT = "count"  # [0, inf)


RANGES: dict[ScoreKind, tuple[float, float]] = {
    ScoreKind.COSINE: (-1.0, 1.0),
    ScoreKind.UNIT_COSINE: (0.0, 1.0),
    ScoreKind.BM25: (0.0, math.inf),
    ScoreKind.RRF: (0.0, 1.0),
    ScoreKind.FUSION: (0.0, 1.0),
    ScoreKind.CROSS_ENCODER: (-math.inf, math.inf),
    ScoreKind.OVERLAP: (0.0, 1.0),
    ScoreKind.PROBABILITY: (0.0, 1.0),
    ScoreKind.EVIDENCE: (0.0, 1.0),
    ScoreKind.CONTRAST: (-1.5, 1.5),
    ScoreKind.INFORMATION: (0.0, math.inf),
    ScoreKind.COUNT: (0.0, math.inf),
}


@dataclass(frozen=True, slots=True)
class Score:
    """A value of one kind; comparing it with another kind raises `KindMismatch`."""

    kind: ScoreKind
    value: float

    def _same(self, other: Score) -> float:
        if self.kind is not other.kind:
            raise KindMismatch(f"cannot compare {self.kind!s} with {other.kind!s}")
        return other.value

    def __lt__(self, other: Score) -> bool:
        return self.value < self._same(other)

    def __le__(self, other: Score) -> bool:
        return self.value <= self._same(other)

    def __gt__(self, other: Score) -> bool:
        return self.value > self._same(other)

    def __ge__(self, other: Score) -> bool:
        return self.value >= self._same(other)


@dataclass(frozen=True, slots=True)
class Threshold:
    """A floor on scores of one kind, inclusive; ``ceiling`` is the largest score it can meet.

    Raises `UnreachableThreshold` when no score of the kind could pass, or none could fail: with two
    channels and c=60 reciprocal rank fusion reaches 2/61, so a floor of 0.15 on it refuses all.
    """

    kind: ScoreKind
    minimum: float
    ceiling: float | None = None

    def __post_init__(self) -> None:
        low, high = RANGES[self.kind]
        high = high if self.ceiling is None else min(high, self.ceiling)
        if not low < self.minimum <= high:
            raise UnreachableThreshold(
                f"a floor of {self.minimum} on {self.kind!s} lies outside ({low}, {high}]"
            )

    def passes(self, score: Score) -> bool:
        """Whether ``score`` reaches the floor; another kind raises `KindMismatch`."""
        return score >= Score(self.kind, self.minimum)
