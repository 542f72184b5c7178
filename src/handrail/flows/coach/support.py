"""How well a counsellor's sentence justifies a vetted step: cues in words, paraphrases in meaning."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from handrail.content import Step
from handrail.flows.coach.phrases import Phrases

if TYPE_CHECKING:
    from handrail.ports import Embedder, Matrix

CUE_BONUS = 0.25
"""A sentence that names the step's own words counts this much nearer in cosine."""

MIN_SUPPORT = 0.5
"""Cosine, cue bonus included, below which a sentence does not justify a step."""


class SupportIndex:
    """The paraphrases of every step as vectors, computed once."""

    def __init__(self, steps: Sequence[Step], vectors: Matrix) -> None:
        self.steps = tuple(steps)
        self._vectors = vectors
        sizes = [len(step.support) for step in self.steps]
        self._starts = np.concatenate([[0], np.cumsum(sizes)[:-1]]).astype(int)
        self._cues = [Phrases((cue, True) for cue in step.cues) for step in self.steps]

    @classmethod
    def build(cls, steps: Sequence[Step], embedder: Embedder) -> SupportIndex:
        """Embed the paraphrases of ``steps``."""
        return cls(steps, embedder.embed_documents(paraphrases(steps)))

    def scores(self, texts: Sequence[str], vectors: Matrix) -> Matrix:
        """Support of every step by every sentence, shape ``(steps, sentences)``.

        The largest cosine between the sentence and a paraphrase of the step, plus `CUE_BONUS`
        where the sentence holds a cue of the step.
        """
        cosines = np.maximum.reduceat(self._vectors @ vectors.T, self._starts, axis=0)
        cues = np.array([[bool(cue.find(text)) for text in texts] for cue in self._cues])
        return (cosines + CUE_BONUS * cues).astype(np.float32)


def paraphrases(steps: Sequence[Step]) -> list[str]:
    """Every support paraphrase, step by step."""
    return [text for step in steps for text in step.support]


def fits(step: Step, message: str) -> bool:
    """Whether nothing in the message speaks against the step, and what it asks for is there."""
    if step.avoid_when and Phrases((p, True) for p in step.avoid_when).find(message):
        return False
    return not step.only_when or bool(Phrases((p, True) for p in step.only_when).find(message))
