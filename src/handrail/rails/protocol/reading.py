"""From a person's message to the one event that it is for the protocol."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from handrail.domain.risk import Level, Risk, Signal, Subject
from handrail.rails.crisis.answers import Answer, read_reply
from handrail.rails.crisis.conversation import Heard
from handrail.rails.protocol.cues import Noticed
from handrail.rails.protocol.state import Event, Phase, State, Track
from handrail.rails.protocol.turn import Reading

_LETTER = re.compile(r"[^\W_]")

ASIDES: Sequence[str] = (
    "no-questions",
    "ai-asked",
    "privacy",
    "barrier-no-police",
    "barrier-locked-up",
    "barrier-immigration",
    "barrier-no-doctors",
    "barrier-no-privacy",
    "barrier-no-phone",
    "barrier-phone-fear",
    "barrier-cost",
    "barrier-tried",
    "barrier-burden",
    "barrier-shame",
    "barrier-family",
    "barrier-faith",
    "barrier-not-enough",
    "barrier-nobody",
    "third-tell",
    "diagnosis",
    "ack-anger",
    "cannot-know",
    "ack-willing",
    "ack-thanks",
)
"""Cues that a line of their own answers, gravest first; cue and line share the name."""

TOLD: Mapping[str, tuple[str, Answer]] = {
    "with-someone": ("ask-company", Answer.YES),
    "alone": ("ask-company", Answer.NO),
    "means-away": ("ask-distance", Answer.YES),
    "called": ("ask-call", Answer.YES),
    "cannot-call": ("ask-call", Answer.NO),
}
"""Cues that answer a question which was not asked, or not yet."""

_TRACKS: Mapping[str, Track] = {
    "overdose": Track.MEDICAL,
    "voices": Track.VOICES,
    "harm_others": Track.OTHERS,
    "child_abuse": Track.CHILD,
    "abuse": Track.ABUSE,
    "coercive_control": Track.ABUSE,
}
_HINTS = frozenset({"facilitation", "goodbye"})  # may be about oneself or about others
_BODY = frozenset({"suicide", "self_harm", "substance", "eating_disorder"})
_NEAR_PEOPLE = frozenset({"ask-company", "ask-trusted", "ask-with-them", "ask-adult"})
_GOING = frozenset({"ask-call", "ask-willing"})
_BY_FORCE = frozenset({Track.ABUSE, Track.CHILD, Track.WITNESS, Track.OTHERS})
_HOME = frozenset({Track.ABUSE, Track.CHILD, Track.WITNESS})  # whoever is there may be the danger
_HAVING = frozenset({"ask-means", "ask-others-means"})
_WHENS = frozenset({"ask-plan", "ask-when", "ask-means"})


def read(state: State, heard: Heard, message: str, noticed: Noticed) -> Reading:
    """The reading of ``message``, which ``heard`` is about and in which ``noticed`` was found."""
    cues = noticed.cues
    new = _new(heard)
    gravest = max(new, key=lambda signal: _gravity(signal, cues), default=None)
    answer = _answer(state, message)
    event = _event(state, heard.risk, gravest, cues, answer, message)
    if event is Event.IMMINENT:  # what is about to happen may have been said before
        gravest = max(_said(heard.risk), key=lambda signal: _gravity(signal, cues), default=gravest)
    tracks = [_track(signal, cues) for signal in new if signal.level >= Level.MODERATE]
    if Track.OTHERS in tracks:  # a child whom the person fears to hurt is one danger, not two
        tracks = [track for track in tracks if track is not Track.CHILD]
    return Reading(
        event=event,
        track=_track(gravest, cues) if gravest and gravest.level >= Level.MODERATE else None,
        also=tuple(tracks),
        answer=answer,
        direct=any(_direct(signal) for signal in new),
        facts=tuple(_facts(state, new, cues, answer)),
        asides=_asides(state, cues, event),
        quiet="no-questions" in cues,
        wants_numbers="numbers" in cues,
        language=heard.risk.language or noticed.language,
    )


def _new(heard: Heard) -> list[Signal]:
    """Signals of rules that had not fired before in this session."""
    counts = dict(heard.state.counts)
    signals = _said(heard.risk)
    now = [signal.rule for signal in signals]
    return [signal for signal in signals if counts.get(signal.rule, 0) <= now.count(signal.rule)]


def _said(risk: Risk) -> list[Signal]:
    """The signals that words of the person gave; the protocol knows itself what it asked.

    Words that may be read of oneself and of somebody else are the person's own.
    """
    said = [signal for signal in risk.signals if ".asked." not in signal.rule]
    own = [signal.span for signal in said if signal.subject is Subject.SELF]
    return [
        signal
        for signal in said
        if not (
            _is_third(signal)
            and any(o.start < signal.span.end and signal.span.start < o.end for o in own)
        )
    ]


def _gravity(signal: Signal, cues: frozenset[str]) -> tuple[Level, bool, int, int]:
    """What a turn is about: the gravest words, plain ones before hints, then by kind of danger.

    Between oneself and others it is what was said first.
    """
    track = _track(signal, cues)
    rank = Track.SELF.rank if track is Track.OTHERS else track.rank
    return signal.level, signal.kind not in _HINTS, -rank, -signal.span.start


def _track(signal: Signal, cues: frozenset[str]) -> Track:
    if signal.subject is Subject.OTHER:
        return Track.OTHERS
    if signal.kind == "child_abuse":
        return Track.CHILD
    if signal.subject is Subject.THIRD:
        return Track.WITNESS if _TRACKS.get(signal.kind) is Track.ABUSE else Track.THIRD
    if signal.kind in _BODY and signal.level is Level.HIGH and "injury" in cues:
        return Track.MEDICAL
    return _TRACKS.get(signal.kind, Track.SELF)


def _answer(state: State, message: str) -> Answer:
    """The answer to our question; a silence is none."""
    if state.pending is None or not _LETTER.search(message):
        return Answer.NONE
    return read_reply(message).answer


def _event(
    state: State,
    risk: Risk,
    gravest: Signal | None,
    cues: frozenset[str],
    answer: Answer,
    message: str,
) -> Event:
    if not _LETTER.search(message):
        return Event.SILENCE
    talked = state.phase is not Phase.CALM
    child = any(signal.kind == "child_abuse" for signal in _said(risk))
    grave = [s for s in _said(risk) if s.level is Level.HIGH and not (child and _is_third(s))]
    if any(_is_now(signal, cues) for signal in grave):
        return Event.IMMINENT
    if gravest and gravest.level is Level.HIGH:
        return _told(state, cues, answer)
    if talked and ("at-hand" in cues or (state.track in _BY_FORCE and "danger-now" in cues)):
        return Event.IMMINENT
    if "method" in cues and (talked or risk.level > Level.NONE):
        return Event.METHOD
    if talked and "retract" in cues:
        return Event.RETRACT
    if "stop" in cues:
        return Event.STOP
    if answer is not Answer.NONE:
        return Event(answer.value)
    if (gravest or risk).level is Level.MODERATE or (talked and risk.level > Level.MODERATE):
        return Event.SIGN if gravest or state.phase is not Phase.DENIED else Event.TALK
    trivial = gravest is None or gravest.kind == "slang"
    return Event.TALK if trivial else Event.MILD


def _told(state: State, cues: frozenset[str], answer: Answer) -> Event:
    """Grave words that answer our question are that answer."""
    if "method" in cues:
        return Event.METHOD
    asked = state.phase in (Phase.ASKED, Phase.ACTIVE) and answer is Answer.YES
    return Event.YES if asked else Event.GRAVE


def _is_third(signal: Signal) -> bool:
    return signal.subject is Subject.THIRD


def _is_now(signal: Signal, cues: frozenset[str]) -> bool:
    """Whether a grave signal is about this moment."""
    track = _track(signal, cues)
    if track in (Track.MEDICAL, Track.THIRD):
        return True
    return bool(cues & {"now", "at-hand"})


def _direct(signal: Signal) -> bool:
    own = signal.subject is Subject.SELF and signal.level is Level.HIGH
    return own and signal.kind == "suicide"


def _facts(
    state: State, new: Sequence[Signal], cues: frozenset[str], answer: Answer
) -> Iterator[tuple[str, Answer]]:
    if any(s.subject is Subject.OTHER and s.level is Level.HIGH for s in new):
        yield "ask-harm", Answer.YES
    if state.pending in _WHENS and answer is not Answer.NO and cues & {"now", "at-hand"}:
        yield "ask-when", Answer.YES
    if state.phase is not Phase.CALM:
        told = cues - {"with-someone"} if state.track in _HOME else cues
        yield from (TOLD[cue] for cue in sorted(told & TOLD.keys()))
    if state.pending in _GOING and "will-call" in cues and "not-willing" not in cues:
        yield state.pending, Answer.YES
    if state.pending in _HAVING and answer is Answer.NONE and "has-it" in cues:
        yield state.pending, Answer.YES
    if state.pending == "ask-near" and answer is Answer.NONE and "they-are-near" in cues:
        yield state.pending, Answer.YES
    if state.pending in _NEAR_PEOPLE and "barrier-nobody" in cues:
        yield state.pending, Answer.NO
    elif state.pending in _NEAR_PEOPLE and "names-someone" in cues and answer is not Answer.NO:
        yield state.pending, Answer.YES


def _asides(state: State, cues: frozenset[str], event: Event) -> tuple[str, ...]:
    """What deserves a line of its own; barriers only once there is something to bar."""
    if event in (Event.STOP, Event.RETRACT, Event.SILENCE):
        return ()
    if "not-willing" in cues:
        cues -= {"ack-willing"}
    calm = state.phase is Phase.CALM
    return tuple(cue for cue in ASIDES if cue in cues and not (calm and cue.startswith("barrier-")))
