"""The second reader in the coach: it may stop a reply, and its own failures stop nothing."""

from __future__ import annotations

from dataclasses import replace

import pytest
from coach_sample import CONCERN, HIGH, MILD, coach_of, reply

from handrail.domain.outcome import Answer, SafetyResponse
from handrail.domain.risk import Level
from handrail.domain.trace import Tracer
from handrail.engine import Engine
from handrail.flows.coach import Coach
from handrail.ports import Reading
from handrail.rails.crisis import SecondReader
from handrail.rails.release import Context


def second_of(engine: Engine) -> SecondReader:
    second = engine.front.second
    assert second is not None
    return second


def with_second(engine: Engine, **changes: object) -> Coach:
    coach = coach_of(engine)
    second = replace(second_of(engine), **changes)  # type: ignore[arg-type]
    return replace(coach, front=replace(coach.front, second=second))


def certain(engine: Engine) -> SecondReader:
    """A reader that takes every message for a danger."""
    second = second_of(engine)
    return replace(second, wording=Certain(), read=None)  # type: ignore[arg-type]


class Certain:
    """A wording that is always sure."""

    def log_odds(self, text: str) -> float:
        return 20.0


def test_what_the_second_reader_raises_is_answered_with_help(invented: Engine) -> None:
    coach = coach_of(invented)
    raised = reply(replace(coach, front=replace(coach.front, second=certain(invented))), CONCERN)
    assert isinstance(raised, SafetyResponse)
    assert raised.risk.level is Level.MODERATE
    assert raised.resources
    assert isinstance(reply(coach, CONCERN), Answer)


def test_the_engine_checks_with_both_readers(invented: Engine) -> None:
    assert invented.check(CONCERN).level is Level.NONE
    changed = replace(invented, front=replace(invented.front, second=certain(invented)))
    assert changed.check(CONCERN).level is Level.MODERATE
    alone = replace(invented, front=replace(invented.front, second=None))
    assert alone.check(HIGH) == invented.check(HIGH)


def test_a_message_is_embedded_once(invented: Engine) -> None:
    coach = coach_of(invented)
    asked: list[str] = []

    def read(text: str) -> Reading:
        asked.append(text)
        return coach.search.read(text)

    second = replace(second_of(invented), read=read)
    watched = replace(
        coach,
        front=replace(coach.front, second=second),
        search=replace(coach.search, read=read),
    )
    with_both = reply(watched, CONCERN)
    assert asked == [CONCERN]
    assert with_both.receipt.id == reply(coach, CONCERN).receipt.id


@pytest.mark.parametrize("message", [CONCERN, MILD])
def test_a_second_reader_that_breaks_changes_no_reply(invented: Engine, message: str) -> None:
    def broken(text: str) -> Reading:
        raise OSError(f"no model for {text}")

    coach = with_second(invented, read=broken)
    outcome = reply(coach, message)
    assert isinstance(outcome, Answer)
    step = outcome.trace.step("second_reader")
    assert step is not None
    assert step.facts["failed"] == "OSError"
    assert message not in str(step.facts)


def test_a_reader_that_fails_altogether_is_recorded(invented: Engine) -> None:
    def broken(text: str) -> object:
        raise KeyError(text)

    tracer = Tracer("t")
    admitted = with_second(invented, normalise=broken).front.admit(CONCERN, tracer)
    assert isinstance(admitted, Context)
    assert tracer.steps[1].facts == {"level": "none", "failed": "KeyError"}


def test_danger_that_the_screen_sees_is_not_read_again(invented: Engine) -> None:
    outcome = reply(coach_of(invented), HIGH)
    assert outcome.trace.step("second_reader") is None
