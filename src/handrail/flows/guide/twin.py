"""The deterministic ranker: what was found and how well, and nothing shown twice (H8, H40)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from handrail.domain.entity import Entity
from handrail.domain.ranking import Candidate
from handrail.flows.guide.limits import Limits

KEYWORD_FULL = 6.0  # a keyword weight that counts as full evidence
TRIGGERS_FULL = 2.0


@dataclass(frozen=True, slots=True)
class Evidence:
    """Weights and floors of the twin; chosen on the train half of the banks."""

    semantic: float = 1.0
    keyword: float = 0.35
    pattern: float = 0.25
    fusion: float = 0.1
    floor: float = 0.30  # under which nothing fits
    margin: float = 0.12  # behind the best, within which more than `least` are shown


DEFAULT_EVIDENCE = Evidence()


@dataclass(frozen=True, slots=True)
class Twin:
    """Orders candidates by the evidence for each; of confusable ones it keeps the better found."""

    entities: Mapping[str, Entity]
    limits: Limits
    evidence: Evidence = DEFAULT_EVIDENCE

    def strength(self, candidate: Candidate) -> float:
        """How well a candidate was found, in the scale of a cosine."""
        w = self.evidence
        found = {hit.channel: hit.score.value for hit in candidate.hits}
        return (
            w.semantic * found.get("semantic", 0.0)
            + w.keyword * min(1.0, found.get("keyword", 0.0) / KEYWORD_FULL)
            + w.pattern * min(1.0, found.get("pattern", 0.0) / TRIGGERS_FULL)
            + w.fusion * candidate.score.value
        )

    def order(
        self,
        candidates: Sequence[Candidate],
        *,
        shown: Collection[str] = (),
        most: int | None = None,
    ) -> list[str]:
        """Ids of those to show, best first; ``shown`` were shown of late and are passed over."""
        scored = sorted(
            ((self.strength(one), one.passage.id) for one in candidates),
            key=lambda pair: (-pair[0], pair[1]),
        )
        fresh = [pair for pair in scored if pair[1] not in shown]
        if not fresh or fresh[0][0] < self.evidence.floor:
            return []
        best = fresh[0][0]
        chosen: list[str] = []
        for strength, entity_id in fresh:
            if len(chosen) == (self.limits.most if most is None else most):
                break
            near = strength >= best - self.evidence.margin or len(chosen) < self.limits.least
            if near and strength >= self.evidence.floor and not self._doubles(entity_id, chosen):
                chosen.append(entity_id)
        return chosen

    def _doubles(self, entity_id: str, chosen: Sequence[str]) -> bool:
        """Whether it answers what a better one answers already, in another way."""
        own = set(self.entities[entity_id].confused_with)
        return any(
            other in own or entity_id in self.entities[other].confused_with for other in chosen
        )
