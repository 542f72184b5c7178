"""What the crisis screen says about a message."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, StrEnum

from handrail.domain.text import Span


class Level(IntEnum):
    """How grave; ordered, so that the highest signal wins."""

    NONE = 0
    MILD = 1
    MODERATE = 2
    HIGH = 3

    @property
    def label(self) -> str:
        """The lower-case name used in every face."""
        return self.name.lower()


class Subject(StrEnum):
    """Whose danger a signal speaks of."""

    SELF = "self"
    OTHER = "other"  # danger from the writer to someone else
    THIRD = "third"  # someone the writer worries about


@dataclass(frozen=True, slots=True, kw_only=True)
class Signal:
    """One rule that fired; ``span`` counts code points of the original message."""

    rule: str
    kind: str
    level: Level
    span: Span
    language: str
    subject: Subject = Subject.SELF
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Dismissal:
    """A rule that matched and was set aside, with the reason (negation, idiom, fiction …)."""

    rule: str
    kind: str
    span: Span
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Risk:
    """The verdict of the screen: a level, the kinds of danger, and the evidence for both."""

    level: Level = Level.NONE
    kinds: tuple[str, ...] = ()
    signals: tuple[Signal, ...] = ()
    dismissed: tuple[Dismissal, ...] = ()

    @property
    def subjects(self) -> tuple[Subject, ...]:
        """Whose danger the signals speak of, gravest first; ties in the order of `Subject`."""
        present = {signal.subject for signal in self.signals}
        ordered = (subject for subject in Subject if subject in present)
        return tuple(sorted(ordered, key=lambda subject: -self.level_for(subject)))

    def level_for(self, subject: Subject) -> Level:
        """How grave the danger is that signals of ``subject`` tell of; none without any.

        What a model raised has no signal, and so no subject.
        """
        levels = (signal.level for signal in self.signals if signal.subject is subject)
        return max(levels, default=Level.NONE)

    @property
    def language(self) -> str | None:
        """The language of the gravest signal, or None without signals."""
        return max(self.signals, key=lambda s: s.level).language if self.signals else None

    def raised(self, level: Level, kind: str, signal: Signal | None = None) -> Risk:
        """The risk with ``level`` if that is higher: a second reader may raise, never lower.

        ``signal`` is its evidence, if it has any.
        """
        if level <= self.level:
            return self
        kinds = self.kinds if kind in self.kinds else (*self.kinds, kind)
        signals = self.signals if signal is None else (*self.signals, signal)
        return Risk(level=level, kinds=kinds, signals=signals, dismissed=self.dismissed)
