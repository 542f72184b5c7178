"""Finding phrases: a look-up of trigger words first, then the few patterns they point to.

A message is read sentence by sentence, for no phrase reaches across the end of one. What can be
said where is narrowed twice before a pattern runs: by one trigger word, then by all the words that
the phrase cannot do without.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Generic, NamedTuple, Protocol, TypeVar

from handrail.ports import PatternEngine, PatternHit, PatternSet
from handrail.rails.crisis.phrases import Phrase
from handrail.rails.crisis.spelling import undoubled

_JOINTS = " ,\n"
_STOPS = re.compile(r"[.?]")
_BREAKS = re.compile(r"[ ,\n]")
_WORDS_KEPT = 1 << 14


class Phrased(Protocol):
    """Anything that is said in some ways."""

    @property
    def phrases(self) -> Sequence[Phrase]:
        """How it is said."""


T = TypeVar("T", bound=Phrased)


class Found(NamedTuple, Generic[T]):
    """Where something was said, in the normal text."""

    start: int
    end: int
    what: T


class Sentence(NamedTuple):
    """A sentence of a normal text, its words, and the phrases that they call for, in order."""

    start: int
    text: str
    words: frozenset[str]
    called: Sequence[int]


class Index:
    """Every phrase by its trigger words; a pattern is compiled when a message first needs it."""

    def __init__(self, engine: PatternEngine) -> None:
        self._engine = engine
        self._phrases: list[Phrase] = []
        self._compiled: list[PatternSet | None] = []
        self._required: list[tuple[frozenset[str], ...] | None] = []
        self._words: defaultdict[str, list[int]] = defaultdict(list)
        self._stems: defaultdict[str, list[int]] = defaultdict(list)
        self._stem_lengths: Sequence[int] = ()
        self._known: dict[str, Sequence[int]] = {}

    def shelve(self, things: Sequence[T]) -> Shelf[T]:
        """Take up the phrases of ``things``; their numbers follow on those already here."""
        first = len(self._phrases)
        owners = [thing for thing in things for _ in thing.phrases]
        self._phrases += [phrase for thing in things for phrase in thing.phrases]
        self._compiled += [None] * len(owners)
        self._required += [None] * len(owners)
        self._take_triggers(first)
        return Shelf(self, first, owners)

    def open(self, text: str) -> Sequence[Sentence]:
        """The sentences of a normal text, in order."""
        found = []
        start = 0
        for part in _STOPS.split(text):
            words = frozenset(_BREAKS.split(part))
            found.append(Sentence(start, part, words, self._called(words)))
            start += len(part) + 1
        return found

    def scan(self, number: int, sentence: Sentence) -> Sequence[PatternHit]:
        """Where a phrase is said in a sentence; offsets count from the start of the sentence."""
        required = self._required[number]
        if required is None:
            required = self._required[number] = self._phrases[number].required()
        for words in required:
            if words.isdisjoint(sentence.words):
                return ()
        return self.pattern(number).scan(sentence.text)

    def pattern(self, number: int) -> PatternSet:
        """The compiled pattern of a phrase."""
        pattern = self._compiled[number]
        if pattern is None:
            source = self._phrases[number].pattern
            pattern = self._compiled[number] = self._engine.compile([source])
        return pattern

    def _take_triggers(self, first: int) -> None:
        new = self._phrases[first:]
        normal = undoubled({word for phrase in new for word in phrase.triggers})
        for number, phrase in enumerate(new, start=first):
            for trigger in map(normal.__getitem__, phrase.triggers):
                if trigger[-1] == "*":
                    self._stems[trigger[:-1]].append(number)
                else:
                    self._words[trigger].append(number)
        self._stem_lengths = sorted({len(stem) for stem in self._stems})

    def _called(self, words: frozenset[str]) -> Sequence[int]:
        known = self._known
        if len(known) > _WORDS_KEPT:
            known.clear()
        called: set[int] = set()
        for word in words:
            numbers = known.get(word)
            if numbers is None:
                numbers = known[word] = self._look_up(word)
            if numbers:
                called.update(numbers)
        return sorted(called)

    def _look_up(self, word: str) -> Sequence[int]:
        called = set(self._words.get(word, ()))
        for length in self._stem_lengths:
            called.update(self._stems.get(word[:length], ()))
        return tuple(called)


class Shelf(Generic[T]):
    """The things of one kind in an `Index`; ``owners`` has one entry a phrase."""

    def __init__(self, index: Index, first: int, owners: Sequence[T]) -> None:
        self._index = index
        self._first = first
        self._owners = owners

    def read(self, text: Sequence[Sentence]) -> list[Found[T]]:
        """Everything of this shelf that is said in a message, by start."""
        found = [one for sentence in text for one in self._read(sentence)]
        found.sort(key=lambda one: one[:2])
        return found

    def compile_all(self) -> None:
        """Compile every pattern now, so that no message pays for it later."""
        for number in range(self._first, self._first + len(self._owners)):
            self._index.pattern(number)

    def _read(self, sentence: Sentence) -> Iterator[Found[T]]:
        start, text, _, called = sentence
        low = bisect_left(called, self._first)
        for number in called[low : bisect_left(called, self._first + len(self._owners))]:
            owner = self._owners[number - self._first]
            for hit in self._index.scan(number, sentence):
                end = hit.end - (text[hit.end - 1] in _JOINTS)
                yield Found(start + hit.start, start + end, owner)
