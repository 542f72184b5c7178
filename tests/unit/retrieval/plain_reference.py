"""Late interaction and evidence fusion as the papers write them: plain loops, no arrays."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from handrail.ports import Reading
from handrail.retrieval.evidence_fusion import Weights

Row = list[float]


@dataclass(frozen=True)
class Blocks:
    """Token blocks by row."""

    idf: np.ndarray
    blocks: Sequence[tuple[np.ndarray, np.ndarray]]

    def block(self, row: int) -> tuple[np.ndarray, np.ndarray]:
        return self.blocks[row]


def dot(one: Sequence[float], other: Sequence[float]) -> float:
    return sum(float(a) * float(b) for a, b in zip(one, other, strict=True))


def max_sim(
    pieces: Sequence[int],
    tokens: Sequence[Row],
    others: Sequence[Row],
    idf: Sequence[float],
) -> float:
    """The mean, weighted by inverse document frequency, of each piece's best cosine."""
    weights = [float(idf[piece]) for piece in pieces]
    best = [max(dot(token, other) for other in others) for token in tokens]
    return sum(w * b for w, b in zip(weights, best, strict=True)) / max(sum(weights), 1e-6)


def meeting(reading: Reading, store: Blocks, row: int) -> tuple[float, float]:
    """Forward and backward late interaction with one text."""
    pieces, tokens = store.block(row)
    asked = (reading.tokens / 127).tolist()
    held = (tokens / 127).tolist()
    forward = max_sim(reading.pieces.tolist(), asked, held, store.idf.tolist())
    backward = max_sim(pieces.tolist(), held, asked, store.idf.tolist())
    return forward, backward


def unit(vector: Sequence[float]) -> Row:
    length = max(math.sqrt(dot(vector, vector)), 1e-9)
    return [value / length for value in vector]


def fused_scores(
    vectors: Sequence[Row],
    intent: Row,
    fixed: Sequence[float],
    share: float,
    weights: Weights,
) -> list[float]:
    """One step of feedback: the question moves to its best cases, then cosines are taken anew."""
    first = [
        share * dot(vector, intent) + rest for vector, rest in zip(vectors, fixed, strict=True)
    ]
    soft = [math.exp((score - max(first)) / weights.temperature) for score in first]
    centre = [
        sum(s / sum(soft) * vector[axis] for s, vector in zip(soft, vectors, strict=True))
        for axis in range(len(intent))
    ]
    moved = unit([a + weights.feedback * b for a, b in zip(intent, unit(centre), strict=True)])
    return [share * dot(vector, moved) + rest for vector, rest in zip(vectors, fixed, strict=True)]
