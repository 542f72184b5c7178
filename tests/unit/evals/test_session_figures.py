"""Figures of sessions with their intervals, against values known from elsewhere (A51, A53d)."""

from __future__ import annotations

import json

import pytest

from handrail.evals.sessions import figures
from handrail.flows.reframe.analytics import Report

REPORT = Report(
    sessions=10,
    turns=60,
    summed_up=6,
    ended=5,
    danger=0,
    under_way=2,
    cut=1,
    steps={("start", "warmup"): 10, ("warmup", "clarify"): 9},
    left_in={"summary": 1, "clarify": 4},
    known={"situation": 10, "thought": 7},
    writers={"composer": 45, "model": 15},
    lengths=(2, 3, 4, 5, 6, 7, 8, 9, 10, 6),
    seconds=(10.0, 20.0, 30.0, 40.0, 50.0, 60.0, 70.0, 80.0, 90.0, 600.0),
    eased=(4, -1, 0, 3),
    surer=(),
    truths=(7,),
    arms={
        "control": Report(sessions=8, turns=48, summed_up=4, ended=4, danger=0, eased=(4, 0)),
        "short": Report(sessions=2, turns=12, summed_up=2, ended=1, danger=0),
    },
    languages={"en": Report(sessions=10, turns=60, summed_up=6, ended=5, danger=0)},
)
BODY = figures(REPORT)


def test_a51_shares_have_exact_intervals() -> None:
    """Clopper and Pearson's interval of 6 in 10 is [0.2624, 0.8784]; of none in 10, [0, 0.3085]."""
    assert BODY["summed_up"]["value"] == 0.6
    assert BODY["summed_up"]["low"] == pytest.approx(0.2624, abs=1e-4)
    assert BODY["summed_up"]["high"] == pytest.approx(0.8784, abs=1e-4)
    assert (BODY["danger"]["value"], BODY["danger"]["low"]) == (0.0, 0.0)
    assert BODY["danger"]["high"] == pytest.approx(0.3085, abs=1e-4)


def test_a51_medians_and_nineties_are_nearest_ranks() -> None:
    assert BODY["length_turns"] == {"median": 6.0, "p90": 9.0, "n": 10}
    assert BODY["length_seconds"] == {"median": 50.0, "p90": 90.0, "n": 10}


def test_a51_a_change_comes_with_how_many_gave_both_ratings() -> None:
    change = BODY["anxiety_eased"]
    assert (change["mean"]["value"], change["median"], change["n"]) == (1.5, 0.0, 4)
    assert change["improved"]["value"] == 0.5
    assert change["mean"]["low"] < 1.5 < change["mean"]["high"]


def test_a51_what_nobody_rated_has_no_figure() -> None:
    nothing = {"value": None, "low": None, "high": None, "n": 0}
    assert BODY["confidence_gained"] == {
        "mean": nothing,
        "median": None,
        "n": 0,
        "improved": nothing,
    }


def test_a36_details_are_shares_of_sessions_and_writers_shares_of_replies() -> None:
    assert BODY["known"]["thought"]["value"] == 0.7
    assert BODY["known"]["emotion"]["value"] == 0.0
    assert BODY["writers"]["model"]["value"] == 0.25
    assert BODY["writers"]["model"]["n"] == 60
    assert BODY["writers"]["protocol"]["value"] == 0.0


def test_a36_transitions_stand_in_order() -> None:
    assert BODY["steps"] == [
        {"from": "start", "to": "warmup", "count": 10},
        {"from": "warmup", "to": "clarify", "count": 9},
    ]
    assert list(BODY["left_in"]) == ["clarify", "summary"]


def test_a53d_an_arm_is_compared_with_the_control() -> None:
    """Two of two less four of eight, by Newcombe's method 10 from the two score intervals."""
    apart = BODY["arms"]["short"]["summed_up_less_control"]
    assert apart["value"] == 0.5
    # Wilson: 2 of 2 has [0.34238, 1], 4 of 8 has [0.21521, 0.78479].
    assert apart["low"] == pytest.approx(0.5 - (0.65762**2 + 0.28479**2) ** 0.5, abs=1e-4)
    assert apart["high"] == pytest.approx(0.5 + 0.28479, abs=1e-4)
    assert BODY["arms"]["control"]["summed_up_less_control"]["value"] is None


def test_a53d_without_a_control_nothing_is_compared() -> None:
    alone = Report(
        sessions=2, turns=2, summed_up=1, ended=0, danger=0, arms={"short": REPORT.arms["short"]}
    )
    assert figures(alone)["arms"]["short"]["summed_up_less_control"]["value"] is None


def test_a51_no_sessions_are_no_figures_and_no_fault() -> None:
    empty = figures(Report(sessions=0, turns=0, summed_up=0, ended=0, danger=0))
    assert empty["summed_up"]["value"] is None
    assert empty["length_turns"] == {"median": None, "p90": None, "n": 0}


def test_a36_the_figures_are_plain_values() -> None:
    assert json.loads(json.dumps(BODY)) == BODY
    assert (BODY["under_way"], BODY["cut"]) == (2, 1)
