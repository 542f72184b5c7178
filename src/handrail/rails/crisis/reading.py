"""Finding phrases: a look-up of trigger words first, then the few patterns they point to."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Generic, NamedTuple, Protocol, TypeVar

from handrail.ports import PatternEngine, PatternSet
from handrail.rails.crisis.phrases import Phrase
from handrail.rails.crisis.spelling import undoubled

_JOINTS = " ,\n"
_BREAKS = re.compile(r"[ ,.?\n]")


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


def words_in(text: str) -> frozenset[str]:
    """The different words of a normal text."""
    return frozenset(_BREAKS.split(text))


class Reader(Generic[T]):
    """Looks for many phrases; each pattern is compiled when a message first calls for it."""

    def __init__(self, things: Sequence[T], engine: PatternEngine) -> None:
        self._phrases = [(phrase, thing) for thing in things for phrase in thing.phrases]
        self._engine = engine
        self._compiled: list[PatternSet | None] = [None] * len(self._phrases)
        self._words: defaultdict[str, list[int]] = defaultdict(list)
        self._stems: defaultdict[str, list[int]] = defaultdict(list)
        normal = undoubled({word for phrase, _ in self._phrases for word in phrase.triggers})
        for number, (phrase, _) in enumerate(self._phrases):
            for trigger in map(normal.__getitem__, phrase.triggers):
                if trigger[-1] == "*":
                    self._stems[trigger[:-1]].append(number)
                else:
                    self._words[trigger].append(number)
        self._stem_lengths = sorted({len(stem) for stem in self._stems})

    def compile_all(self) -> None:
        """Compile every pattern now, so that no message pays for it later."""
        for number in range(len(self._phrases)):
            self._pattern(number)

    def read(self, text: str, words: frozenset[str]) -> list[Found[T]]:
        """Everything said in ``text``, by start; ``words`` are its words."""
        found = [
            Found(hit.start, hit.end - (text[hit.end - 1] in _JOINTS), self._phrases[number][1])
            for number in sorted(self._called(words))
            for hit in self._pattern(number).scan(text)
        ]
        found.sort(key=lambda one: one[:2])
        return found

    def _called(self, words: frozenset[str]) -> set[int]:
        called: set[int] = set()
        for word in words & self._words.keys():
            called.update(self._words[word])
        called.update(self._by_stem(words))
        return called

    def _by_stem(self, words: frozenset[str]) -> Iterator[int]:
        for word in words:
            for length in self._stem_lengths:
                if word[:length] in self._stems:
                    yield from self._stems[word[:length]]

    def _pattern(self, number: int) -> PatternSet:
        pattern = self._compiled[number]
        if pattern is None:
            source = self._phrases[number][0].pattern
            pattern = self._compiled[number] = self._engine.compile([source])
        return pattern
