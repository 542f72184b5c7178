"""How far a sentence speaks to anybody, and how far of one person's kitchen and cat.

A word is common when counsellors use it in answers to many people; every other word that the
present message does not share is a detail of somebody else's life.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from handrail.flows.coach.phrases import words

SAMPLE = 600  # answers that are counted; more change little and cost time at every start
COMMON_SHARE = 0.01
COMMON_COUNT = 3


@dataclass(frozen=True, slots=True)
class Plainness:
    """The vocabulary that is common to many answers of a corpus."""

    common: frozenset[str]

    @classmethod
    def of(cls, answers: Sequence[str]) -> Plainness:
        """Count in how many of `SAMPLE` answers, evenly spread, each word occurs."""
        sample = answers[:: max(1, -(-len(answers) // SAMPLE))]
        counts = Counter(stem for answer in sample for stem in stems(answer))
        least = max(COMMON_COUNT, COMMON_SHARE * len(sample))
        return cls(frozenset(word for word, count in counts.items() if count >= least))

    def details(self, sentence: str) -> frozenset[str]:
        """The stems of ``sentence`` that are not common."""
        return stems(sentence) - self.common


def stems(text: str) -> frozenset[str]:
    """The distinct word stems of a text."""
    return frozenset(_stem(word) for word, _ in words(text))


def _stem(word: str) -> str:
    """Word families just closely enough for counting: plurals, ``-ing`` and ``-ed`` fall away."""
    word = word.split("'")[0]
    for ending in ("ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            return word[: -len(ending)]
    return word
