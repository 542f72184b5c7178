"""The deterministic ranker: what was found, and how well (H8)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from handrail.domain.entity import Entity
from handrail.domain.ranking import Candidate
from handrail.flows.guide.limits import Limits

LIKE, LATE = "likeness", "late"
"""Parts of a candidate: how like it is in meaning, and how well words meet words, [-1, 1]."""
KEYWORD_FULL = 6.0  # a keyword weight that counts as full evidence
TRIGGERS_FULL = 2.0


@dataclass(frozen=True, slots=True)
class Evidence:
    """Weights and floors of the twin; chosen on the train half of the banks, in flat optima."""

    semantic: float = 0.1
    late: float = 0.9
    keyword: float = 0.06
    pattern: float = 0.04
    floor: float = 0.455  # of the best fit, under which nothing belongs here
    beside: float = 0.35  # of the fit of each that is shown
    plain: float = 0.5  # a likeness is divided by it where there are no token vectors
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

        Without token vectors its likeness has the weight of both.
        """
        w = self.evidence
        likeness = candidate.parts.get(LIKE, 0.0)
        triggers = min(1.0, _value(candidate, "pattern") / TRIGGERS_FULL)
        return (
            w.semantic * likeness
            + w.late * candidate.parts.get(LATE, likeness)
            + w.keyword * _named(candidate)
            + w.pattern * triggers
        )

    def fit(self, candidate: Candidate) -> float:
        """Whether a message belongs here at all: meaning and words in equal shares.

        Words alone order well and judge badly: a short question meets something in any text.
        """
        likeness = candidate.parts.get(LIKE, 0.0)
        late = candidate.parts.get(LATE)
        whole = likeness / self.evidence.plain if late is None else (likeness + late) / 2
        return whole + self.evidence.keyword * _named(candidate)

    def order(self, candidates: Sequence[Candidate], *, most: int | None = None) -> list[str]:
        """Ids of those to show, best first."""
        scored = {one.passage.id: self.strength(one) for one in candidates}
        names = sorted(scored, key=lambda name: (-scored[name], name))
        fits = {one.passage.id: self.fit(one) for one in candidates}
        if not fits or max(fits.values()) < self.evidence.floor:
            return []
        enough = self.evidence.near * scored[names[0]]
        chosen: list[str] = []
        for name in names:
            if len(chosen) == (self.limits.most if most is None else most):
                break
            near = scored[name] >= enough or len(chosen) < self.limits.least
            belongs = near and fits[name] >= self.evidence.beside
            if belongs and not self._doubles(name, chosen, scored):
                chosen.append(name)
        return chosen

    def _doubles(self, name: str, chosen: Sequence[str], scored: Mapping[str, float]) -> bool:
        """Whether it answers otherwise what a clearly better one answers already."""
        own = set(self.entities[name].confused_with)
        return any(
            (other in own or name in self.entities[other].confused_with)
            and scored[other] - scored[name] > self.evidence.apart
            for other in chosen
        )


def _named(candidate: Candidate) -> float:
    """How much of a message's naming it is full evidence, [0, 1]."""
    return min(1.0, _value(candidate, "keyword") / KEYWORD_FULL)


def _value(candidate: Candidate, channel: str) -> float:
    hit = candidate.hit(channel)
    return hit.score.value if hit else 0.0
