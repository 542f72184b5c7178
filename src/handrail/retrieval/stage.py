"""Stages after fusion: pure functions from ranking to ranking, every drop with its reason.

A stage that a flow does not configure is not in its pipeline: optional stages are the identity by
absence. A stage may reorder, enrich or drop; `Ranking.keep` makes sure that pins survive each one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

import numpy as np

from handrail.domain.ranking import Candidate, Ranking, Support
from handrail.domain.scores import Score, ScoreKind, Threshold
from handrail.retrieval.question import Question

if TYPE_CHECKING:
    from handrail.ports import Matrix


class Stage(Protocol):
    """One step after fusion."""

    @property
    def name(self) -> str:
        """Stable name, used in drops and traces."""

    def apply(self, ranking: Ranking, question: Question) -> Ranking:
        """The ranking after this step."""


@dataclass(frozen=True, slots=True)
class Top:
    """Keep the first ``n``."""

    n: int
    name: str = "top"

    def apply(self, ranking: Ranking, question: Question) -> Ranking:
        """The first ``n`` candidates and every pin."""
        return ranking.keep(ranking.candidates[: self.n], stage=self.name, reason=f"below {self.n}")


@dataclass(frozen=True, slots=True)
class Floor:
    """Drop candidates whose own score does not reach a threshold of the same kind."""

    threshold: Threshold
    score: Callable[[Candidate], Score]
    name: str = "floor"

    def apply(self, ranking: Ranking, question: Question) -> Ranking:
        """Candidates that pass; comparing another kind of score raises `KindMismatch`."""
        kept = [c for c in ranking.candidates if self.threshold.passes(self.score(c))]
        return ranking.keep(kept, stage=self.name, reason=f"under {self.threshold.minimum}")


@dataclass(frozen=True, slots=True)
class Probe:
    """Look into each candidate for the passages nearest to the question (C17, C18).

    ``look`` gives the candidate with its support; `supported` computes the evidence score.
    """

    look: Callable[[Candidate, Question], Candidate]
    name: str = "probe"

    def apply(self, ranking: Ranking, question: Question) -> Ranking:
        """The same candidates in the same order, each with what was found inside it."""
        looked = tuple(self.look(candidate, question) for candidate in ranking.candidates)
        return replace(ranking, candidates=looked)


def supported(candidate: Candidate, support: Sequence[Support]) -> Candidate:
    """The candidate with its support; the evidence score is the mean over it (C18)."""
    if not support:
        return candidate
    mean = sum(item.score.value for item in support) / len(support)
    evidence = Score(ScoreKind.COSINE, mean)
    return replace(candidate, support=tuple(support), evidence=evidence)


@dataclass(frozen=True, slots=True)
class Settle:
    """Order candidates of equal score by their evidence, then by id (resolution 8)."""

    name: str = "settle"

    def apply(self, ranking: Ranking, question: Question) -> Ranking:
        """The same candidates, best score first."""
        return replace(ranking, candidates=tuple(sorted(ranking.candidates, key=_standing)))


def _standing(candidate: Candidate) -> tuple[float, float, str]:
    evidence = candidate.evidence.value if candidate.evidence else -1.0
    return (-candidate.score.value, -evidence, candidate.passage.id)


@dataclass(frozen=True, slots=True)
class Diversify:
    """Maximal marginal relevance (Carbonell and Goldstein 1998), on normalised relevance (C19).

    Relevance is the fused score, min-max normalised over the candidates, so that fusion scores,
    which span about 0.004 under reciprocal ranks, weigh against cosines, which span about 1
    (resolution 2). Redundancy is the largest cosine to what was already chosen.
    """

    vectors: Callable[[Sequence[Candidate]], Matrix]
    k: int = 3
    weight: float = 0.7
    name: str = "mmr"

    def apply(self, ranking: Ranking, question: Question) -> Ranking:
        """The ``k`` candidates in the order of choice; ties fall to the better relevance."""
        candidates = ranking.candidates
        if not candidates:
            return ranking
        relevance = _normalised(np.array([c.score.value for c in candidates]))
        vectors = self.vectors(candidates)
        cosines = vectors @ vectors.T
        chosen: list[int] = []
        while len(chosen) < min(self.k, len(candidates)):
            redundancy = cosines[:, chosen].max(axis=1) if chosen else np.zeros(len(candidates))
            worth = self.weight * relevance - (1 - self.weight) * redundancy
            worth[chosen] = -np.inf
            chosen.append(int(np.argmax(worth)))
        kept = [candidates[at] for at in chosen]
        return ranking.keep(kept, stage=self.name, reason="less relevant or redundant")


def _normalised(values: np.ndarray) -> np.ndarray:
    spread = float(values.max() - values.min())
    return np.ones_like(values) if spread == 0 else (values - values.min()) / spread


@dataclass(frozen=True, slots=True)
class Distinct:
    """One candidate a group: near-duplicates of a better candidate go (C55)."""

    group: Callable[[Candidate], str]
    name: str = "distinct"

    def apply(self, ranking: Ranking, question: Question) -> Ranking:
        """The first candidate of every group."""
        first: Mapping[str, Candidate] = {self.group(c): c for c in reversed(ranking.candidates)}
        kept = [c for c in ranking.candidates if first[self.group(c)] is c]
        return ranking.keep(kept, stage=self.name, reason="same as a better one")
