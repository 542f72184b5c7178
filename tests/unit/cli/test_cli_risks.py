"""The screen's verdict in words that a person understands."""

from __future__ import annotations

import pytest

from handrail.adapters.re2 import Re2Engine
from handrail.cli.risks import REASONS, risk_lines, risk_text
from handrail.content.loader import read_yaml
from handrail.domain.risk import Risk
from handrail.rails.crisis import CrisisScreen, load_screen


@pytest.fixture(scope="module")
def screen() -> CrisisScreen:
    return load_screen(Re2Engine())


def test_c70_a_check_says_whose_danger_it_is(screen: CrisisScreen) -> None:
    """C70: worry about somebody else is told apart from danger to the writer."""
    risk = screen.check("My brother wants to kill himself and I can't do this anymore")
    assert risk_text(risk).splitlines() == [
        f"moderate: {', '.join(risk.kinds)}",
        "  somebody else in danger: moderate",
        "  danger to the writer: mild",
    ]
    assert risk_text(Risk()) == "none"


def test_a_rule_that_fired_is_named_with_its_place_and_not_its_words(screen: CrisisScreen) -> None:
    (line,) = risk_lines(screen.check("today I want to die"))
    first, about = " ".join(line.split()).split(": ")
    assert first == "fired en.suicide.wish [en] at characters 6 to 19"
    assert about == "high, suicide, danger to the writer"


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("I do not want to die", "denied by the words right before it"),
        ("I want to end it all with this project", "said of a thing, not of a life"),
        ("I wanted to die of embarrassment", "part of a figure of speech"),
        ("in my novel the hero wants to die", "told of a story"),
        ("what is the tallest bridge in the state", "grave only beside a loss"),
    ],
)
def test_a_rule_set_aside_says_why_in_words(screen: CrisisScreen, said: str, why: str) -> None:
    lines = list(risk_lines(screen.check(said)))
    assert lines
    assert all(line.startswith("set aside") for line in lines)
    assert any(why in line for line in lines)
    assert len(set(lines)) == len(lines)


def test_a_message_that_no_rule_knows_says_so(screen: CrisisScreen) -> None:
    assert list(risk_lines(screen.check("the bus was late"))) == ["no rule matched"]


@pytest.mark.parametrize("language", ["en", "es"])
def test_every_reason_of_an_idiom_has_its_words(language: str) -> None:
    reasons = {idiom["reason"] for idiom in read_yaml(f"crisis/{language}.yaml")["idioms"]}
    assert reasons <= REASONS.keys()
