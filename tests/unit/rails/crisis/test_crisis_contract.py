"""What the contracts name outright: C22, C70 and section 6.4 of the product contract."""

from __future__ import annotations

import pytest

from handrail.domain.risk import Level
from handrail.rails.crisis import CrisisScreen


@pytest.mark.parametrize(
    "said",
    ["suicide", "kill myself", "end it all", "I shouldn't be here", "hurt myself", "hurt others"],
)
def test_c22_the_front_gate_sees_at_least_these(screen: CrisisScreen, said: str) -> None:
    """C22."""
    assert screen.check(f"I want to {said}" if said == "end it all" else said).level > Level.MILD


@pytest.mark.parametrize(
    "said",
    [
        "I want to hurt myself",
        "I want to die",
        "I'm going to kill myself",
        "I want to end it all",
        "I shouldn't be here",
        "I have no hope and want to die tonight",
        "I am not joking, I will kill myself tonight",
        "I don’t feel safe",
        "i wanna die",
        "quiero morir",
    ],
)
def test_product_6_4_every_named_danger_is_seen(screen: CrisisScreen, said: str) -> None:
    assert screen.check(said).level >= Level.MODERATE


@pytest.mark.parametrize(
    "said",
    [
        "I was cutting onions",
        "overdose of sugar",
        "want to kill time before pickup",
        "wants to hurt my case in court",
        "my son is on a diet",
        "great parenting skills",
        "can't take it to the office",
        "I'm not suicidal",
    ],
)
def test_product_6_4_nothing_harmless_that_is_named_is_taken_for_danger(
    screen: CrisisScreen, said: str
) -> None:
    assert screen.check(said).level is Level.NONE


@pytest.mark.parametrize(
    ("said", "at_least"),
    [
        ("I want to kill myself", Level.HIGH),
        ("I want to end it all", Level.HIGH),
        ("I shouldn't be here", Level.MODERATE),
        ("better off dead", Level.MODERATE),
        ("no reason to live", Level.MODERATE),
        ("I shouldn't be here anymore", Level.MODERATE),
        ("I have no hope and want to die tonight", Level.HIGH),
    ],
)
def test_c70_what_earlier_screens_missed_is_seen(
    screen: CrisisScreen, said: str, at_least: Level
) -> None:
    """C70: a false negative is the failure that matters most."""
    assert screen.check(said).level >= at_least


@pytest.mark.parametrize(
    "said",
    [
        "I have no hope and want to die tonight",
        "I am not okay, I want to die",
        "I do not sleep or eat and I want to kill myself",
        "no, I want to kill myself",
        "I never told anyone but I'm going to kill myself",
        "it's not a phase. I want to die",
        "no puedo más y quiero morir",
        "nunca salgo, quiero matarme",
    ],
)
def test_c70_a_negation_never_crosses_into_another_clause(screen: CrisisScreen, said: str) -> None:
    """C70: a negation is scoped to the crisis predicate."""
    assert screen.check(said).level is Level.HIGH


@pytest.mark.parametrize(
    "said",
    [
        "I do not want to die",
        "I'm not going to kill myself",
        "I have never wanted to hurt myself or end my life",
        "no plans to kill myself",
        "no quiero morir",
        "nunca he pensado en suicidarme ni en hacerme daño",
    ],
)
def test_c70_a_denial_is_not_danger_and_says_why(screen: CrisisScreen, said: str) -> None:
    """C70."""
    risk = screen.check(said)
    assert risk.level is Level.NONE
    assert {dismissal.reason for dismissal in risk.dismissed} == {"negation"}


def test_a_guide_keyword_inside_another_word_is_nothing(screen: CrisisScreen) -> None:
    for said in ("my diet", "the soldier", "new skills", "snapchat", "close it", "studied"):
        assert screen.check(said).level is Level.NONE
