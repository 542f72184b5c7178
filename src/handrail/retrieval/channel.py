"""Channels: independent ways to find passages, each with its own kind of score."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from handrail.domain.ranking import ChannelHit
from handrail.domain.scores import Score, ScoreKind
from handrail.retrieval.question import Question


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage id and its raw score in one channel."""

    passage_id: str
    value: float


@dataclass(frozen=True, slots=True)
class ChannelRanking:
    """What one channel found, best first; ties stand in order of passage id."""

    channel: str
    kind: ScoreKind
    hits: tuple[Hit, ...]

    def by_passage(self) -> Mapping[str, ChannelHit]:
        """Rank (from 1) and typed score of each passage."""
        return {
            hit.passage_id: ChannelHit(
                channel=self.channel, rank=rank, score=Score(self.kind, hit.value)
            )
            for rank, hit in enumerate(self.hits, start=1)
        }


class Channel(Protocol):
    """One way to find passages."""

    @property
    def name(self) -> str:
        """Stable name, used in traces and evaluations."""

    def search(self, question: Question, *, k: int) -> ChannelRanking:
        """At most ``k`` passages."""


def ranked(channel: str, kind: ScoreKind, found: Iterable[Hit]) -> ChannelRanking:
    """A ranking with ties broken by passage id."""
    hits: Sequence[Hit] = sorted(found, key=lambda hit: (-hit.value, hit.passage_id))
    return ChannelRanking(channel, kind, tuple(hits))
