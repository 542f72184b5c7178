"""How long a session may be, and who may say so (A37, A50)."""

from __future__ import annotations

import json

import pytest

from handrail.errors import InvalidInput
from handrail.flows.reframe.limits import Limits
from handrail.settings import ReframeSettings


def test_a37_the_contracts_values_are_the_defaults_in_code_and_settings() -> None:
    limits, settings = Limits(), ReframeSettings()
    assert (limits.max_turns, limits.followups, limits.halfway) == (14, 3, 0.5)
    assert (limits.words, limits.summary_words) == (110, 160)
    assert (settings.max_turns, settings.followup_budget) == (14, 3)
    assert settings.halfway_point == 0.5
    assert (settings.word_limit, settings.summary_limit) == (110, 160)


def test_a12_a13_the_turns_of_the_banners_follow_from_the_limits() -> None:
    assert (Limits().halfway_turn, Limits().last_call) == (7, 13)
    assert (Limits(max_turns=9).halfway_turn, Limits(max_turns=9).last_call) == (4, 8)
    assert Limits(max_turns=6, halfway=0.01).halfway_turn == 1


@pytest.mark.parametrize(
    "broken",
    [
        {"max_turns": 5},
        {"max_turns": 41},
        {"followups": -1},
        {"followups": 11},
        {"halfway": 0.0},
        {"halfway": 1.0},
        {"halfway": float("nan")},
        {"words": 104},
        {"words": 401},
        {"summary_words": 149},
        {"summary_words": 601},
    ],
)
def test_a37_limits_that_no_session_can_keep_are_refused(broken: dict[str, float]) -> None:
    with pytest.raises(InvalidInput):
        Limits(**broken)


def test_a37_the_bounds_of_the_settings_are_bounds_of_the_limits() -> None:
    for max_turns, followups in ((6, 0), (40, 10)):
        ReframeSettings(max_turns=max_turns, followup_budget=followups)
        Limits(max_turns=max_turns, followups=followups)
    for words, summary in ((105, 150), (400, 600)):
        ReframeSettings(word_limit=words, summary_limit=summary)
        Limits(words=words, summary_words=summary)


@pytest.mark.parametrize("max_turns", [None, 6, 13, 14, 15, 40, 400])
@pytest.mark.parametrize("followups", [None, 0, 2, 3, 4, 10, 100])
def test_a50_a_wish_never_makes_a_session_longer(
    max_turns: int | None, followups: int | None
) -> None:
    wished = Limits().preferred(max_turns=max_turns, followups=followups)
    assert wished.max_turns == min(max_turns or 14, 14)
    assert wished.followups == min(3 if followups is None else followups, 3)
    assert wished.by == ""


@pytest.mark.parametrize("wish", [{"max_turns": 5}, {"max_turns": 0}, {"followups": -1}])
def test_a50_a_wish_that_no_session_can_keep_is_refused(wish: dict[str, int]) -> None:
    with pytest.raises(InvalidInput):
        Limits().preferred(**wish)


def test_a50_a_therapist_may_set_more_or_less_in_their_name() -> None:
    more = Limits().overridden(by="t-7", max_turns=20, followups=5)
    assert (more.max_turns, more.followups, more.by) == (20, 5, "t-7")
    less = more.overridden(by="t-8", followups=0)
    assert (less.max_turns, less.followups, less.by) == (20, 0, "t-8")


@pytest.mark.parametrize("name", ["", "  ", "\n"])
def test_a50_nobody_sets_limits_without_a_name(name: str) -> None:
    with pytest.raises(InvalidInput, match="somebody's name"):
        Limits().overridden(by=name, max_turns=20)


@pytest.mark.parametrize("asked", [{"max_turns": 0}, {"max_turns": 41}, {"followups": -1}])
def test_a50_not_even_a_therapist_goes_beyond_the_bounds(asked: dict[str, int]) -> None:
    with pytest.raises(InvalidInput):
        Limits().overridden(by="t-7", **asked)


def test_a50_a_wish_keeps_within_what_a_therapist_set() -> None:
    assert Limits().overridden(by="t-7", max_turns=8).preferred(max_turns=12).max_turns == 8


def test_a37_limits_come_back_from_json_as_they_were() -> None:
    limits = Limits(max_turns=9, followups=0, halfway=0.4, words=120, summary_words=150, by="t-7")
    assert Limits.from_json(json.loads(json.dumps(limits.to_json()))) == limits


@pytest.mark.parametrize("body", [{"turns": 14}, {"max_turns": "14"}, {"max_turns": 99}])
def test_a37_what_is_not_limits_is_refused(body: dict[str, object]) -> None:
    with pytest.raises((TypeError, InvalidInput)):
        Limits.from_json(body)
