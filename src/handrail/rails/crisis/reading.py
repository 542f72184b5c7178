"""Finding phrases: a look-up of trigger words first, then the few patterns they point to.

A message is read sentence by sentence, for no phrase reaches across the end of one. What can be
said where is narrowed twice before a pattern runs: by one trigger word, then by all the words that
the phrase cannot do without.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Generic, NamedTuple, Protocol, TypeVar

from handrail.ports import PatternEngine, PatternHit, PatternSet
from handrail.rails.crisis.phrases import Book, Phrase
from handrail.rails.crisis.sieve import Sieve
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
    """A sentence of a normal text, its words, and the phrases that they call for, in order.

    ``words`` holds the stems that the words begin with as well, each with its star. ``guarded`` is
    the text as the phrases of a book with barriers read it, by the book's number.
    """

    start: int
    text: str
    words: Collection[str]
    called: Sequence[int]
    guarded: Mapping[int, str]


class Known(NamedTuple):
    """The phrases that a word calls for, and the stems that it begins with."""

    called: Sequence[int]
    stems: Sequence[str]


class Index:
    """Every phrase by its trigger words; a pattern is compiled when a message first needs it."""

    def __init__(self, engine: PatternEngine) -> None:
        self._engine = engine
        self._phrases: list[Phrase] = []
        self._compiled: list[PatternSet | None] = []
        self._sieve = Sieve()
        self._unsieved: set[int] = set()  # phrases that have not told what they require
        self._words: defaultdict[str, list[int]] = defaultdict(list)
        self._stems: defaultdict[str, list[int]] = defaultdict(list)
        self._stem_lengths: Sequence[int] = ()
        self._guarding: dict[int, Book] = {}  # the books that have barriers
        self._known: dict[str, Known] = {}

    def shelve(self, things: Sequence[T]) -> Shelf[T]:
        """Take up the phrases of ``things``; their numbers follow on those already here."""
        first = len(self._phrases)
        owners = [thing for thing in things for _ in thing.phrases]
        self._phrases += [phrase for thing in things for phrase in thing.phrases]
        self._compiled += [None] * len(owners)
        self._unsieved.update(range(first, len(self._phrases)))
        self._take_triggers(first)
        return Shelf(self, first, owners)

    def open(self, text: str) -> Sequence[Sentence]:
        """The sentences of a normal text, in order."""
        found = []
        start = 0
        for part in _STOPS.split(text):
            found.append(self._sentence(start, part))
            start += len(part) + 1
        return found

    def _sentence(self, start: int, text: str) -> Sentence:
        words = set(_BREAKS.split(text))
        guarded = {
            number: book.guarded(text)
            for number, book in self._guarding.items()
            if not book.barriers.isdisjoint(words)
        }
        for each in guarded.values():
            words.update(_BREAKS.split(each))
        known = [self._know(word) for word in words]
        called = set[int]().union(*(word.called for word in known))
        words.update(*(word.stems for word in known))
        return Sentence(start, text, words, self._sieve.sift(sorted(called), words), guarded)

    def scan(self, number: int, sentence: Sentence) -> Sequence[PatternHit]:
        """Where a phrase is said in a sentence; offsets count from the start of the sentence."""
        if number in self._unsieved and not self._requires(number, sentence.words):
            return ()
        book = id(self._phrases[number].book)
        return self.pattern(number).scan(sentence.guarded.get(book, sentence.text))

    def sieve(self, number: int) -> tuple[frozenset[str], ...]:
        """Hand what a phrase requires to the sieve, as is done when it is first called."""
        self._unsieved.discard(number)
        required = self._phrases[number].required()
        self._sieve.require(number, required)
        return required

    def _requires(self, number: int, words: Collection[str]) -> bool:
        return all(not each.isdisjoint(words) for each in self.sieve(number))

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
        for book in {id(phrase.book): phrase.book for phrase in new}.values():
            if book.barriers:
                self._guarding[id(book)] = book
            for word in undoubled(word for word in book.words if word[-1] == "*").values():
                self._stems[word[:-1]]  # a stem that triggers nothing may still be required
        self._stem_lengths = sorted({len(stem) for stem in self._stems})
        self._known.clear()

    def _know(self, word: str) -> Known:
        known = self._known.get(word)
        if known is None:
            if len(self._known) > _WORDS_KEPT:
                self._known.clear()
            known = self._known[word] = self._look_up(word)
        return known

    def _look_up(self, word: str) -> Known:
        begun = [word[:length] for length in self._stem_lengths if length <= len(word)]
        stems = [stem for stem in begun if stem in self._stems]
        called = set(self._words.get(word, ())).union(*map(self._stems.__getitem__, stems))
        return Known(tuple(called), tuple(f"{stem}*" for stem in stems))


class Shelf(Generic[T]):
    """The things of one kind in an `Index`; ``owners`` has one entry a phrase."""

    def __init__(self, index: Index, first: int, owners: Sequence[T]) -> None:
        self._index = index
        self._first = first
        self._owners = owners

    def read(self, text: Sequence[Sentence]) -> list[Found[T]]:
        """Everything of this shelf that is said in a message, by start."""
        found: list[Found[T]] = []
        last = self._first + len(self._owners)
        for sentence in text:
            called = sentence.called
            low = bisect_left(called, self._first)
            if low < len(called) and called[low] < last:
                found += self._read(sentence, called[low : bisect_left(called, last, low)])
        found.sort(key=_place)
        return found

    def compile_all(self) -> None:
        """Compile every pattern now, so that no message pays for it later."""
        for number in range(self._first, self._first + len(self._owners)):
            self._index.pattern(number)
            self._index.sieve(number)

    def _read(self, sentence: Sentence, called: Sequence[int]) -> Iterator[Found[T]]:
        start, text = sentence[:2]
        for number in called:
            for hit in self._index.scan(number, sentence):
                end = hit.end - (text[hit.end - 1] in _JOINTS)
                yield Found(start + hit.start, start + end, self._owners[number - self._first])


def _place(found: Found[T]) -> tuple[int, int]:
    return found[:2]
