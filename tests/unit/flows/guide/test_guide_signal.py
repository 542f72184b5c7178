"""Which danger pins which entity: the screen hears, content answers (resolution 3)."""

from __future__ import annotations

import pytest
from guide_parts import heard

from handrail.content.entities import packaged_entities
from handrail.domain.risk import Dismissal, Level, Risk, Signal
from handrail.domain.text import Span
from handrail.flows.guide.signal import Signals
from handrail.flows.guide.triggers import TriggerHit

SIGNALS = Signals.packaged()
CRISIS, VIOLENCE, CHILD = "handler_crisis", "domestic_violence_safety", "child_abuse_disclosure"


def hit(entity_id: str, *, start: int = 0, critical: bool = True) -> TriggerHit:
    return TriggerHit(entity_id, 0, Span(start, start + 5), critical)


@pytest.mark.parametrize(
    ("kind", "level", "pinned"),
    [
        ("suicide", Level.HIGH, {CRISIS}),
        ("suicide", Level.MODERATE, {CRISIS}),
        ("suicide", Level.MILD, set()),
        ("harm_others", Level.HIGH, {CRISIS}),
        ("a kind of tomorrow", Level.HIGH, {CRISIS}),
        ("abuse", Level.HIGH, {CRISIS, VIOLENCE}),
        ("abuse", Level.MODERATE, {CRISIS, VIOLENCE}),
        ("coercive_control", Level.MILD, {VIOLENCE}),
        ("child_abuse", Level.MILD, {CHILD}),
    ],
)
def test_h31_the_screens_kinds_and_levels_pin(kind: str, level: Level, pinned: set[str]) -> None:
    found = SIGNALS.hear(heard(kind, level), [], {})
    assert set(found.pins) == pinned
    assert {pin.reason for pin in found.pins.values()} <= {"risk"}
    assert found.escalates is (level >= Level.MODERATE)
    assert found.risk == heard(kind, level)


def test_what_was_raised_without_a_signal_pins_too() -> None:
    assert set(SIGNALS.hear(Risk().raised(Level.HIGH, "model"), [], {}).pins) == {CRISIS}


def test_an_ordinary_message_pins_nothing() -> None:
    assert SIGNALS.hear(Risk(), [], {}).pins == {}


@pytest.mark.parametrize(
    ("entity_id", "level"),
    [(CRISIS, Level.MODERATE), (VIOLENCE, Level.MILD), (CHILD, Level.MODERATE)],
)
def test_h11_h31_an_entitys_own_trigger_is_heard_as_its_rule_says(
    entity_id: str, level: Level
) -> None:
    found = SIGNALS.hear(Risk(), [hit(entity_id)], {})
    beside = {CRISIS: "risk"} if found.escalates and entity_id != CRISIS else {}
    reasons = {name: pin.reason for name, pin in found.pins.items()}
    assert reasons == {entity_id: "trigger", **beside}
    assert found.risk.level is level
    assert found.risk.signals[-1].span == Span(0, 5)


def test_h32_a_trigger_without_the_flag_or_of_another_entity_pins_nothing() -> None:
    given = [hit(CRISIS, critical=False), hit("gray_rock")]
    assert SIGNALS.hear(Risk(), given, {}).pins == {}


def test_a_trigger_where_the_screen_set_the_words_aside_does_not_count() -> None:
    aside = Dismissal(rule="x", kind="suicide", span=Span(3, 9), reason="fiction")
    assert SIGNALS.hear(Risk(dismissed=(aside,)), [hit(CRISIS)], {}).pins == {}
    assert set(SIGNALS.hear(Risk(dismissed=(aside,)), [hit(CRISIS, start=9)], {}).pins) == {CRISIS}
    signal = Signal(rule="y", kind="suicide", level=Level.MILD, span=Span(4, 8), language="en")
    both = Risk(level=Level.MILD, kinds=("suicide",), signals=(signal,), dismissed=(aside,))
    assert set(SIGNALS.hear(both, [hit(CRISIS)], {}).pins) == {CRISIS}


def test_a_trigger_lowers_nothing() -> None:
    found = SIGNALS.hear(heard("suicide", Level.HIGH), [hit(VIOLENCE)], {})
    assert found.risk.level is Level.HIGH
    assert set(found.pins) == {CRISIS, VIOLENCE}


def test_what_fits_best_in_meaning_pins_from_its_strength_on_and_not_below() -> None:
    rule = next(one for one in SIGNALS.rules if one.entity == VIOLENCE)
    none = SIGNALS.hear(Risk(), [], {})
    assert SIGNALS.near(none, {VIOLENCE: rule.near - 0.01}, "text").pins == {}
    assert SIGNALS.near(none, {VIOLENCE: rule.near, "gray_rock": 0.99}, "text").pins == {}
    assert SIGNALS.near(none, {}, "text") == none
    found = SIGNALS.near(none, {VIOLENCE: 0.9 - rule.close, CHILD: 0.9, CRISIS: 0.85}, "text")
    assert {name: pin.reason for name, pin in found.pins.items()} == {
        CRISIS: "risk",  # a child's disclosure asks for help first
        VIOLENCE: "meaning",
        CHILD: "meaning",
    }
    lone = SIGNALS.near(none, {VIOLENCE: 0.89 - rule.close, CHILD: 0.9}, "text")
    assert set(lone.pins) == {CRISIS, CHILD}
    assert found.risk.signals[-1].span == Span(0, 4)


def test_h32_the_crisis_entity_is_flagged_and_its_priority_is_below_90() -> None:
    flagged = {one.entity_id: one.priority for one in packaged_entities() if one.safety_critical}
    assert set(flagged) == SIGNALS.entities
    assert flagged[CRISIS] == 89
