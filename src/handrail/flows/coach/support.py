"""How well a counsellor's sentence justifies a vetted step: by its words, and by its meaning."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from handrail.content import Step
from handrail.flows.coach.phrases import Phrases
from handrail.flows.coach.plainness import stems

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from handrail.ports import Embedder, Matrix, Vector

SENTENCES = 8_192  # whose cues are remembered; about 2 MB of text
CUE_BONUS = 0.2
"""A sentence that names the step's own words counts this much nearer in cosine."""


class SupportIndex:
    """Steps with their paraphrases as vectors, and their phrases as tables; made once."""

    def __init__(self, steps: Sequence[Step], vectors: Matrix) -> None:
        self.steps = tuple(steps)
        self._vectors = vectors
        sizes = [len(step.support) for step in self.steps]
        self._starts = np.concatenate([[0], np.cumsum(sizes)[:-1]]).astype(int)
        # Stored sentences come again with every message that finds their case.
        self._cues_in = lru_cache(SENTENCES)(_table([step.cues for step in self.steps]).all)
        self._avoid = _table([step.avoid_when for step in self.steps])
        self._only = _table([step.only_when for step in self.steps])
        self.stems = [stems(" ".join((step.text, *step.cues))) for step in self.steps]
        self._bound = {at for at, step in enumerate(self.steps) if step.only_when}

    @classmethod
    def build(cls, steps: Sequence[Step], embedder: Embedder) -> SupportIndex:
        """Embed the paraphrases of ``steps``."""
        return cls(steps, embedder.embed_documents(paraphrases(steps)))

    def scores(self, texts: Sequence[str], vectors: Matrix) -> Matrix:
        """Support of every step by every sentence, shape ``(steps, sentences)``.

        The largest cosine between the sentence and a paraphrase of the step, plus `CUE_BONUS`
        where the sentence holds a cue of the step.
        """
        support = self._cosines(vectors)
        for column, text in enumerate(texts):
            support[list(self._cues_in(text)), column] += CUE_BONUS
        return support

    def relevance(self, question: Vector) -> Vector:
        """Largest cosine of each step's paraphrases to the message, shape ``(steps,)``."""
        nearest: Vector = self._cosines(question[np.newaxis, :])[:, 0]
        return nearest

    def fitting(self, message: str) -> NDArray[np.bool_]:
        """Which steps nothing in the message speaks against, shape ``(steps,)``."""
        fits = np.ones(len(self.steps), dtype=np.bool_)
        fits[list(self._bound - self._only.all(message))] = False
        fits[list(self._avoid.all(message))] = False
        return fits

    def _cosines(self, vectors: Matrix) -> Matrix:
        cosines: Matrix = np.maximum.reduceat(self._vectors @ vectors.T, self._starts, axis=0)
        return cosines


def _table(phrases: Sequence[Sequence[str]]) -> Phrases[int]:
    return Phrases((phrase, at) for at, listed in enumerate(phrases) for phrase in listed)


def paraphrases(steps: Sequence[Step]) -> list[str]:
    """Every support paraphrase, step by step."""
    return [text for step in steps for text in step.support]
