"""One event for every turn of a person: what was heard, noticed and answered, told apart."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from handrail.domain.risk import Level, Risk, Signal, Subject
from handrail.domain.text import Span
from handrail.rails.crisis.answers import Answer
from handrail.rails.crisis.conversation import Heard
from handrail.rails.crisis.conversation import State as Ears
from handrail.rails.protocol.cues import Noticed
from handrail.rails.protocol.reading import read
from handrail.rails.protocol.state import Event, Phase, State, Track
from handrail.rails.protocol.turn import Reading

SELF, OTHER, THIRD = Subject
Said = Callable[[], Reading]


def signal(
    kind: str,
    level: Level = Level.HIGH,
    subject: Subject = SELF,
    at: int = 0,
    rule: str | None = None,
) -> Signal:
    return Signal(
        rule=rule or f"{kind}.rule",
        kind=kind,
        level=level,
        span=Span(at, at + 4),
        language="en",
        subject=subject,
    )


def of(*signals: Signal, **said: Any) -> Said:
    """A turn with these signals and cues, to be read when the test runs; see `_read`."""
    return partial(_read, *signals, **said)


def _read(
    *signals: Signal,
    cues: str = "",
    message: str = "well then",
    before: dict[str, int] | None = None,
    level: Level | None = None,
    **state: Any,
) -> Reading:
    """The reading of a turn with these signals and cues; ``before`` counts what fired so far."""
    counts = dict(before or {})
    for each in signals:
        counts[each.rule] = counts.get(each.rule, 0) + 1
    highest = max((s.level for s in signals), default=Level.NONE)
    risk = Risk(level=highest if level is None else level, kinds=(), signals=signals)
    ears = Ears(counts=tuple(sorted(counts.items())))
    noticed = Noticed(cues=frozenset(cues.split()), language="es" if cues else None)
    return read(State(**state), Heard(risk=risk, state=ears), message, noticed)


ACTIVE = {"phase": Phase.ACTIVE, "track": Track.SELF}
MODERATE, MILD = Level.MODERATE, Level.MILD


@pytest.mark.parametrize(
    ("said", "event"),
    [
        (of(), Event.TALK),
        (of(message=""), Event.SILENCE),
        (of(message="... !?"), Event.SILENCE),
        (of(message="_"), Event.SILENCE),
        (of(signal("suicide"), message="..."), Event.SILENCE),
        (of(signal("suicide")), Event.GRAVE),
        (of(signal("suicide"), cues="now"), Event.IMMINENT),
        (of(signal("suicide"), cues="at-hand"), Event.IMMINENT),
        (of(signal("suicide", MODERATE), cues="now"), Event.SIGN),
        (of(signal("overdose")), Event.IMMINENT),
        (of(signal("suicide", subject=THIRD)), Event.IMMINENT),
        (of(signal("abuse", subject=THIRD)), Event.GRAVE),
        (of(signal("suicide"), cues="injury"), Event.IMMINENT),
        (of(signal("self_harm"), cues="injury"), Event.IMMINENT),
        (of(signal("abuse"), cues="injury"), Event.GRAVE),
        (of(signal("child_abuse"), signal("suicide", subject=THIRD, at=9)), Event.GRAVE),
        (of(signal("suicide", MODERATE)), Event.SIGN),
        (of(signal("exhaustion", MILD)), Event.MILD),
        (of(signal("slang", MILD)), Event.TALK),
        (of(cues="at-hand"), Event.TALK),
        (of(cues="at-hand", **ACTIVE), Event.IMMINENT),
        (of(cues="danger-now", **ACTIVE), Event.TALK),
        (of(cues="danger-now", phase=Phase.ACTIVE, track=Track.ABUSE), Event.IMMINENT),
        (of(cues="danger-now", phase=Phase.ACTIVE, track=Track.CHILD), Event.IMMINENT),
        (of(cues="danger-now", phase=Phase.ACTIVE, track=Track.WITNESS), Event.IMMINENT),
        (of(cues="danger-now", phase=Phase.ACTIVE, track=Track.OTHERS), Event.IMMINENT),
        (of(cues="danger-now", phase=Phase.ACTIVE, track=Track.THIRD), Event.TALK),
        (of(cues="method"), Event.TALK),
        (of(cues="method", level=MILD), Event.METHOD),
        (of(cues="method", **ACTIVE), Event.METHOD),
        (of(signal("suicide"), cues="method"), Event.METHOD),
        (of(signal("suicide"), cues="method now"), Event.IMMINENT),
        (of(cues="retract"), Event.TALK),
        (of(cues="retract", **ACTIVE), Event.RETRACT),
        (of(cues="retract method", **ACTIVE), Event.METHOD),
        (of(cues="stop"), Event.STOP),
        (of(cues="stop retract", **ACTIVE), Event.RETRACT),
        (of(message="yes", pending="ask-plan", **ACTIVE), Event.YES),
        (of(message="no", pending="ask-plan", **ACTIVE), Event.NO),
        (of(message="I don't know", pending="ask-plan", **ACTIVE), Event.UNSURE),
        (of(message="yes", **ACTIVE), Event.TALK),
        (of(message="no", cues="stop", pending="ask-plan", **ACTIVE), Event.STOP),
        (of(signal("suicide"), message="yes", pending="ask-plan", **ACTIVE), Event.YES),
        (of(signal("suicide"), message="no", pending="ask-plan", **ACTIVE), Event.GRAVE),
        (
            of(signal("suicide"), message="yes", pending="ask-plan", phase=Phase.ASKED),
            Event.YES,
        ),
        (
            of(signal("suicide"), message="yes", pending="ask-again", phase=Phase.DENIED),
            Event.GRAVE,
        ),
        (of(level=MODERATE), Event.SIGN),
        (of(level=MODERATE, phase=Phase.DENIED), Event.TALK),
        (of(level=Level.HIGH), Event.TALK),
        (of(level=Level.HIGH, **ACTIVE), Event.SIGN),
    ],
)
def test_every_turn_is_one_event(said: Said, event: Event) -> None:
    assert said().event is event


def test_words_that_were_heard_before_are_no_new_sign() -> None:
    again = signal("suicide", MODERATE)
    assert _read(again, before={"suicide.rule": 1}, phase=Phase.DENIED).event is Event.TALK
    assert _read(again, before={"other.rule": 1}, phase=Phase.DENIED).event is Event.SIGN
    assert _read(again, signal("suicide", MODERATE, at=9), phase=Phase.DENIED).event is Event.SIGN
    assert _read(again, before={"suicide.rule": 1}).track is None


def test_what_is_about_to_happen_may_have_been_said_before() -> None:
    again = _read(signal("suicide"), before={"suicide.rule": 1}, cues="now")
    assert (again.event, again.track) == (Event.IMMINENT, Track.SELF)
    assert again.also == ()


def test_our_own_question_is_no_word_of_theirs() -> None:
    asked = _read(signal("suicide", rule="en.asked.suicide"), **ACTIVE)
    assert (asked.event, asked.track, asked.direct) == (Event.SIGN, None, False)


@pytest.mark.parametrize(
    ("signals", "cues", "track"),
    [
        ((signal("suicide"),), "", Track.SELF),
        ((signal("plan"),), "", Track.SELF),
        ((signal("voices"),), "", Track.VOICES),
        ((signal("overdose"),), "", Track.MEDICAL),
        ((signal("suicide"),), "injury", Track.MEDICAL),
        ((signal("substance"),), "injury", Track.MEDICAL),
        ((signal("eating_disorder"),), "injury", Track.MEDICAL),
        ((signal("self_harm", MODERATE),), "injury", Track.SELF),
        ((signal("harm_others"),), "", Track.OTHERS),
        ((signal("suicide", subject=OTHER),), "", Track.OTHERS),
        ((signal("abuse"),), "", Track.ABUSE),
        ((signal("coercive_control"),), "", Track.ABUSE),
        ((signal("child_abuse"),), "", Track.CHILD),
        ((signal("child_abuse", subject=THIRD),), "", Track.CHILD),
        ((signal("child_abuse", subject=OTHER),), "", Track.OTHERS),
        ((signal("suicide", subject=THIRD),), "", Track.THIRD),
        ((signal("abuse", subject=THIRD),), "", Track.WITNESS),
        ((signal("exhaustion", MILD),), "", None),
        ((signal("suicide", MODERATE), signal("abuse", at=9)), "", Track.ABUSE),
        ((signal("abuse"), signal("suicide", at=9)), "", Track.SELF),
        ((signal("goodbye"), signal("abuse", at=9)), "", Track.ABUSE),
        ((signal("facilitation"), signal("abuse", at=9)), "", Track.ABUSE),
        ((signal("suicide"), signal("harm_others", subject=OTHER, at=9)), "", Track.SELF),
        ((signal("harm_others", subject=OTHER), signal("suicide", at=9)), "", Track.OTHERS),
        ((signal("abuse"), signal("overdose", at=9)), "", Track.MEDICAL),
    ],
)
def test_the_gravest_danger_is_what_the_turn_is_about(
    signals: tuple[Signal, ...], cues: str, track: Track | None
) -> None:
    assert _read(*signals, cues=cues).track is track


def test_every_other_danger_is_kept_for_later() -> None:
    found = _read(signal("suicide"), signal("abuse", MODERATE, at=9), signal("slang", MILD, at=20))
    assert found.also == (Track.SELF, Track.ABUSE)
    feared = _read(signal("harm_others", subject=OTHER), signal("child_abuse", at=9))
    assert feared.also == (Track.OTHERS,)


def test_words_about_oneself_are_not_read_of_somebody_else_too() -> None:
    both = _read(signal("suicide"), signal("suicide", subject=THIRD, rule="third.rule"))
    assert (both.event, both.also) == (Event.GRAVE, (Track.SELF,))
    apart = _read(signal("suicide"), signal("suicide", subject=THIRD, at=4, rule="third.rule"))
    assert (apart.event, apart.also) == (Event.IMMINENT, (Track.SELF, Track.THIRD))


@pytest.mark.parametrize(
    ("one", "direct"),
    [
        (signal("suicide"), True),
        (signal("suicide", MODERATE), False),
        (signal("plan"), False),
        (signal("suicide", subject=THIRD), False),
    ],
)
def test_plain_words_about_ones_own_suicide_are_direct(one: Signal, direct: bool) -> None:
    assert _read(one).direct is direct


YES, NO = Answer.YES, Answer.NO


@pytest.mark.parametrize(
    ("said", "facts"),
    [
        (of(), ()),
        (of(signal("harm_others", subject=OTHER)), (("ask-harm", YES),)),
        (of(signal("harm_others", MODERATE, subject=OTHER)), ()),
        (of(cues="now", pending="ask-plan"), (("ask-when", YES),)),
        (of(cues="now", pending="ask-when"), (("ask-when", YES),)),
        (of(cues="at-hand", pending="ask-means"), (("ask-when", YES),)),
        (of(cues="now", pending="ask-safe"), ()),
        (of(cues="now", pending="ask-plan", message="no"), ()),
        (of(cues="alone"), ()),
        (of(cues="alone", **ACTIVE), (("ask-company", NO),)),
        (of(cues="with-someone", **ACTIVE), (("ask-company", YES),)),
        (of(cues="with-someone", phase=Phase.ACTIVE, track=Track.ABUSE), ()),
        (of(cues="with-someone", phase=Phase.ACTIVE, track=Track.CHILD), ()),
        (of(cues="with-someone", phase=Phase.ACTIVE, track=Track.WITNESS), ()),
        (of(cues="alone", phase=Phase.ACTIVE, track=Track.ABUSE), (("ask-company", NO),)),
        (of(cues="means-away", **ACTIVE), (("ask-distance", YES),)),
        (
            of(cues="called alone", **ACTIVE),
            (("ask-company", NO), ("ask-call", YES)),
        ),
        (of(cues="cannot-call", **ACTIVE), (("ask-call", NO),)),
        (of(cues="will-call", pending="ask-call"), (("ask-call", YES),)),
        (of(cues="will-call", pending="ask-willing"), (("ask-willing", YES),)),
        (of(cues="will-call not-willing", pending="ask-willing"), ()),
        (of(cues="will-call", pending="ask-plan"), ()),
        (of(cues="has-it", pending="ask-means"), (("ask-means", YES),)),
        (of(cues="has-it", pending="ask-others-means"), (("ask-others-means", YES),)),
        (of(cues="has-it", pending="ask-means", message="no"), ()),
        (of(cues="has-it", pending="ask-plan"), ()),
        (of(cues="they-are-near", pending="ask-near"), (("ask-near", YES),)),
        (of(cues="they-are-near", pending="ask-near", message="no"), ()),
        (of(cues="they-are-near", pending="ask-safe"), ()),
        (of(cues="names-someone", pending="ask-trusted"), (("ask-trusted", YES),)),
        (of(cues="names-someone", pending="ask-company"), (("ask-company", YES),)),
        (of(cues="names-someone", pending="ask-adult"), (("ask-adult", YES),)),
        (of(cues="names-someone", pending="ask-trusted", message="no"), ()),
        (of(cues="names-someone", pending="ask-plan"), ()),
        (of(cues="barrier-nobody", pending="ask-trusted"), (("ask-trusted", NO),)),
        (
            of(cues="barrier-nobody names-someone", pending="ask-with-them"),
            (("ask-with-them", NO),),
        ),
        (of(cues="barrier-nobody", pending="ask-plan"), ()),
    ],
)
def test_what_is_told_unasked_is_a_fact(said: Said, facts: tuple[tuple[str, Answer], ...]) -> None:
    assert said().facts == facts


@pytest.mark.parametrize(
    ("said", "asides"),
    [
        (of(cues="privacy ai-asked"), ("ai-asked", "privacy")),
        (of(cues="barrier-cost"), ()),
        (of(cues="barrier-cost", **ACTIVE), ("barrier-cost",)),
        (of(cues="barrier-cost privacy", **ACTIVE), ("privacy", "barrier-cost")),
        (of(cues="ack-willing"), ("ack-willing",)),
        (of(cues="ack-willing not-willing"), ()),
        (of(cues="ack-thanks not-willing"), ("ack-thanks",)),
        (of(cues="privacy stop"), ()),
        (of(cues="privacy retract", **ACTIVE), ()),
        (of(cues="privacy", message="..."), ()),
    ],
)
def test_what_deserves_a_line_of_its_own_is_told_gravest_first(
    said: Said, asides: tuple[str, ...]
) -> None:
    assert said().asides == asides


def test_wishes_about_the_talk_itself_are_read() -> None:
    assert _read(cues="no-questions").quiet
    assert _read(cues="numbers").wants_numbers
    plain = _read(cues="privacy")
    assert (plain.quiet, plain.wants_numbers, plain.country) == (False, False, None)


def test_the_language_is_that_of_the_danger_before_that_of_a_cue() -> None:
    assert _read(signal("suicide"), cues="privacy").language == "en"
    assert _read(cues="privacy").language == "es"
    assert _read().language is None


def test_a_silence_is_no_answer() -> None:
    assert _read(message="...", pending="ask-plan").answer is Answer.NONE
    assert _read(message="yes", pending="ask-plan").answer is Answer.YES
    assert _read(message="yes").answer is Answer.NONE
