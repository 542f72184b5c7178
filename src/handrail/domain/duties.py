"""What a deployment owes the people who write to it, as switches; and when a notice is due."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Any

HOUR = 3600
DAY = 24 * HOUR

_PERMITS = frozenset({"therapeutic_communication"})  # what is allowed; every other switch is owed


@dataclass(frozen=True, slots=True, kw_only=True)
class Duties:
    """Switches; a period is in hours, or in days where its name says so, and None is no period.

    The defaults are those of the packaged default profile, below which no deployment goes.
    """

    ai_notice_at_start: bool = True
    ai_notice_every: float | None = None
    redisclose_after_days: float | None = 7
    redisclose_when_asked: bool = True
    minors_reminder_hours: float | None = 3
    no_diagnosis: bool = True
    no_medication_advice: bool = True
    no_confidentiality_promise: bool = True
    human_handoff: bool = True
    referral_counts: bool = False
    therapeutic_communication: bool = True
    mark_synthetic: bool = True

    @property
    def notice_seconds(self) -> float | None:
        """How long the AI notice holds, by the shorter of its two periods."""
        hours, days = self.ai_notice_every, self.redisclose_after_days
        held = [hours and hours * HOUR, days and days * DAY]
        return min((seconds for seconds in held if seconds is not None), default=None)


DEFAULT_DUTIES = Duties()


def strictest(first: Duties, *others: Duties) -> Duties:
    """All duties at once: what one profile owes is owed, and the shortest period holds."""
    every = (first, *others)
    return Duties(
        **{f.name: _strictest(f.name, [getattr(d, f.name) for d in every]) for f in fields(Duties)}
    )


def _strictest(name: str, values: Sequence[Any]) -> Any:
    if name in _PERMITS:
        return all(values)
    if all(isinstance(value, bool) for value in values):
        return any(values)
    return min((value for value in values if value is not None), default=None)


class NoticeKind(StrEnum):
    """A notice by the name of its reviewed line."""

    AI = "ai-notice"
    ASKED = "ai-asked"  # says what `AI` says, as an answer
    MINORS = "minors-reminder"


@dataclass(frozen=True, slots=True, kw_only=True)
class NoticeState:
    """When a person last saw what, in whole seconds since 1970 (UTC); None is never, or unknown."""

    ai: int | None = None
    minors: int | None = None


UNSEEN = NoticeState()


def due(
    duties: Duties, seen: NoticeState, *, now: float, minor: bool, asked: bool
) -> tuple[tuple[NoticeKind, ...], NoticeState]:
    """The notices that belong beside a reply given at ``now``, and what has been seen after it.

    What is unknown is due, and so is what was seen at a time yet to come: a clock that was set
    back, or a state that somebody made up, brings a notice early and never late.
    """
    kinds: list[NoticeKind] = []
    if asked and duties.redisclose_when_asked:
        kinds.append(NoticeKind.ASKED)
    elif _notice_due(duties, seen.ai, now):
        kinds.append(NoticeKind.AI)
    hours = duties.minors_reminder_hours if minor else None
    if hours is not None and _ran_out(seen.minors, hours * HOUR, now):
        kinds.append(NoticeKind.MINORS)
    stamp = math.floor(now)  # rounded down, so that the next one comes no later
    told = NoticeKind.AI in kinds or NoticeKind.ASKED in kinds
    reminded = NoticeKind.MINORS in kinds
    after = NoticeState(ai=stamp if told else seen.ai, minors=stamp if reminded else seen.minors)
    return tuple(kinds), after


def _notice_due(duties: Duties, shown: int | None, now: float) -> bool:
    if shown is None or shown > now:
        return duties.ai_notice_at_start or duties.notice_seconds is not None
    return duties.notice_seconds is not None and _ran_out(shown, duties.notice_seconds, now)


def _ran_out(shown: int | None, seconds: float, now: float) -> bool:
    return shown is None or not 0 <= now - shown < seconds
