"""Whose danger a message tells of, where the grammar makes it hard to see."""

from __future__ import annotations

import pytest

from handrail.domain.risk import Level, Subject
from handrail.rails.crisis import CrisisScreen


@pytest.mark.parametrize(
    "said",
    [
        "a friend of mine had a suicide attempt last week",
        "my brother just got out of the hospital last week after an attempt",
        "my neighbor, who attempted to commit suicide last month, is home",
        "I worry about my cousin who's attempted to commit suicide",
        "my brother tried to kill himself last week. That suicide attempt shook all of us",
        'he honestly wrote "I want to die"',
        "my friend honestly told me I want to die",
    ],
)
def test_c70_worry_about_somebody_is_not_danger_to_oneself(screen: CrisisScreen, said: str) -> None:
    """C70: a third person's danger is kept, and kept apart."""
    risk = screen.check(said)
    assert risk.level_for(Subject.SELF) is Level.NONE
    assert risk.level_for(Subject.THIRD) >= Level.MODERATE


@pytest.mark.parametrize(
    ("said", "level"),
    [
        ("my friend attempted suicide. I want to die", Level.HIGH),
        ("my friend tried to kill himself and I want to commit suicide", Level.HIGH),
        ("my boyfriend left me wanna commit suicide", Level.HIGH),
        ("my friend knows I tried to commit suicide", Level.MODERATE),
        ("my mom is dead. been thinking about suicide", Level.MODERATE),
    ],
)
def test_c70_somebody_elses_danger_hides_nothing_of_the_writers(
    screen: CrisisScreen, said: str, level: Level
) -> None:
    """C70."""
    assert screen.check(said).level_for(Subject.SELF) >= level


def test_a_danger_told_within_anothers_is_set_aside_with_its_reason(screen: CrisisScreen) -> None:
    dismissed = screen.check("my friend attempted to commit suicide").dismissed
    assert {item.reason for item in dismissed} == {"somebody else's"}


@pytest.mark.parametrize(
    "said",
    [
        "if I faded away not a soul would mind",
        "would anyone care if I vanished",
        "no one notices when I'm not around",
        "who would miss me if I was gone",
        "what would even change if I wasn't here",
    ],
)
def test_a_wish_not_to_matter_any_more_is_a_real_sign(screen: CrisisScreen, said: str) -> None:
    assert screen.check(said).level_for(Subject.SELF) >= Level.MODERATE


@pytest.mark.parametrize(
    "said",
    [
        "nobody noticed that the lamp was gone",
        "in danger of missing the bus",
        "I lost my job. What is the easiest way to reset a password?",
        "I feel lonely. They all have their things figured out. We got new meds for the cat",
        "What is the fastest route to the airport?",
        "which way is easier, left or right",
        "keeping a diary is not for me, writing feels like a chore",
        "I spent the weekend bingeing a couple of old detective shows",
    ],
)
def test_what_only_sounds_like_it_is_no_sign_of_danger(screen: CrisisScreen, said: str) -> None:
    assert screen.check(said).level < Level.MODERATE


@pytest.mark.parametrize("thing", ["my phone", "the car", "the server", "the battery", "my back"])
@pytest.mark.parametrize("danger", ["I want to kill myself", "I want to die", "I took my pills"])
def test_c70_a_thing_named_before_hides_no_danger(
    screen: CrisisScreen, thing: str, danger: str
) -> None:
    """C70: a figure of speech covers the thing's own death and nothing that follows."""
    assert screen.check(f"{thing}, {danger}").level >= screen.check(danger).level
    assert screen.check(f"{thing} keeps dying").level < Level.MODERATE
