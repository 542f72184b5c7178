"""C23, C38, resolution 6: which level stops a flow, which line and whose help answer it."""

from __future__ import annotations

from typing import get_args

import pytest

from handrail.content import load_coach
from handrail.domain.risk import Level, Risk, Signal, Subject
from handrail.domain.text import Span
from handrail.flows.coach.policy import K
from handrail.rails.crisis.lexicon import Kind
from handrail.rails.escalation import (
    ABUSE_KINDS,
    MAX_MESSAGE_CHARS,
    OTHERS_KINDS,
    escalates,
    safety_lines,
    topics,
)
from handrail.rails.helplines import Helplines


def risk(level: Level, *signals: tuple[str, Level, Subject]) -> Risk:
    made = tuple(
        Signal(rule="r", kind=kind, level=at, span=Span(0, 1), language="en", subject=subject)
        for kind, at, subject in signals
    )
    return Risk(level=level, kinds=tuple(dict.fromkeys(s.kind for s in made)), signals=made)


def own(kind: str, level: Level = Level.HIGH) -> tuple[str, Level, Subject]:
    return kind, level, Subject.SELF


def test_c2_three_cases() -> None:
    assert K == 3


def test_c38_moderate_and_high_stop_the_coach_and_mild_does_not() -> None:
    assert [escalates(Risk(level=level)) for level in Level] == [False, False, True, True]


def test_the_kinds_that_policy_names_are_kinds_that_the_screen_gives() -> None:
    assert set(get_args(Kind)) >= ABUSE_KINDS | OTHERS_KINDS


@pytest.mark.parametrize(
    ("danger", "line"),
    [
        (risk(Level.HIGH, own("suicide")), "safety-high"),
        (risk(Level.MODERATE, own("passive_ideation", Level.MODERATE)), "safety-moderate"),
        (risk(Level.HIGH, own("abuse")), "safety-abuse"),
        (risk(Level.MODERATE, own("coercive_control", Level.MODERATE)), "safety-abuse"),
        (risk(Level.HIGH, ("child_abuse", Level.HIGH, Subject.THIRD)), "safety-abuse"),
        (risk(Level.HIGH, ("harm_others", Level.HIGH, Subject.OTHER)), "safety-others"),
        (risk(Level.HIGH, ("suicide", Level.HIGH, Subject.THIRD)), "safety-third"),
        (risk(Level.HIGH, own("suicide"), own("abuse")), "safety-high"),
        (risk(Level.HIGH, own("abuse"), own("suicide", Level.MODERATE)), "safety-abuse"),
        (Risk(level=Level.HIGH, kinds=("model",)), "safety-high"),
        (Risk(level=Level.MODERATE, kinds=("model",)), "safety-moderate"),
    ],
)
def test_c38_the_line_fits_the_gravest_danger(danger: Risk, line: str) -> None:
    assert safety_lines(danger) == (line,)


@pytest.mark.parametrize("language", ["en", "es"])
def test_every_safety_line_is_a_reviewed_one_in_each_language(language: str) -> None:
    content = load_coach()
    names = ("high", "moderate", "abuse", "others", "third")
    texts = {content.notice(f"safety-{name}", language).text for name in names}
    assert len(texts) == len(names)


@pytest.mark.parametrize(
    ("kinds", "wanted"),
    [
        (("suicide",), "suicide"),
        (("model",), "suicide"),
        (("abuse", "suicide"), "domestic-violence"),
        (("coercive_control",), "domestic-violence"),
        (("child_abuse",), "child-abuse"),
    ],
)
def test_the_topics_fit_the_danger_and_are_ones_that_helplines_have(
    kinds: tuple[str, ...], wanted: str
) -> None:
    found = topics(Risk(level=Level.HIGH, kinds=kinds))
    assert found[0] == wanted
    known = {t for c in Helplines.packaged().countries for line in c.helplines for t in line.topics}
    assert set(found) <= known


def test_an_ordinary_message_asks_for_no_topic() -> None:
    assert topics(Risk()) == ()


def test_the_longest_message_is_far_beyond_what_an_embedding_reads() -> None:
    assert MAX_MESSAGE_CHARS == 20_000
