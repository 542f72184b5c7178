"""A message taken apart: its words, what they say, and the clauses they make up."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any, NamedTuple, TypeVar

from handrail.domain.text import Span
from handrail.flows.reframe.reading.lexicon import ClauseModel, Cue, Lexicon, Role
from handrail.flows.reframe.reading.model import LONGEST_QUOTE, Asked, Language
from handrail.rails.crisis.normalise import Normal
from handrail.rails.crisis.reading import Found
from handrail.rails.crisis.scope import Places

ItemT = TypeVar("ItemT")

_SPANISH = "ñ¿¡áéíóúÁÉÍÓÚÑ"
_ENGLISH = "'’"


class Words(NamedTuple):
    """Half-open range of a message's words."""

    start: int
    end: int

    def touches(self, other: Words) -> bool:
        """Whether a word is in both."""
        return self.start < other.end and other.start < self.end


class Said(NamedTuple):
    """Words that say something: which, where in the normal text, and the item of the lexicon."""

    words: Words
    place: tuple[int, int]
    item: Any


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


class Message:
    """One message, read once; everything asked of it is looked up in what was found."""

    def __init__(self, text: str, lexicon: Lexicon, asked: Asked) -> None:
        self.text = text
        self.asked = asked
        self.normal: Normal = lexicon.normal(text)
        self.tokens = _tokens(self.normal)
        self.language = _language(text, self.tokens, lexicon)
        self.asks = "?" in text or self._begins_like(lexicon.questions)
        found = [one for one in lexicon.read(self.normal) if one.what.counts(asked, self.language)]
        self._said = [self._place(one) for one in found]
        self._covered: dict[str, frozenset[int]] = {}
        self.clauses = tuple(self._clauses())

    def said(self, kind: type[ItemT]) -> Iterator[tuple[Words, ItemT]]:
        """What is said of one kind, by start."""
        return ((one.words, one.item) for one in self._said if isinstance(one.item, kind))

    def role(self, role: Role) -> Iterator[tuple[Words, ClauseModel]]:
        """Where words of a role stand, by start."""
        return ((words, item) for words, item in self.said(ClauseModel) if item.role == role)

    def places(self, role: Role) -> Places:
        """The same, in the normal text."""
        return Places(
            one.place
            for one in self._said
            if isinstance(one.item, ClauseModel) and one.item.role == role
        )

    def place(self, words: Words) -> tuple[int, int]:
        """Where words stand in the normal text."""
        last = words.end - 1
        return self.normal.starts[words.start], self.normal.starts[last] + len(self.tokens[last])

    def covered(self, name: str, chosen: Callable[[Any], bool]) -> frozenset[int]:
        """The words that items of a kind cover; ``name`` names the kind."""
        if name not in self._covered:
            ranges = (one.words for one in self._said if chosen(one.item))
            self._covered[name] = frozenset(at for words in ranges for at in range(*words))
        return self._covered[name]

    @property
    def filler(self) -> frozenset[int]:
        """Words that say nothing, pictures among them."""
        return self.covered("filler", lambda item: _is(item, "filler")) | self._pictures

    @property
    def _pictures(self) -> frozenset[int]:
        origins = enumerate(self.normal.origins)
        return frozenset(
            at for at, (start, end) in origins if not any(map(str.isalnum, self.text[start:end]))
        )

    def span(self, words: Words) -> Span | None:
        """Where words stand in the message, cut at a word to what can be said back."""
        start, end = words
        while start < end and start in self._pictures:
            start += 1
        while start < end and (
            end - 1 in self._pictures or self._length(start, end) > LONGEST_QUOTE
        ):
            end -= 1
        if start >= end:
            return None
        return Span(self.normal.origins[start][0], self.normal.origins[end - 1][1])

    def _length(self, start: int, end: int) -> int:
        return self.normal.origins[end - 1][1] - self.normal.origins[start][0]

    def quoted(self, words: Words) -> bool:
        """Whether the words stand between quotation marks."""
        opened, closed = self.normal.quotation(self.normal.starts[words.start])
        return closed > opened

    def _place(self, found: Found[Cue]) -> Said:
        starts = self.normal.starts
        first = bisect_left(starts, found.start + 1) - 1
        last = bisect_left(starts, found.end) - 1
        return Said(Words(first, last + 1), (found.start, found.end), found.what.item)

    def _begins_like(self, openings: frozenset[str]) -> bool:
        return any(token in openings for token in self.tokens[:1])

    def _clauses(self) -> Iterator[Clause]:
        if not self.tokens:
            return
        bounds = {words.start for words, _ in self.role("boundary")} - self._kept
        marks = [self._before(at) for at in range(len(self.tokens))]
        cuts = [at for at in range(len(self.tokens)) if at in bounds or marks[at] in ",.?\n"]
        cuts = sorted({0, *cuts})
        for start, end in zip(cuts, [*cuts[1:], len(self.tokens)], strict=True):
            whole = Words(start, end)
            stops = start == 0 or marks[start] in ".?\n"
            plain = self._stripped(whole, self._leads)
            core = self._stripped(whole, self._beliefs)
            believed = core.start > plain.start
            yield Clause(whole, plain, core, believed, stops, stops or marks[start] == ",")

    def _before(self, at: int) -> str:
        return self.normal.text[self.normal.starts[at] - 1] if at else "."

    @cached_property
    def _leads(self) -> Mapping[int, int]:
        return _longest(self.role("lead"), lambda words: words.start, lambda words: words.end)

    @cached_property
    def _beliefs(self) -> Mapping[int, int]:
        """Leads of both kinds."""
        said = chain(self.role("lead"), self.role("belief"))
        return _longest(said, lambda words: words.start, lambda words: words.end)

    @cached_property
    def _tails(self) -> Mapping[int, int]:
        return _longest(self.role("tail"), lambda words: words.end, lambda words: -words.start)

    @cached_property
    def _kept(self) -> frozenset[int]:
        return frozenset(words.start for words, _ in self.role("keep"))

    def _stripped(self, whole: Words, leads: Mapping[int, int]) -> Words:
        """The clause without what leads into it and trails off; a word is always left."""
        start, end = whole
        while start not in self._kept and start < (after := leads.get(start, start)) < end:
            start = after
        while end in self._tails and start < -self._tails[end]:
            end = -self._tails[end]
        return Words(start, end)


def _longest(
    said: Iterable[tuple[Words, ClauseModel]],
    edge: Callable[[Words], int],
    reach: Callable[[Words], int],
) -> dict[int, int]:
    """For each place at which something begins (or ends), how far the longest of them reaches."""
    longest: dict[int, int] = {}
    for words, _ in said:
        longest[edge(words)] = max(reach(words), longest.get(edge(words), -(1 << 30)))
    return longest


def _is(item: object, role: Role) -> bool:
    return isinstance(item, ClauseModel) and item.role == role


def _tokens(normal: Normal) -> Sequence[str]:
    """The words of a normal text; one that was run together holds spaces."""
    ends = [start - 1 for start in normal.starts[1:]]
    return [
        normal.text[start:end]
        for start, end in zip(normal.starts, [*ends, len(normal.text)], strict=False)
    ]


def _language(text: str, tokens: Sequence[str], lexicon: Lexicon) -> Language | None:
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
