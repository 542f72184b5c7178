"""Found things: where each was found, how high, and why others were dropped."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from handrail.domain.scores import Score
from handrail.domain.text import Passage


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelHit:
    """Rank (1-based) and raw score of one passage in one channel."""

    channel: str
    rank: int
    score: Score


@dataclass(frozen=True, slots=True, kw_only=True)
class Support:
    """A quotable passage found inside a candidate, and how near it is to the question."""

    passage: Passage
    score: Score


@dataclass(frozen=True, slots=True)
class Pin:
    """Why a candidate may not be ranked, capped, budgeted or failed away."""

    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A found passage with the hits that found it.

    ``score`` orders; ``similarity`` is the cosine shown to people; ``parts`` explain the fusion.
    """

    passage: Passage
    score: Score
    hits: tuple[ChannelHit, ...] = ()
    similarity: Score | None = None
    support: tuple[Support, ...] = ()
    evidence: Score | None = None
    parts: Mapping[str, float] = field(default_factory=dict)
    pin: Pin | None = None

    @property
    def nearness(self) -> float:
        """Cosine to the question; 0 where none was computed."""
        return self.similarity.value if self.similarity else 0.0

    def hit(self, channel: str) -> ChannelHit | None:
        """The hit of ``channel``, or None where that channel missed the passage."""
        return next((hit for hit in self.hits if hit.channel == channel), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Drop:
    """A candidate that left the ranking, with the stage and the reason."""

    passage_id: str
    stage: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """Candidates, best first, and everything that was dropped on the way."""

    candidates: tuple[Candidate, ...] = ()
    dropped: tuple[Drop, ...] = ()

    def keep(self, kept: Iterable[Candidate], *, stage: str, reason: str) -> Ranking:
        """The ranking with ``kept`` in that order; the rest is dropped, pins never are."""
        chosen = list(kept)
        ids = {candidate.passage.id for candidate in chosen}
        left = [c for c in self.candidates if c.passage.id not in ids]
        chosen += [c for c in left if c.pin]
        drops = tuple(
            Drop(passage_id=c.passage.id, stage=stage, reason=reason) for c in left if not c.pin
        )
        return replace(self, candidates=tuple(chosen), dropped=self.dropped + drops)
