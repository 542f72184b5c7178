"""A message taken apart: its words, what they say, and the clauses they make up."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from functools import cached_property

from handrail.domain.text import Span
from handrail.flows.reframe.reading.cutting import Clause, Cutter
from handrail.flows.reframe.reading.lexicon import Lexicon
from handrail.flows.reframe.reading.model import LONGEST_QUOTE, Asked, Language
from handrail.flows.reframe.reading.sayings import Sayings, Words, covered
from handrail.rails.crisis.normalise import Normal
from handrail.rails.crisis.scope import Places

_SPANISH = "ñ¿¡áéíóúÁÉÍÓÚÑ"
_ENGLISH = "'’"


class Message:
    """One message, read once; everything asked of it is looked up in what was found.

    ``asks`` when it has the form of a question.
    """

    def __init__(self, text: str, lexicon: Lexicon, asked: Asked) -> None:
        self.text = text
        self.asked = asked
        self._normal = lexicon.normal(text)
        self.tokens = _tokens(self._normal)
        self.language = language_of(text, self.tokens, lexicon)
        self.asks = "?" in text or not lexicon.questions.isdisjoint(self.tokens[:1])
        found = lexicon.read(self._normal)
        self.said = Sayings(
            (one for one in found if one.what.counts(asked, self.language)), self._normal.starts
        )
        self.marks = [self._normal.text[start - 1] for start in self._normal.starts[1:]]
        if self.tokens:
            self.marks.insert(0, ".")
        self.clauses = tuple(Cutter(self.marks, self.said).clauses())
        self._clause_starts = [clause.whole.start for clause in self.clauses]

    def clause(self, at: int) -> Clause:
        """The clause that a word is in."""
        return self.clauses[bisect_right(self._clause_starts, at) - 1]

    def follows(self, places: Places, words: Words) -> bool:
        """Whether a place runs right up to the words, with no mark between."""
        return self.marks[words.start] == " " and places.touches(self._normal.starts[words.start])

    def place(self, words: Words) -> tuple[int, int]:
        """Where words stand in the normal text."""
        last = words.end - 1
        return self._normal.starts[words.start], self._normal.starts[last] + len(self.tokens[last])

    def ends(self, at: int) -> bool:
        """Whether a mark follows a word, or nothing."""
        return self.marks[at + 1 : at + 2] != [" "]

    @cached_property
    def filler(self) -> frozenset[int]:
        """Words that say nothing, pictures among them."""
        return covered(self.said.role("filler")) | self._pictures

    @cached_property
    def _pictures(self) -> frozenset[int]:
        origins = enumerate(self._normal.origins)
        return frozenset(
            at for at, (start, end) in origins if not any(map(str.isalnum, self.text[start:end]))
        )

    def span(self, words: Words) -> Span | None:
        """Where words stand in the message, cut at a word to what can be said back."""
        said = [at for at in range(*words) if at not in self._pictures]
        fit = [at for at in said if self.reach(said[0], at + 1) <= LONGEST_QUOTE]
        if not fit:
            return None
        return Span(self._normal.origins[fit[0]][0], self._normal.origins[fit[-1]][1])

    def reach(self, start: int, end: int) -> int:
        """Code points of the message from a word to another."""
        return self._normal.origins[end - 1][1] - self._normal.origins[start][0]

    def quoted(self, words: Words) -> bool:
        """Whether the words stand between quotation marks."""
        opened, closed = self._normal.quotation(self._normal.starts[words.start])
        return closed > opened


def _tokens(normal: Normal) -> Sequence[str]:
    """The words of a normal text; one that was run together holds spaces."""
    ends = [start - 1 for start in normal.starts[1:]]
    return [
        normal.text[start:end]
        for start, end in zip(normal.starts, [*ends, len(normal.text)], strict=False)
    ]


def language_of(text: str, tokens: Sequence[str], lexicon: Lexicon) -> Language | None:
    """The language that more words are of, small words first; None where neither has more."""
    words = [word for token in tokens for word in token.split()]
    told = Counter(filter(None, map(lexicon.telling.get, words)))
    told["es"] += sum(map(text.count, _SPANISH))
    told["en"] += sum(map(text.count, _ENGLISH))
    if told["es"] == told["en"]:
        told = Counter(filter(None, map(lexicon.language, words)))
    if told["es"] == told["en"]:
        return None
    return "es" if told["es"] > told["en"] else "en"
