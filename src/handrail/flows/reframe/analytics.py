"""How sessions go, counted from their events: names and numbers, never text (A36, A51).

Nothing here estimates anything; `handrail.evals.sessions` puts intervals around the counts.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from handrail.flows.reframe.phases import Phase

START = "start"
"""Where a session stands before its first reply."""

Event: TypeAlias = Mapping[str, Any]
Step: TypeAlias = tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """One session from its first turn to its last.

    ``seconds`` run from the first reply to the last. ``steps`` are the phases before and after each
    reply, ``known`` what was told of the worry. ``danger`` is the phase in which danger was heard;
    ``summed_up`` whether a summary was reached without any. ``eased`` is the anxiety before less
    that after, ``surer`` the confidence after less that before; None where one of the two is
    missing.
    """

    language: str
    arm: str
    turns: int
    seconds: float
    last_at: float
    steps: tuple[Step, ...]
    writers: tuple[str, ...]
    known: frozenset[str]
    summed_up: bool
    ended: bool
    danger: str | None = None
    eased: int | None = None
    surer: int | None = None
    truth: int | None = None

    @property
    def last_phase(self) -> str:
        """The phase of the last reply."""
        return self.steps[-1][1]


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """Counts over sessions that are over; ``under_way`` and ``cut`` ones are only numbered.

    A session is cut when its first turn is not among the events. ``left_in`` counts the last phase
    of sessions that neither ended nor met danger. The tuples hold one value a session, in the order
    in which the sessions began. ``arms`` and ``languages`` are reports on parts, and hold none.
    """

    sessions: int
    turns: int
    summed_up: int
    ended: int
    danger: int
    under_way: int = 0
    cut: int = 0
    steps: Mapping[Step, int] = field(default_factory=dict)
    danger_in: Mapping[str, int] = field(default_factory=dict)
    left_in: Mapping[str, int] = field(default_factory=dict)
    known: Mapping[str, int] = field(default_factory=dict)
    writers: Mapping[str, int] = field(default_factory=dict)
    lengths: tuple[int, ...] = ()
    seconds: tuple[float, ...] = ()
    eased: tuple[int, ...] = ()
    surer: tuple[int, ...] = ()
    truths: tuple[int, ...] = ()
    arms: Mapping[str, Report] = field(default_factory=dict)
    languages: Mapping[str, Report] = field(default_factory=dict)


def report(events: Iterable[Event], *, open_since: float) -> Report:
    """What the events of turns say, in the order of their times; events of another kind are passed.

    A session that did not end and whose last turn is not before ``open_since`` (seconds since the
    epoch) is under way.
    """
    whole, cut = _split(_sessions(events))
    courses = [_course(turns) for turns in whole]
    over = [each for each in courses if each.ended or each.last_at < open_since]
    return _counted(
        over,
        under_way=len(courses) - len(over),
        cut=cut,
        arms=_parts(over, [each.arm for each in over]),
        languages=_parts(over, [each.language for each in over]),
    )


def _sessions(events: Iterable[Event]) -> Iterator[Sequence[Event]]:
    """The turns of each session; an id that begins anew, after it expired, is another session."""
    found: dict[str, list[list[Event]]] = defaultdict(list)
    order: list[list[Event]] = []
    for event in events:
        if event.get("event") != "turn":
            continue
        mine = found[event["session"]]
        if not mine or event["number"] <= mine[-1][-1]["number"]:
            mine.append([])
            order.append(mine[-1])
        mine[-1].append(event)
    return iter(order)


def _split(sessions: Iterable[Sequence[Event]]) -> tuple[list[Sequence[Event]], int]:
    """Sessions with their first turn, and how many lack it."""
    every = list(sessions)
    whole = [turns for turns in every if turns[0]["number"] == 1]
    return whole, len(every) - len(whole)


def _course(turns: Sequence[Event]) -> Course:
    first, last = turns[0], turns[-1]
    began = [turn for turn in turns if turn["crisis_began"]]
    return Course(
        language=last["language"],
        arm=last["arm"],
        turns=last["turn"],
        seconds=last["at"] - first["at"],
        last_at=last["at"],
        steps=tuple((turn["from"] or START, turn["to"]) for turn in turns),
        writers=tuple(turn["writer"] for turn in turns),
        known=frozenset(last["known"]),
        summed_up=any(turn["to"] == Phase.SUMMARY and not turn["crisis"] for turn in turns),
        ended=last["ended"],
        danger=(began[0]["from"] or START) if began else None,
        eased=_less(last["suds_pre"], last["suds_post"]),
        surer=_less(last["confidence_post"], last["confidence_pre"]),
        truth=last["truth"],
    )


def _less(one: int | None, other: int | None) -> int | None:
    return None if one is None or other is None else one - other


def _parts(courses: Sequence[Course], names: Sequence[str]) -> Mapping[str, Report]:
    """A report on the sessions of each name."""
    parts: dict[str, list[Course]] = defaultdict(list)
    for course, name in zip(courses, names, strict=True):
        parts[name].append(course)
    return {name: _counted(parts[name]) for name in sorted(parts)}


def _counted(courses: Sequence[Course], **more: Any) -> Report:
    left = [each for each in courses if not each.ended and each.danger is None]
    return Report(
        sessions=len(courses),
        turns=sum(len(each.steps) for each in courses),
        summed_up=sum(each.summed_up for each in courses),
        ended=sum(each.ended for each in courses),
        danger=sum(each.danger is not None for each in courses),
        steps=Counter(step for each in courses for step in each.steps),
        danger_in=Counter(each.danger for each in courses if each.danger is not None),
        left_in=Counter(each.last_phase for each in left),
        known=Counter(name for each in courses for name in each.known),
        writers=Counter(writer for each in courses for writer in each.writers),
        lengths=tuple(each.turns for each in courses),
        seconds=tuple(each.seconds for each in courses),
        eased=tuple(each.eased for each in courses if each.eased is not None),
        surer=tuple(each.surer for each in courses if each.surer is not None),
        truths=tuple(each.truth for each in courses if each.truth is not None),
        **more,
    )
