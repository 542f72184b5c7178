"""Clauses: where they begin and end, and what of them may be said back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise

from handrail.flows.reframe.reading.sayings import Sayings, Words, furthest

_STOPS = ".?\n"
_BREAKS = ",.?\n"


@dataclass(frozen=True, slots=True)
class Clause:
    """Words of one clause; ``stops`` when a sentence ends before it, ``breaks`` a comma at least.

    ``whole`` is the clause as it stands, ``plain`` is it without small talk at its ends, ``core``
    without "I think that" too; ``believed`` when there was such a lead.
    """

    whole: Words
    plain: Words
    core: Words
    believed: bool
    stops: bool
    breaks: bool


class Cutter:
    """Cuts a message into clauses; ``marks`` is what stands before each word."""

    def __init__(self, marks: Sequence[str], sayings: Sayings) -> None:
        self._marks = marks
        self._kept = sayings.begin("keep")
        self._bounds = sayings.begin("boundary") - self._kept
        self._tails = furthest(
            sayings.role("tail"), lambda words: words.end, lambda words, _: -words.start
        )
        both = chain(sayings.role("lead"), sayings.role("belief"))
        self._leads, self._beliefs = (
            furthest(said, lambda words: words.start, lambda words, _: words.end)
            for said in (sayings.role("lead"), both)
        )

    def clauses(self) -> Iterator[Clause]:
        """The clauses in order; every word is in one of them."""
        cuts = [at for at, mark in enumerate(self._marks) if mark in _BREAKS or at in self._bounds]
        for start, end in pairwise([*cuts, len(self._marks)]):
            whole = Words(start, end)
            plain = self._stripped(whole, self._leads)
            core = self._stripped(whole, self._beliefs)
            stops, breaks = (self._marks[start] in kind for kind in (_STOPS, _BREAKS))
            yield Clause(whole, plain, core, core.start > plain.start, stops, breaks)

    def _stripped(self, whole: Words, leads: Mapping[int, int]) -> Words:
        """The clause without what leads into it and trails off; a word is always left."""
        start, end = whole
        while start not in self._kept and start < (after := leads.get(start, start)) < end:
            start = after
        while end in self._tails and start < -self._tails[end]:
            end = -self._tails[end]
        return Words(start, end)
