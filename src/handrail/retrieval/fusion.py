"""Fusion: several rankings become one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from handrail.domain.ranking import Candidate, ChannelHit, Ranking
from handrail.domain.scores import Score, ScoreKind
from handrail.domain.text import Passage
from handrail.retrieval.channel import ChannelRanking
from handrail.retrieval.question import Question

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
