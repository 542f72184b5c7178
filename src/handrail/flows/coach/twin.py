"""The decider's deterministic twin: it answers without a model, and when a model fails (C30)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

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
from handrail.flows.coach.plainness import Plainness, stems
from handrail.flows.coach.support import SupportIndex

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from handrail.ports import Matrix, Vector

# Units of cosine. Chosen by reading replies to two hundred concerns, not by a metric.
MIN_SUPPORT = (
    0.5,
    0.42,
)  # support of a reason: the second floor serves where the first leaves none
FAMILY = 0.12  # a step written for the person's feeling
RELEVANCE = 0.4  # times the step's own nearness to the message
NEARNESS = 0.2  # times the reason's nearness to the message
DISTANCE = 0.6  # times how much farther the reason's case is from the message than the nearest
DETAIL = 0.06  # for each detail of somebody else's life in a quote
LAST_RESORT = 0.15  # deducted from steps that would fit anybody
KINSHIP = 0.4  # times the share of cues that the goal has in common with the step
NO_GOAL = -1.0  # a step without a goal beside it is worth less than any pair
MIN_COMFORT = 0.36  # nearness to the message, details deducted, below which nobody is comforted

Choice: TypeAlias = tuple[Step, int]  # a step and the number of the snippet that justifies it


@dataclass(frozen=True, slots=True, kw_only=True)
class Twin:
    """Everything the twin weighs for one message; ``distances`` has one entry a snippet."""

    message: str
    question: Vector
    feelings: Feelings
    snippets: tuple[Snippet, ...]
    vectors: Matrix
    distances: Vector
    coping: SupportIndex
    goals: SupportIndex
    plainness: Plainness

    def decide(self, _shown: DeciderInput) -> DeciderOutput:
        """Validation, reflection where feelings are present, and the best-supported step and goal.

        Ties fall to the earlier step and the earlier snippet. The level is always ``none``: the
        crisis screen has spoken before, and a twin has nothing to add.
        """
        step, goal = self._pair(MIN_SUPPORT[0])
        if step is None or goal is None:
            step, goal = self._pair(MIN_SUPPORT[1])
        used = [choice[1] for choice in (step, goal) if choice]
        validation = SkillChoice(name="validation", quote_refs=self._comfort(used))
        reflection = [SkillChoice(name="reflection")] if self.feelings.present else []
        return DeciderOutput(
            crisis_level="none",
            skills=(validation, *reflection),
            coping_suggestions=self._choice(step),
            goals=self._choice(goal),
        )

    def _pair(self, floor: float) -> tuple[Choice | None, Choice | None]:
        """The step and the goal that together are best supported, each by a sentence of its own."""
        if not self.snippets:
            return None, None
        steps, goals = self._worth(self.coping, floor), self._worth(self.goals, floor)
        best: tuple[float, Choice | None, Choice | None] = (-np.inf, None, None)
        for at in range(len(self.snippets)):
            step = _highest(steps[:, [at]])
            if step is None:
                continue
            chosen = self.coping.steps[step[0]]
            kin = np.array([_kinship(goal, chosen) for goal in self.goals.steps])
            left = goals - KINSHIP * kin[:, np.newaxis]
            left[:, at] = -np.inf
            goal = _highest(left)
            total = steps[step[0], at] + (left[goal] if goal else NO_GOAL)
            if total > best[0]:
                second = (self.goals.steps[goal[0]], goal[1]) if goal else None
                best = (float(total), (chosen, at), second)
        return best[1], best[2]

    def _worth(self, index: SupportIndex, floor: float) -> Matrix:
        """What each sentence is worth as a reason for each step; -inf where support is under
        ``floor``."""
        texts = [snippet.text for snippet in self.snippets]
        support = index.scores(texts, self.vectors)
        near = NEARNESS * (self.vectors @ self.question) - DISTANCE * self.distances
        worth: Matrix = support + near
        families = np.array([self._family(step) for step in index.steps])
        fitness = families + RELEVANCE * index.relevance(self.question)
        worth += fitness[:, np.newaxis] - DETAIL * self._details(index)
        worth[support < floor] = -np.inf
        worth[~index.fitting(self.message)] = -np.inf
        return worth

    def _family(self, step: Step) -> float:
        malus = LAST_RESORT if step.last_resort else 0.0
        if self.feelings.family in step.families:
            return FAMILY - malus
        return (FAMILY / 2 if GENERAL in step.families else 0.0) - malus

    def _details(self, index: SupportIndex) -> Matrix:
        """Details in each snippet that neither the message nor the step names."""
        strange = self._strange()
        rows = [[len(details - named) for details in strange] for named in index.stems]
        return np.array(rows, np.float32)

    def _strange(self) -> list[frozenset[str]]:
        said = stems(self.message)
        return [self.plainness.details(snippet.text) - said for snippet in self.snippets]

    def _comfort(self, used: Sequence[int]) -> tuple[QuoteRef, ...]:
        """The unused sentence nearest to the message, if it is near and speaks to anybody."""
        worth = [
            (snippet.similarity - DETAIL * len(strange) - self.distances[at] / 2, -at)
            for at, (snippet, strange) in enumerate(
                zip(self.snippets, self._strange(), strict=True)
            )
            if at not in used
        ]
        if not worth or max(worth)[0] < MIN_COMFORT:
            return ()
        return (_ref(self.snippets[-max(worth)[1]]),)

    def _choice(self, found: Choice | None) -> tuple[LabelChoice, ...]:
        if found is None:
            return ()
        step, at = found
        return (LabelChoice(label=step.label, quote_refs=(_ref(self.snippets[at]),)),)


def _highest(worth: NDArray[np.floating]) -> tuple[int, int] | None:
    """Row and column of the largest entry, the first where they tie; None when none is finite."""
    row, column = np.unravel_index(int(np.argmax(worth)), worth.shape)
    return (int(row), int(column)) if np.isfinite(worth[row, column]) else None


def _ref(snippet: Snippet) -> QuoteRef:
    return QuoteRef(case_id=snippet.case_id, sent_id=snippet.sent_id)


def _kinship(a: Step, b: Step) -> float:
    """Share of the smaller step's cues that the other has too."""
    first, second = set(a.cues), set(b.cues)
    return len(first & second) / max(1, min(len(first), len(second)))
