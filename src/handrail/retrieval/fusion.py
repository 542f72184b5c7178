"""Fusion: several rankings become one; which one measures best is written in the decisions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from handrail.domain.ranking import Candidate, ChannelHit, Ranking
from handrail.domain.scores import Score, ScoreKind
from handrail.domain.text import Passage
from handrail.retrieval.channel import ChannelRanking
from handrail.retrieval.late import TokenBlocks, meet
from handrail.retrieval.question import Question

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from handrail.ports import Matrix, Vector

RRF_C = 60  # C15; Cormack, Clarke and Büttcher 2009, "Reciprocal Rank Fusion outperforms Condorcet"

Passages = Callable[[str], Passage]


class Fusion(Protocol):
    """Merges what the channels found."""

    @property
    def name(self) -> str:
        """Versioned name, used in traces and settings."""

    def fuse(self, rankings: Sequence[ChannelRanking], question: Question) -> Ranking:
        """Every passage that any channel found, best first; ties fall to the smaller id."""


@dataclass(frozen=True, slots=True)
class ReciprocalRank:
    """Plain reciprocal rank fusion; a channel that missed a passage adds nothing."""

    passages: Passages
    c: int = RRF_C
    name: str = "rrf.v1"

    def fuse(self, rankings: Sequence[ChannelRanking], question: Question) -> Ranking:
        """Score = sum over channels of 1 / (c + rank)."""
        hits = gather(rankings)
        return order(
            Candidate(
                passage=self.passages(passage_id),
                score=Score(ScoreKind.RRF, sum(1 / (self.c + hit.rank) for hit in found)),
                hits=found,
            )
            for passage_id, found in hits.items()
        )


def gather(rankings: Sequence[ChannelRanking]) -> dict[str, tuple[ChannelHit, ...]]:
    """The hits of every passage, in the order of the channels."""
    hits: dict[str, tuple[ChannelHit, ...]] = {}
    for ranking in rankings:
        for passage_id, hit in ranking.by_passage().items():
            hits[passage_id] = (*hits.get(passage_id, ()), hit)
    return hits


def order(candidates: Iterable[Candidate]) -> Ranking:
    """Best score first; ties fall to the smaller passage id."""
    ranked = sorted(candidates, key=lambda c: (-c.score.value, c.passage.id))
    return Ranking(candidates=tuple(ranked))


@dataclass(frozen=True, slots=True)
class Weights:
    """Constants of `Evidence` fusion, chosen on labelled sets (docs/decisions); flat optima."""

    cosine: float = 0.2
    forward: float = 0.4
    backward: float = 0.4
    feedback: float = 0.5
    temperature: float = 0.05
    coverage: float = 0.5
    coverage_floor: float = 0.2


@dataclass(frozen=True, slots=True)
class EvidenceFusion:
    """Dense meaning decides, words are heard where they carry weight.

    ``dense`` mixes the cosine of the pooled vectors with late interaction in both directions; the
    question is first moved towards its best cases (Rocchio feedback over the pool). ``coverage``
    is BM25 over the question's total information: the share of it that a case holds. Below
    ``Weights.coverage_floor`` a lexical match is noise and adds nothing, so that a fusion with a
    poor lexical channel stays what the dense channel says.
    """

    passages: Passages
    rows: Callable[[str], int]
    vectors: Callable[[Sequence[int]], Matrix]
    tokens: TokenBlocks | None
    coverage: Callable[[str, Sequence[int]], NDArray[np.float32]]
    weights: Weights = Weights()
    name: str = "evidence.v1"

    def fuse(self, rankings: Sequence[ChannelRanking], question: Question) -> Ranking:
        """Score = dense + coverage gain; its parts travel with each candidate."""
        hits = gather(rankings)
        if not hits:
            return Ranking()
        ids = sorted(hits)
        rows = [self.rows(passage_id) for passage_id in ids]
        vectors = self.vectors(rows)
        parts = {
            "cosine": vectors @ question.vector,
            **self._dense(question, rows, vectors),
            "coverage": self.coverage(question.text, rows),
        }
        gain = np.maximum(0, parts["coverage"] - self.weights.coverage_floor)
        fused = parts["dense"] + self.weights.coverage * gain
        return order(
            self._candidate(passage_id, hits[passage_id], float(fused[at]), _slice(parts, at))
            for at, passage_id in enumerate(ids)
        )

    def _candidate(
        self, passage_id: str, hits: tuple[ChannelHit, ...], fused: float, parts: dict[str, float]
    ) -> Candidate:
        return Candidate(
            passage=self.passages(passage_id),
            score=Score(ScoreKind.FUSION, fused),
            hits=hits,
            similarity=Score(ScoreKind.COSINE, parts["cosine"]),
            parts=parts,
        )

    def _dense(
        self, question: Question, rows: Sequence[int], vectors: Matrix
    ) -> dict[str, NDArray[np.float32]]:
        w = self.weights
        late: dict[str, NDArray[np.float32]] = {}
        words: NDArray[np.float32] | float = 0.0
        share = 1.0
        if self.tokens is not None and question.reading is not None:
            met = meet(question.reading, self.tokens, rows)
            late = {"forward": met.forward, "backward": met.backward}
            words = w.forward * met.forward + w.backward * met.backward
            share = w.cosine
        first = share * (vectors @ question.vector) + words
        moved = _towards(question.vector, vectors, first, w)
        return {**late, "dense": share * (vectors @ moved) + words}


def _towards(question: Vector, vectors: Matrix, scores: Vector, w: Weights) -> Vector:
    """The question moved to the softmax-weighted mean of the pool, at unit length."""
    weights = np.exp((scores - scores.max()) / w.temperature)
    centre = (weights / weights.sum()) @ vectors
    moved = question + w.feedback * centre / max(float(np.linalg.norm(centre)), 1e-9)
    unit: Vector = (moved / max(float(np.linalg.norm(moved)), 1e-9)).astype(np.float32)
    return unit


def _slice(parts: Mapping[str, NDArray[np.float32]], at: int) -> dict[str, float]:
    return {name: round(float(values[at]), 6) for name, values in parts.items()}
