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
from handrail.retrieval.question import Question

if TYPE_CHECKING:
    from handrail.ports import Matrix, Vector

FILE = "coach/scope.en.yaml"
NEAREST = 5
CONTRAST_FLOOR = 0.0
"""Smallest contrast of a question that belongs here; chosen on labelled requests."""


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
    def outside(self) -> list[str]:
        """Requests that belong elsewhere."""
        return [item.text for item in self.items if item.kind == "out"]


def load_anchors() -> Anchors:
    """The packaged anchors; raises `ContentInvalid`."""
    return load(FILE, Anchors)


@dataclass(frozen=True, slots=True)
class Scope:
    """The verdict; ``refusal`` is None for a question that may be answered."""

    refusal: Reason | None
    facts: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScopeTest:
    """Two thresholds on cosines: one on the best case, one on what kind of text the question is.

    ``inside`` and ``outside`` are the vectors of reviewed example messages, concerns and other
    requests. The contrast is the mean cosine to the five nearest concerns minus that to the five
    nearest other requests.
    """

    floor: Threshold
    inside: Matrix
    outside: Matrix
    contrast: float = CONTRAST_FLOOR

    def judge(self, question: Question, ranking: Ranking) -> Scope:
        """Abstain when nothing was found, nothing is similar, or the question is no concern."""
        contrast = _nearest(self.inside, question.vector) - _nearest(self.outside, question.vector)
        facts = {"contrast": round(contrast, 4), "contrast_floor": self.contrast}
        if not ranking.candidates:
            return Scope(Reason.NOTHING_SIMILAR, facts)
        best = max(c.similarity.value for c in ranking.candidates if c.similarity)
        facts |= {"top1_similarity": round(best, 4), "top1_floor": self.floor.minimum}
        if not self.floor.passes(Score(ScoreKind.COSINE, best)):
            return Scope(Reason.NOTHING_SIMILAR, facts)
        if contrast < self.contrast:
            return Scope(Reason.OUT_OF_SCOPE, facts)
        return Scope(None, facts)


def _nearest(examples: Matrix, vector: Vector) -> float:
    cosines = examples @ vector
    return float(np.sort(cosines)[-NEAREST:].mean())
