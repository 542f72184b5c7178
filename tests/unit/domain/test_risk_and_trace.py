"""A level can be raised and never lowered; a trace holds what happened, also when it raised."""

from __future__ import annotations

from contextlib import suppress

import pytest

from handrail.domain.risk import Level, Risk, Signal, Subject
from handrail.domain.text import Span
from handrail.domain.trace import Tracer


@pytest.mark.parametrize("start", Level)
@pytest.mark.parametrize("said", Level)
def test_a_second_reader_may_raise_and_never_lower(start: Level, said: Level) -> None:
    risk = Risk(level=start, kinds=("first",)).raised(said, "second")
    assert risk.level is max(start, said)
    assert ("second" in risk.kinds) == (said > start)
    assert "first" in risk.kinds


def test_raising_keeps_what_was_found() -> None:
    signal = Signal(rule="r", kind="k", level=Level.MILD, span=Span(0, 1), language="es")
    risk = Risk(level=Level.MILD, kinds=("k",), signals=(signal,)).raised(Level.HIGH, "k")
    assert risk.signals == (signal,)
    assert risk.kinds == ("k",)
    assert risk.language == "es"
    assert Risk().language is None


def _signal(subject: Subject, level: Level) -> Signal:
    return Signal(rule="r", kind="k", level=level, span=Span(0, 1), language="en", subject=subject)


def test_c70_whose_danger_it_is_is_told_apart_at_a_glance() -> None:
    """C70: worry about somebody else is not danger of one's own."""
    signals = (
        _signal(Subject.SELF, Level.MILD),
        _signal(Subject.THIRD, Level.HIGH),
        _signal(Subject.SELF, Level.MODERATE),
    )
    risk = Risk(level=Level.HIGH, kinds=("k",), signals=signals)
    assert {subject: risk.level_for(subject) for subject in Subject} == {
        Subject.SELF: Level.MODERATE,
        Subject.OTHER: Level.NONE,
        Subject.THIRD: Level.HIGH,
    }
    assert risk.subjects == (Subject.THIRD, Subject.SELF)
    assert Risk().subjects == ()


def test_subjects_of_one_level_come_self_first() -> None:
    signals = tuple(_signal(subject, Level.MILD) for subject in reversed(Subject))
    assert Risk(level=Level.MILD, signals=signals).subjects == tuple(Subject)


def test_a_level_is_named_in_lower_case() -> None:
    assert [level.label for level in Level] == ["none", "mild", "moderate", "high"]


def ticking() -> Tracer:
    ticks = iter(range(100))
    return Tracer("t", clock=lambda: float(next(ticks)))


def test_c46_a_step_has_its_duration_and_facts() -> None:
    tracer = ticking()
    with tracer.step("gate") as facts:
        facts["dropped"] = 2
    step = tracer.trace().step("gate")
    assert step is not None
    assert (step.ms, step.facts) == (1000.0, {"dropped": 2})
    assert tracer.trace().step("other") is None


def test_c46_a_step_that_raises_is_recorded() -> None:
    tracer = ticking()
    with suppress(ZeroDivisionError), tracer.step("gate"):
        _ = 1 / 0
    assert [step.name for step in tracer.trace().steps] == ["gate"]


def test_a_trace_is_not_changed_by_what_comes_later() -> None:
    tracer = ticking()
    before = tracer.trace()
    tracer.flags["crisis"] = True
    with tracer.step("late"):
        pass
    assert before.flags == {}
    assert before.steps == ()
