"""The fusion that measured best: meaning decides, words are heard where they carry weight."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from handrail.domain.ranking import Candidate, ChannelHit, Ranking
from handrail.domain.scores import Score, ScoreKind
from handrail.domain.text import Passage
from handrail.retrieval.channel import ChannelRanking
from handrail.retrieval.fusion import Passages, gather, order
from handrail.retrieval.late import TokenBlocks, meet
from handrail.retrieval.question import Question

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from handrail.ports import Matrix, Vector


@dataclass(frozen=True, slots=True)
class Weights:
    """Constants chosen on labelled sets, all in flat optima (docs/decisions)."""

    cosine: float = 0.2
    forward: float = 0.4
    backward: float = 0.4
    evidence: float = 0.1
    feedback: float = 0.5
    temperature: float = 0.03
    coverage: float = 0.5
    coverage_floor: float = 0.2


@dataclass(frozen=True, slots=True)
class EvidenceFusion:
    """One score from cosine, late interaction, the answers' sentences, and lexical coverage.

    - The question is moved towards its best cases before its cosine counts: Rocchio feedback over
      the pool, weighted by a softmax (Rocchio 1971).
    - ``evidence`` is the mean of the nearest sentences of a context's answers (C18).
    - ``coverage`` is BM25 over the question's total information: the share of it that a context
      holds. Below ``coverage_floor`` a lexical match is noise and adds nothing, so that a poor
      lexical channel leaves the ranking as the dense one has it. This is the trust in a channel,
      question by question; every part travels with the candidate into the trace.
    """

    passages: Passages
    rows: Callable[[str], int]
    vectors: Callable[[Sequence[int]], Matrix]
    tokens: TokenBlocks | None
    coverage: Callable[[str, Sequence[int]], Vector]
    evidence: Callable[[Sequence[str], Question], Vector]
    weights: Weights = Weights()
    name: str = "evidence.v1"

    def fuse(self, rankings: Sequence[ChannelRanking], question: Question) -> Ranking:
        """Every passage that a channel found, by fused score; ties fall to the smaller id."""
        hits = gather(rankings)
        if not hits:
            return Ranking()
        ids = sorted(hits)
        rows = [self.rows(passage_id) for passage_id in ids]
        vectors = self.vectors(rows)
        parts = {
            "cosine": vectors @ question.vector,
            "evidence": self.evidence(ids, question),
            "coverage": self.coverage(question.text, rows),
            **self._late(question, rows),
        }
        fused = self._fused(question, vectors, parts)
        return order(
            _candidate(self.passages(passage_id), hits[passage_id], fused[at], _slice(parts, at))
            for at, passage_id in enumerate(ids)
        )

    def _late(self, question: Question, rows: Sequence[int]) -> dict[str, NDArray[np.float32]]:
        if self.tokens is None or question.reading is None:
            return {}
        met = meet(question.reading, self.tokens, rows)
        return {"forward": met.forward, "backward": met.backward}

    def _fused(
        self, question: Question, vectors: Matrix, parts: Mapping[str, NDArray[np.float32]]
    ) -> Vector:
        w = self.weights
        share = w.cosine if "forward" in parts else 1.0
        fixed = w.evidence * parts["evidence"]
        fixed += w.coverage * np.maximum(0, parts["coverage"] - w.coverage_floor)
        if "forward" in parts:
            fixed += w.forward * parts["forward"] + w.backward * parts["backward"]
        moved = _towards(question.intent, vectors, share * (vectors @ question.intent) + fixed, w)
        fused: Vector = share * (vectors @ moved) + fixed
        return fused


def _towards(question: Vector, vectors: Matrix, scores: Vector, w: Weights) -> Vector:
    """The question moved to the softmax-weighted mean of the pool, at unit length."""
    weights = np.exp((scores - scores.max()) / w.temperature)
    return unit(question + w.feedback * unit((weights / weights.sum()) @ vectors))


def unit(vector: NDArray[np.floating]) -> Vector:
    """The vector at length 1; a zero vector stays zero."""
    scaled: Vector = (vector / max(float(np.linalg.norm(vector)), 1e-9)).astype(np.float32)
    return scaled


def _candidate(
    passage: Passage, hits: tuple[ChannelHit, ...], fused: float, parts: dict[str, float]
) -> Candidate:
    return Candidate(
        passage=passage,
        score=Score(ScoreKind.FUSION, float(fused)),
        hits=hits,
        similarity=Score(ScoreKind.COSINE, parts["cosine"]),
        parts=parts,
    )


def _slice(parts: Mapping[str, NDArray[np.float32]], at: int) -> dict[str, float]:
    return {name: round(float(values[at]), 6) for name, values in parts.items()}
