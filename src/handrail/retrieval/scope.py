"""Whether a question is one for this corpus at all, before anybody answers it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict

from handrail.content import load
from handrail.domain.outcome import Reason
from handrail.domain.ranking import Ranking
from handrail.domain.scores import Score, ScoreKind, Threshold
from handrail.retrieval.evidence_fusion import unit
from handrail.retrieval.question import Question

if TYPE_CHECKING:
    from handrail.ports import Matrix, Vector

FILE = "coach/scope.en.yaml"
INSIDE, OUTSIDE, OUTSIDE_WEIGHT = 10, 5, 0.5
MINIMUM = 0.18
"""Smallest scope score of a question that belongs here; chosen on labelled requests."""
BRIDGE, BRIDGE_TEMPERATURE = 0.8, 0.05


class Anchor(BaseModel):
    """An example message; ``concern`` says in plain words what an inside one is about."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    kind: Literal["in", "out"]
    text: str
    concern: str | None = None
    review: str


class Anchors(BaseModel):
    """The reviewed examples with their version and reviewer."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    version: int
    language: str
    reviewer: str
    items: tuple[Anchor, ...]

    @property
    def inside(self) -> list[str]:
        """Messages that bring a concern."""
        return [item.text for item in self.items if item.kind == "in"]

    @property
    def concerns(self) -> list[str]:
        """The plain words for each of `inside`, in the same order."""
        return [item.concern or item.text for item in self.items if item.kind == "in"]

    @property
    def outside(self) -> list[str]:
        """Requests that belong elsewhere."""
        return [item.text for item in self.items if item.kind == "out"]


def load_anchors() -> Anchors:
    """The packaged anchors; raises `ContentInvalid`."""
    return load(FILE, Anchors)


LEAST = Threshold(ScoreKind.CONTRAST, MINIMUM)


@dataclass(frozen=True, slots=True)
class Scope:
    """The verdict; ``refusal`` is None for a question that may be answered."""

    refusal: Reason | None
    facts: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScopeTest:
    """What kind of text a question is, by its nearness to reviewed examples.

    ``inside`` and ``outside`` are the vectors of example messages, ``concerns`` those of the plain
    words for each inside one, row by row; ``floor`` is on the cosine of the best case (C53).
    """

    floor: Threshold
    inside: Matrix
    concerns: Matrix
    outside: Matrix
    minimum: Threshold = LEAST

    def score(self, vector: Vector) -> Score:
        """Mean cosine to the ten nearest concerns less half of that to the five nearest others."""
        near = _mean_of_best(self.inside @ vector, INSIDE)
        far = _mean_of_best(self.outside @ vector, OUTSIDE)
        return Score(ScoreKind.CONTRAST, near - OUTSIDE_WEIGHT * far)

    def intent(self, vector: Vector) -> Vector:
        """The vector moved towards the plain concern behind it; as it is for other requests.

        People tell what happens to them, cases are named for what it is; the examples bridge the
        two, weighted by a softmax over their nearness.
        """
        if not self.minimum.passes(self.score(vector)):
            return vector
        near = self.inside @ vector
        weights = np.exp((near - near.max()) / BRIDGE_TEMPERATURE)
        return unit(vector + BRIDGE * unit((weights / weights.sum()) @ self.concerns))

    def judge(self, question: Question, ranking: Ranking) -> Scope:
        """Abstain when nothing was found, nothing is similar, or the question is no concern."""
        score = self.score(question.vector)
        facts = {"scope": round(score.value, 4), "scope_floor": self.minimum.minimum}
        if not ranking.candidates:
            return Scope(Reason.NOTHING_SIMILAR, facts)
        best = max(c.similarity.value for c in ranking.candidates if c.similarity)
        facts |= {"top1_similarity": round(best, 4), "top1_floor": self.floor.minimum}
        if not self.floor.passes(Score(ScoreKind.COSINE, best)):
            return Scope(Reason.NOTHING_SIMILAR, facts)
        return Scope(None if self.minimum.passes(score) else Reason.OUT_OF_SCOPE, facts)


def _mean_of_best(cosines: Vector, count: int) -> float:
    return float(np.sort(cosines)[-count:].mean())
