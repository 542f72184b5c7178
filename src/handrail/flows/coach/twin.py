"""The decider's deterministic twin: it answers without a model, and when a model fails (C30)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from handrail.content import Step
from handrail.domain.reply import Snippet
from handrail.flows.coach.decider import (
    DeciderInput,
    DeciderOutput,
    LabelChoice,
    QuoteRef,
    SkillChoice,
)
from handrail.flows.coach.feelings import GENERAL, Feelings
from handrail.flows.coach.support import MIN_SUPPORT, SupportIndex, fits

if TYPE_CHECKING:
    from handrail.ports import Matrix

FAMILY_BONUS = 0.12  # a step written for the person's feeling, in units of cosine
NEARNESS = 0.15  # weight of the reason's own nearness to the message
KINSHIP_MALUS = 0.3  # a goal that repeats the step's activity, by share of common cues
MIN_COMFORT = 0.3  # cosine to the message below which a sentence comforts nobody


@dataclass(frozen=True, slots=True)
class Twin:
    """Everything the twin weighs for one message."""

    message: str
    feelings: Feelings
    snippets: tuple[Snippet, ...]
    coping: SupportIndex
    coping_scores: Matrix
    goals: SupportIndex
    goal_scores: Matrix

    def decide(self, _shown: DeciderInput) -> DeciderOutput:
        """Validation, reflection where feelings are present, and the best-supported step and goal.

        Ties fall to the earlier step and the earlier snippet. The level is always ``none``: the
        crisis screen has spoken before, and a twin has nothing to add.
        """
        step = self._best(self.coping, self.coping_scores, used=(), near=None)
        taken = (step[1],) if step else ()
        goal = self._best(self.goals, self.goal_scores, used=taken, near=step and step[0])
        taken += (goal[1],) if goal else ()
        comfort = self._comfort(taken)
        names: list[str] = ["validation", *(["reflection"] if self.feelings.present else [])]
        skills = [
            SkillChoice.model_validate({"name": name, "quote_refs": comfort if not at else ()})
            for at, name in enumerate(names)
        ]
        return DeciderOutput(
            crisis_level="none",
            skills=tuple(skills),
            coping_suggestions=self._choice(step),
            goals=self._choice(goal),
        )

    def _best(
        self, index: SupportIndex, scores: Matrix, *, used: Sequence[int], near: Step | None
    ) -> tuple[Step, int] | None:
        if not self.snippets:
            return None
        best: tuple[float, Step, int] | None = None
        nearness = np.array([snippet.similarity for snippet in self.snippets])
        for at, step in enumerate(index.steps):
            row = scores[at].copy()
            row[list(used)] = -1.0
            row[row < MIN_SUPPORT] = -1.0
            if row.max() < 0 or not fits(step, self.message):
                continue
            weights = np.where(row < 0, -1.0, row + NEARNESS * nearness)
            snippet = int(np.argmax(weights))
            worth = float(weights[snippet]) + self._fitness(step, near)
            if best is None or worth > best[0]:
                best = (worth, step, snippet)
        return (best[1], best[2]) if best else None

    def _fitness(self, step: Step, near: Step | None) -> float:
        family = self.feelings.family in step.families
        general = GENERAL in step.families
        fit = FAMILY_BONUS if family else FAMILY_BONUS / 2 if general else 0.0
        return fit - KINSHIP_MALUS * (_kinship(step, near) if near else 0.0)

    def _comfort(self, taken: Sequence[int]) -> tuple[QuoteRef, ...]:
        left = [(s.similarity, -at) for at, s in enumerate(self.snippets) if at not in taken]
        if not left or max(left)[0] < MIN_COMFORT:
            return ()
        return (_ref(self.snippets[-max(left)[1]]),)

    def _choice(self, found: tuple[Step, int] | None) -> tuple[LabelChoice, ...]:
        if found is None:
            return ()
        step, at = found
        return (LabelChoice(label=step.label, quote_refs=(_ref(self.snippets[at]),)),)


def _ref(snippet: Snippet) -> QuoteRef:
    return QuoteRef(case_id=snippet.case_id, sent_id=snippet.sent_id)


def _kinship(a: Step, b: Step) -> float:
    """Share of the smaller step's cues that the other has too."""
    first, second = set(a.cues), set(b.cues)
    return len(first & second) / max(1, min(len(first), len(second)))
