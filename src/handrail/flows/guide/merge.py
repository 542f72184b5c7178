"""One ranking out of four: what each merge makes of ranks, pins, slots and the cap (H17-H19, H33).

A score here is a fusion score in [0, 1], never a similarity (contract 4.3, resolution 10).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from handrail.domain.entity import Entity
from handrail.domain.ranking import Candidate, ChannelHit, Drop, Pin, Ranking
from handrail.domain.scores import Score, ScoreKind
from handrail.domain.text import Passage, Span
from handrail.flows.guide.limits import RRF_C, Limits
from handrail.retrieval.channel import ChannelRanking
from handrail.retrieval.fusion import gather, order

STAGE = "cap"


class Merge(Protocol):
    """What the hits of one entity are worth together."""

    @property
    def name(self) -> str:
        """Versioned name, used in traces and receipts."""

    def score(self, hits: Sequence[ChannelHit], weights: Mapping[str, float]) -> float:
        """In [0, 1]."""


@dataclass(frozen=True, slots=True)
class WeightedReciprocalRank:
    """Sum of weight times (c + 1) / (c + rank), as a share of all weights (Cormack et al. 2009).

    A first rank in every channel is 1; the rank inside a channel is kept.
    """

    c: int = RRF_C
    name: str = "guide.rrf.v1"

    def score(self, hits: Sequence[ChannelHit], weights: Mapping[str, float]) -> float:
        """See the class."""
        got = sum(weights[hit.channel] * (self.c + 1) / (self.c + hit.rank) for hit in hits)
        return got / sum(weights.values())


@dataclass(frozen=True, slots=True)
class SeedMerge:
    """Sum of the weights of the channels that found it, as the first design had it (H18).

    Ranks inside a channel do not count; kept for comparison.
    """

    name: str = "guide.seed.v1"

    def score(self, hits: Sequence[ChannelHit], weights: Mapping[str, float]) -> float:
        """See the class."""
        return sum(weights[hit.channel] for hit in hits) / sum(weights.values())


MERGES: Mapping[str, Merge] = {"rrf": WeightedReciprocalRank(), "seed": SeedMerge()}


def merged(
    rankings: Sequence[ChannelRanking],
    *,
    entities: Mapping[str, Entity],
    pins: Mapping[str, Pin],
    limits: Limits,
) -> Ranking:
    """At most ``limits.candidates`` entities, each once, and every pin whatever the cap.

    Of each channel its best have a slot; the rest of the slots go by score, ties to the smaller id.
    """
    merge = MERGES[limits.merge]
    hits = gather(rankings)
    ranking = order(
        _candidate(entities[entity_id], hits.get(entity_id, ()), pins, merge, limits)
        for entity_id in {**hits, **dict.fromkeys(pins)}
    )
    kept = _kept(ranking, rankings, limits)
    drops = tuple(
        Drop(passage_id=one.passage.id, stage=STAGE, reason=f"below {limits.candidates}")
        for one in ranking.candidates
        if one.passage.id not in kept
    )
    return Ranking(
        candidates=tuple(one for one in ranking.candidates if one.passage.id in kept),
        dropped=drops,
    )


def _kept(ranking: Ranking, rankings: Sequence[ChannelRanking], limits: Limits) -> set[str]:
    """Ids within the cap: pins, then the reserved slots, then the best scores."""
    pinned = [one.passage.id for one in ranking.candidates if one.pin]
    reserved = [
        hit.passage_id
        for depth in range(max(limits.reserved.values(), default=0))
        for found in rankings
        if depth < limits.reserved.get(found.channel, 0)
        for hit in found.hits[depth : depth + 1]
    ]
    by_score = [one.passage.id for one in ranking.candidates]
    wanted = dict.fromkeys([*pinned, *reserved, *by_score])
    return set(pinned) | set(list(wanted)[: max(limits.candidates, 0)])


def _candidate(
    entity: Entity,
    hits: tuple[ChannelHit, ...],
    pins: Mapping[str, Pin],
    merge: Merge,
    limits: Limits,
) -> Candidate:
    value = merge.score(hits, limits.weights)
    return Candidate(
        passage=_passage(entity),
        score=Score(ScoreKind.FUSION, value),
        hits=hits,
        pin=pins.get(entity.entity_id),
    )


def _passage(entity: Entity) -> Passage:
    """The entity as a found thing: its id, its kind and its title."""
    return Passage(
        id=entity.entity_id,
        document_id=entity.entity_id,
        text=entity.title,
        span=Span(0, len(entity.title)),
        metadata={"entity_type": entity.entity_type.value, "version": str(entity.version)},
    )
