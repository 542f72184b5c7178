"""A message within its conversation: what was asked before it, and what was heard before that.

`hear` is pure. It takes the state of a session and gives the next one; a state holds kinds, levels,
counts and rule ids, never words. What it hears only ever raises the session's level; the rules
that lower it are in `latch` and are called by name.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from handrail.domain.risk import Dismissal, Level, Risk, Signal, Subject
from handrail.domain.text import Span
from handrail.rails.crisis.answers import Answer, Reading, read_reply
from handrail.rails.crisis.ear import Ear, Question, gravest
from handrail.rails.crisis.folding import fold
from handrail.rails.crisis.latch import QUIET_TURNS, Latch
from handrail.rails.crisis.normalise import Normal
from handrail.rails.crisis.screen import Context, CrisisScreen

STRAIN = "conversation.strain"
_STRAIN_KIND = "exhaustion"
_WORD = re.compile(r"[^\W_]+")
_ENDS = ".?!\n"
_WRITER = frozenset({"i", "im", "ive", "id", "ill", "yo"})
_DENIALS_NEEDED = 2
_STRAIN_SENTENCES = 3  # fewer are met in everyday distress; an editorial choice, see the docs

Counts = tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """What a session remembers; every tuple of names is sorted and holds each once.

    ``heard`` are kinds of danger to the writer and cues, ``told`` kinds of somebody else's danger,
    ``signs`` in how many sentences each sign of strain stood, ``counts`` how often a rule fired,
    ``denials`` the turns of plain denials since the last signal of danger to the writer.
    """

    turn: int = 0
    latch: Latch = field(default_factory=Latch)
    heard: tuple[str, ...] = ()
    told: tuple[str, ...] = ()
    signs: Counts = ()
    counts: Counts = ()
    denials: tuple[int, ...] = ()
    last_signal: int = 0

    def denied_twice(self) -> State:
        """The state after the rule `DENIED_TWICE`; as it is where the rule does not hold."""
        quiet = self.turn - self.last_signal >= QUIET_TURNS
        if not quiet or len(self.denials) < _DENIALS_NEEDED:
            return self
        return replace(self, latch=self.latch.denied_twice(turn=self.turn))

    def released(self, subject: Subject, level: Level, *, by: str) -> State:
        """The state after a person lowered the level of ``subject``; see `Latch.released`."""
        latch = self.latch.released(subject, level, turn=self.turn, by=by)
        return replace(self, latch=latch)

    def to_json(self) -> dict[str, Any]:
        """The state as plain values."""
        return {
            "turn": self.turn,
            "latch": self.latch.to_json(),
            "heard": list(self.heard),
            "told": list(self.told),
            "signs": dict(self.signs),
            "counts": dict(self.counts),
            "denials": list(self.denials),
            "last_signal": self.last_signal,
        }

    @staticmethod
    def from_json(body: Mapping[str, Any]) -> State:
        """What `to_json` gave; raises `KeyError` or `ValueError` for anything else."""
        return State(
            turn=int(body["turn"]),
            latch=Latch.from_json(body["latch"]),
            heard=_names(body["heard"]),
            told=_names(body["told"]),
            signs=_counted(body["signs"]),
            counts=_counted(body["counts"]),
            denials=tuple(map(int, body["denials"])),
            last_signal=int(body["last_signal"]),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """The risk of one message in its context, and the state of the session after it."""

    risk: Risk
    state: State


def hear(screen: CrisisScreen, state: State, message: str, *, before: str | None = None) -> Heard:
    """Read ``message``, which follows the other side's turn ``before`` where there was one.

    The level of the risk is never lower than that of the message alone, but for words that a plain
    denial takes up from the question it denies. Offsets count code points of ``message``.
    """
    context = Context(heard=frozenset(state.heard), told=frozenset(state.told))
    read = screen.read(message)
    risk = screen.judge(read, context)
    asked = screen.ear.asked(before) if before else ()
    if asked and screen.ear.claims_safety(read.normal):
        asked = tuple(question for question in asked if not question.asks_for_a_yes)
    reply = read_reply(message) if asked else Reading()
    if reply.answer is Answer.NO and before:
        risk = _without_echoes(risk, message, before)
    risk = _with(risk, _answers(asked, reply, message))
    signs = _counted(Counter(dict(state.signs)) + screen.ear.signs(read.normal))
    risk = _with(risk, _strain(screen.ear, state.signs, signs, read.normal, len(message)))
    company = screen.company(read)
    return Heard(risk=risk, state=_after(state, risk, company, signs, denied=_denied(asked, reply)))


def _answers(asked: Sequence[Question], reply: Reading, message: str) -> Iterator[Signal]:
    """What the answer means, to the gravest question of each subject.

    A denial that goes on with "but" adds nothing, for what follows is read for itself.
    """
    if reply.answer is Answer.NONE or reply.qualified:
        return
    for subject in Subject:
        about = [question for question in asked if question.subject is subject]
        question = gravest(about, reply.answer)
        if question is None:
            continue
        level = question.levels[reply.answer]
        if _ambiguous(question, about, reply):
            level = min(level, question.levels[Answer.UNSURE])
        if level is not Level.NONE:
            yield Signal(
                rule=question.id,
                kind=question.kind,
                level=level,
                span=Span(0, len(message)),
                language=question.language,
                subject=subject,
                notes=(f"answered {reply.answer.value} to a direct question",),
            )


def _ambiguous(question: Question, about: Sequence[Question], reply: Reading) -> bool:
    """Whether an answer may belong to another question; it then counts as unsure at most."""
    if question.asks_for_a_yes and reply.answer is Answer.NO:
        both_ways = not all(other.asks_for_a_yes for other in about)
        return both_ways or not (reply.whole and question.open)
    return not question.open


def _strain(
    ear: Ear, before: Counts, signs: Counts, normal: Normal, length: int
) -> Iterator[Signal]:
    """A signal when signs about the future and about oneself have come together, once."""
    if _weighs(ear, signs) and not _weighs(ear, before):
        yield Signal(
            rule=STRAIN,
            kind=_STRAIN_KIND,
            level=Level.MODERATE,
            span=Span(0, length),
            language=ear.tongue(normal) or "en",
            notes=(f"together: {', '.join(sign for sign, _ in signs)}",),
        )


def _weighs(ear: Ear, signs: Counts) -> bool:
    """Whether strain is told in enough sentences, and of both sides."""
    told = [(ear.sides[sign], count) for sign, count in signs if sign in ear.sides]
    return len({side for side, _ in told}) > 1 and sum(n for _, n in told) >= _STRAIN_SENTENCES


def _denied(asked: Sequence[Question], reply: Reading) -> bool:
    """Whether danger to the writer was asked about and plainly denied."""
    own = [question for question in asked if question.subject is Subject.SELF]
    return reply.answer is Answer.NO and any(
        question.levels[Answer.NO] is Level.NONE for question in own
    )


def _without_echoes(risk: Risk, message: str, before: str) -> Risk:
    """The risk without signals that only take up the question: "suicide? no, never"."""
    known = _words(before)
    echoes = [s for s in risk.signals if _is_echo(s, message, known)]
    if not echoes:
        return risk
    kept = tuple(signal for signal in risk.signals if signal not in echoes)
    denied = tuple(
        Dismissal(rule=s.rule, kind=s.kind, span=s.span, reason="denied when asked") for s in echoes
    )
    return Risk(
        level=max((signal.level for signal in kept), default=Level.NONE),
        kinds=_kinds(kept),
        signals=kept,
        dismissed=(*risk.dismissed, *denied),
    )


def _is_echo(signal: Signal, message: str, known: frozenset[str]) -> bool:
    """Whether a signal has only words of the question, and its sentence claims nothing.

    A high signal must be asked back, as in "killing myself? no"; "no, want to die" is no echo.
    """
    if not _words(signal.span.of(message)) <= known:
        return False
    start = max(message.rfind(mark, 0, signal.span.start) for mark in _ENDS) + 1
    ends = [at for mark in _ENDS if (at := message.find(mark, signal.span.end)) >= 0]
    end = min(ends, default=len(message))
    if message[end : end + 1] == "?":
        return True
    return signal.level < Level.HIGH and not (_words(message[start:end]) & _WRITER)


def _words(text: str) -> frozenset[str]:
    """Folded words with the person set aside: "myself" and "yourself" are one."""
    return frozenset(map(_personless, _WORD.findall(fold(text)[0].replace("'", ""))))


def _personless(word: str) -> str:
    if word in ("my", "your", "myself", "yourself", "me", "you"):
        return word.replace("your", "my").replace("you", "me")
    return word[:-2] + "te" if word.endswith("rme") else word


def _with(risk: Risk, more: Iterator[Signal]) -> Risk:
    signals = (*risk.signals, *more)
    return Risk(
        level=max((signal.level for signal in signals), default=risk.level),
        kinds=_kinds(signals) or risk.kinds,
        signals=signals,
        dismissed=risk.dismissed,
    )


def _kinds(signals: Sequence[Signal]) -> tuple[str, ...]:
    by_gravity = sorted(signals, key=lambda signal: (-signal.level, signal.span))
    return tuple(dict.fromkeys(signal.kind for signal in by_gravity))


def _after(
    state: State, risk: Risk, company: frozenset[str], signs: Counts, *, denied: bool
) -> State:
    turn = state.turn + 1
    latch = state.latch
    for signal in risk.signals:
        latch = latch.raised(signal.subject, signal.level, turn=turn, by=signal.rule)
    own = {signal.kind for signal in risk.signals if signal.subject is Subject.SELF}
    third = {signal.kind for signal in risk.signals if signal.subject is Subject.THIRD}
    fresh = risk.level_for(Subject.SELF) >= Level.MODERATE
    fired = Counter(signal.rule for signal in risk.signals)
    return State(
        turn=turn,
        latch=latch,
        heard=tuple(sorted({*state.heard, *own, *company})),
        told=tuple(sorted({*state.told, *third})),
        signs=signs,
        counts=_counted(Counter(dict(state.counts)) + fired),
        denials=() if fresh else (*state.denials, turn) if denied else state.denials,
        last_signal=turn if fresh else state.last_signal,
    )


def _counted(counts: Mapping[str, int]) -> Counts:
    return tuple(sorted((str(name), int(count)) for name, count in counts.items()))


def _names(values: Sequence[object]) -> tuple[str, ...]:
    return tuple(sorted(map(str, values)))
