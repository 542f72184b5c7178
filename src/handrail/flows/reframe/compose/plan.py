"""What a reply says, before it has words: moves in order, with the person's words for their slots.

Nothing here knows a language. A plan is paragraphs of moves; `voice` finds the wordings and leaves
out what a word limit has no room for, the most dispensable first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import TypeAlias

from handrail.flows.reframe.phases import Position
from handrail.flows.reframe.reading import Asked, Reading
from handrail.flows.reframe.state import Kept, Memory, Progress, SessionState

Filling: TypeAlias = Kept | str
"""The person's words, or the name of a move whose line stands in the slot."""


class Keep(IntEnum):
    """How dispensable a move is where there is no room for all."""

    ALWAYS = 0
    RATHER = 1
    IF_ROOM = 2


@dataclass(frozen=True, slots=True)
class Say:
    """One move; ``line`` is the id of a line that was chosen before, in place of the next one.

    ``short`` is said instead where there is no room for it, even without all that may go.
    """

    move: str
    slots: Mapping[str, Filling] = field(default_factory=dict)
    keep: Keep = Keep.ALWAYS
    line: str = ""
    short: Say | None = None


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Moves that stand together; a bullet stands on a line of its own."""

    moves: tuple[Say, ...]
    bullet: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A reply to be: what it asks, and how many balanced thoughts it brings the session to."""

    paragraphs: tuple[Paragraph, ...]
    asked: Asked = Asked.NOTHING
    round: int = 0

    @property
    def moves(self) -> tuple[str, ...]:
        """The names of the moves, in order."""
        return tuple(say.move for paragraph in self.paragraphs for say in paragraph.moves)


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """All that a plan depends on.

    ``before`` is the session before the message, ``state`` the same with what the message told;
    ``position`` is where the reply stands. ``traps`` are the thinking traps of the thought, at most
    two. ``fresh`` names what the message told anew. ``mild`` is a mild sign of danger.
    """

    before: SessionState
    state: SessionState
    position: Position
    reading: Reading
    traps: Sequence[str] = ()
    fresh: frozenset[str] = frozenset()
    mild: bool = False

    @property
    def progress(self) -> Progress:
        """What is known of the worry."""
        return self.state.progress

    @property
    def memory(self) -> Memory:
        """What was said and asked so far."""
        return self.state.memory

    @property
    def same_thought(self) -> bool:
        """Whether the thought is the one that was looked at before the message."""
        return self.before.progress.thought == self.progress.thought

    @property
    def named(self) -> tuple[str, ...]:
        """The traps of the thought: as it reads now, else as it read before for the same thought.

        In another language than its own a thought reads as nothing.
        """
        return tuple(self.traps) or (self.memory.traps if self.same_thought else ())


@dataclass(slots=True)
class Draftsman:
    """Collects moves; `end` closes a paragraph."""

    paragraphs: list[Paragraph] = field(default_factory=list)
    _open: list[Say] = field(default_factory=list)

    def say(
        self,
        move: str,
        *,
        keep: Keep = Keep.ALWAYS,
        short: Say | None = None,
        **slots: Filling | None,
    ) -> None:
        """Add a move; the slots must be filled."""
        filled = {name: words for name, words in slots.items() if words is not None}
        self._open.append(Say(move, filled, keep, short=short))

    def end(self) -> None:
        """Close the paragraph, if anything stands in it."""
        if self._open:
            self.paragraphs.append(Paragraph(tuple(self._open)))
            self._open = []

    def bullet(self, *moves: Say) -> None:
        """A line of a list."""
        self.end()
        self.paragraphs.append(Paragraph(moves, bullet=True))

    def plan(self, *, asked: Asked = Asked.NOTHING, round: int = 0) -> Plan:
        """All that was collected."""
        self.end()
        return Plan(paragraphs=tuple(self.paragraphs), asked=asked, round=round)
