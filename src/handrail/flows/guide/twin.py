"""The deterministic ranker: what was found and how well, and nothing shown twice (H8, H40)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from handrail.domain.entity import Entity
from handrail.domain.ranking import Candidate
from handrail.flows.guide.limits import Limits

LATE = "late"
"""The part of a candidate's score that tells how well words meet words, [-1, 1]."""
KEYWORD_FULL = 6.0  # a keyword weight that counts as full evidence
TRIGGERS_FULL = 2.0


@dataclass(frozen=True, slots=True)
class Evidence:
    """Weights and floors of the twin; chosen on the train half of the banks, in flat optima."""

    semantic: float = 0.1
    late: float = 0.9
    keyword: float = 0.06
    pattern: float = 0.04
    floor: float = 0.48  # under which nothing fits
    plain_floor: float = 0.2  # the same without token vectors
    near: float = 0.96  # of the best, from which more than `least` are shown
    apart: float = 0.05  # behind one that it is confused with, from which an entity is left out


DEFAULT_EVIDENCE = Evidence()


@dataclass(frozen=True, slots=True)
class Twin:
    """Orders candidates by the evidence for each; of confusable ones it keeps the better found."""

    entities: Mapping[str, Entity]
    limits: Limits
    evidence: Evidence = DEFAULT_EVIDENCE

    def strength(self, candidate: Candidate) -> float:
        """How well a candidate was found, in the scale of a cosine.

        Without token vectors the semantic score has the weight of both.
        """
        w = self.evidence
        found = {hit.channel: hit.score.value for hit in candidate.hits}
        semantic = found.get("semantic", 0.0)
        return (
            w.semantic * semantic
            + w.late * candidate.parts.get(LATE, semantic)
            + w.keyword * min(1.0, found.get("keyword", 0.0) / KEYWORD_FULL)
            + w.pattern * min(1.0, found.get("pattern", 0.0) / TRIGGERS_FULL)
        )

    def order(
        self,
        candidates: Sequence[Candidate],
        *,
        shown: Collection[str] = (),
        most: int | None = None,
    ) -> list[str]:
        """Ids of those to show, best first; ``shown`` were shown of late and are passed over."""
        scored = {one.passage.id: self.strength(one) for one in candidates}
        fresh = [name for name in scored if name not in shown]
        fresh.sort(key=lambda name: (-scored[name], name))
        floor = self._floor(candidates)
        if not fresh or scored[fresh[0]] < floor:
            return []
        enough = self.evidence.near * scored[fresh[0]]
        chosen: list[str] = []
        for name in fresh:
            if len(chosen) == (self.limits.most if most is None else most):
                break
            near = scored[name] >= enough or len(chosen) < self.limits.least
            fits = near and scored[name] >= floor
            if fits and not self._doubles(name, chosen, scored):
                chosen.append(name)
        return chosen

    def _floor(self, candidates: Sequence[Candidate]) -> float:
        words = any(LATE in one.parts for one in candidates)
        return self.evidence.floor if words else self.evidence.plain_floor

    def _doubles(self, name: str, chosen: Sequence[str], scored: Mapping[str, float]) -> bool:
        """Whether it answers otherwise what a clearly better one answers already."""
        own = set(self.entities[name].confused_with)
        return any(
            (other in own or name in self.entities[other].confused_with)
            and scored[other] - scored[name] > self.evidence.apart
            for other in chosen
        )
