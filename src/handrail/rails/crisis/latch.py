"""The level of a session: signals raise it, and only a named rule lowers it.

Two rules lower it. `HUMAN`: a person who reviewed the session says so, to any level.
`DENIED_TWICE`: the writer was asked directly, denied plainly on two different turns, and gave no
new signal for `QUIET_TURNS` turns; it takes moderate danger to oneself to mild and nothing else.
No message and no model output can lower a level.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from handrail.domain.risk import Level, Subject
from handrail.errors import InvalidInput

SIGNAL = "signal"
HUMAN = "human-release"
DENIED_TWICE = "denied-twice"
QUIET_TURNS = 3
"""Turns of the person without a new signal before `DENIED_TWICE` holds; an editorial choice."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One change of a level; ``by`` names the rule of the screen, or who released it."""

    turn: int
    subject: Subject
    before: Level
    after: Level
    reason: str
    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Latch:
    """The level of each subject, in the order of `Subject`, and every change of it."""

    levels: tuple[Level, ...] = (Level.NONE,) * len(Subject)
    changes: tuple[Change, ...] = ()

    @property
    def level(self) -> Level:
        """The gravest level of any subject."""
        return max(self.levels)

    def level_for(self, subject: Subject) -> Level:
        """The level of one subject."""
        return self.levels[_place(subject)]

    def raised(self, subject: Subject, level: Level, *, turn: int, by: str) -> Latch:
        """The latch with ``subject`` at ``level`` if that is higher; else as it is."""
        if level <= self.level_for(subject):
            return self
        return self._changed(subject, level, turn=turn, reason=SIGNAL, by=by)

    def released(self, subject: Subject, level: Level, *, turn: int, by: str) -> Latch:
        """The latch after a person lowered it (`HUMAN`); ``by`` is an opaque name of theirs.

        Raises `InvalidInput` without a name, or when the level would not fall.
        """
        if not by.strip():
            raise InvalidInput("a level is lowered in somebody's name. Say who reviewed it")
        if level >= self.level_for(subject):
            raise InvalidInput(
                f"{subject.value} is at {self.level_for(subject).label}; a release to "
                f"{level.label} lowers nothing"
            )
        return self._changed(subject, level, turn=turn, reason=HUMAN, by=by)

    def denied_twice(self, *, turn: int) -> Latch:
        """The latch after `DENIED_TWICE`; only moderate danger to oneself falls, to mild."""
        if self.level_for(Subject.SELF) is not Level.MODERATE:
            return self
        return self._changed(
            Subject.SELF, Level.MILD, turn=turn, reason=DENIED_TWICE, by=DENIED_TWICE
        )

    def _changed(self, subject: Subject, level: Level, *, turn: int, reason: str, by: str) -> Latch:
        change = Change(
            turn=turn,
            subject=subject,
            before=self.level_for(subject),
            after=level,
            reason=reason,
            by=by,
        )
        levels = list(self.levels)
        levels[_place(subject)] = level
        return replace(self, levels=tuple(levels), changes=(*self.changes, change))

    def to_json(self) -> dict[str, Any]:
        """Levels by subject and the changes, as plain values."""
        return {
            "levels": {who.value: self.level_for(who).label for who in Subject},
            "changes": [
                {
                    "turn": change.turn,
                    "subject": change.subject.value,
                    "before": change.before.label,
                    "after": change.after.label,
                    "reason": change.reason,
                    "by": change.by,
                }
                for change in self.changes
            ],
        }

    @staticmethod
    def from_json(body: Mapping[str, Any]) -> Latch:
        """What `to_json` gave; raises `KeyError` or `ValueError` for anything else."""
        return Latch(
            levels=tuple(_level(body["levels"][who.value]) for who in Subject),
            changes=tuple(
                Change(
                    turn=int(change["turn"]),
                    subject=Subject(change["subject"]),
                    before=_level(change["before"]),
                    after=_level(change["after"]),
                    reason=str(change["reason"]),
                    by=str(change["by"]),
                )
                for change in body["changes"]
            ),
        )


def _place(subject: Subject) -> int:
    return tuple(Subject).index(subject)


def _level(label: str) -> Level:
    return Level[label.upper()]
