"""What the words of a message say, by kind and by role."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from handrail.flows.reframe.reading.lexicon import ClauseModel, Cue, Role
from handrail.rails.crisis.reading import Found
from handrail.rails.crisis.scope import Places

ItemT = TypeVar("ItemT")


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


class Sayings:
    """Everything that a message says; ``starts`` is where its words begin in the normal text."""

    def __init__(self, found: Iterable[Found[Cue]], starts: Sequence[int]) -> None:
        self._kinds: defaultdict[type, list[Said]] = defaultdict(list)
        self._roles: defaultdict[str, list[Said]] = defaultdict(list)
        for start, end, cue in found:
            words = Words(bisect_left(starts, start + 1) - 1, bisect_left(starts, end))
            said = Said(words, (start, end), cue.item)
            self._kinds[type(cue.item)].append(said)
            if isinstance(cue.item, ClauseModel):
                self._roles[cue.item.role].append(said)

    def of(self, kind: type[ItemT]) -> Iterator[tuple[Words, ItemT]]:
        """What is said of one kind, by start."""
        return ((one.words, one.item) for one in self._kinds[kind])

    def role(self, role: Role) -> Iterator[tuple[Words, ClauseModel]]:
        """Where words of a role stand, by start."""
        return ((one.words, one.item) for one in self._roles[role])

    def places(self, role: Role) -> Places:
        """The same, in the normal text."""
        return Places(one.place for one in self._roles[role])

    def weights(self, role: Role) -> Mapping[int, int]:
        """What words of a role weigh, by the word they begin at; the heaviest of several counts."""
        return furthest(self.role(role), lambda words: words.start, lambda _, item: item.weight)

    def begin(self, role: Role) -> frozenset[int]:
        """The words at which a role begins."""
        return frozenset(words.start for words, _ in self.role(role))


def covered(said: Iterable[tuple[Words, Any]]) -> frozenset[int]:
    """The words that are part of any of the ranges."""
    return frozenset(at for words, _ in said for at in range(*words))


def furthest(
    said: Iterable[tuple[Words, ItemT]],
    edge: Callable[[Words], int],
    reach: Callable[[Words, ItemT], int],
) -> Mapping[int, int]:
    """By the place of an edge, the largest that ``reach`` gives for any range there."""
    largest: dict[int, int] = {}
    for words, item in said:
        at, much = edge(words), reach(words, item)
        largest[at] = max(much, largest.get(at, much))
    return largest
