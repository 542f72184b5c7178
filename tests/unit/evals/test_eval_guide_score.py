"""The 100-point score of the catalogue, its grade point view, and the verdict (H39)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handrail.evals.guide.expectations import Expectation
from handrail.evals.guide.scoring import Fault, FaultKind, Health, Points, band, health, judge

IDS = st.sampled_from([f"entity_{n}" for n in range(6)])
LISTS = st.lists(IDS, max_size=4).map(tuple)
EXPECTATIONS = st.builds(
    Expectation,
    expected_primary=st.none() | IDS,
    expected_secondary=LISTS,
    not_expected=LISTS,
    expected_handlers=LISTS,
    not_expected_handlers=LISTS,
)


@pytest.mark.parametrize(
    ("expected", "found", "score"),
    [
        ({"expected_primary": "a"}, ["a"], 100),
        ({"expected_primary": "a"}, ["b"], 0),
        ({"expected_primary": None}, [], 100),
        ({"expected_primary": "a", "expected_secondary": ("b", "c")}, ["a"], 80),
        ({"expected_primary": "a", "not_expected": ("b",)}, ["a", "b"], 80),
        ({"expected_handlers": ("h",)}, [], 80),
        ({"not_expected_handlers": ("h", "i")}, ["h", "i"], 60),
        ({"not_expected": tuple("bcdefg")}, list("bcdefg"), 0),
        # each id counts once, by its gravest fault
        ({"expected_primary": "h", "expected_handlers": ("h",)}, [], 0),
        ({"not_expected": ("h",), "not_expected_handlers": ("h",)}, ["h"], 80),
        ({"expected_secondary": ("h",), "expected_handlers": ("h",)}, [], 80),
        ({"expected_secondary": ("b", "b")}, [], 90),
        ({"not_expected": ("b",)}, ["b", "b"], 80),
    ],
)
def test_h39_points_are_those_of_the_catalogue(
    expected: dict[str, object], found: list[str], score: int
) -> None:
    points = judge(Expectation.model_validate(expected), found)
    assert points.score == score
    assert points.gpa == pytest.approx(score / 25)


def test_h39_only_a_missing_primary_is_a_hard_fail() -> None:
    assert judge(Expectation(expected_primary="a"), []).hard_fail
    floored = judge(Expectation(not_expected=tuple("bcdef")), list("bcdef"))
    assert floored.score == 0
    assert not floored.hard_fail


def test_h39_what_is_always_loaded_is_neither_rewarded_nor_punished() -> None:
    expected = Expectation(expected_primary="always", not_expected=("other",))
    assert judge(expected.without({"always", "other"}), ["other"]).score == 100
    assert judge(expected.without({"other"}), ["other"]).score == 0


@given(EXPECTATIONS, st.lists(IDS))
def test_h39_a_score_stays_within_its_bounds_and_adds_up(
    expected: Expectation, found: list[str]
) -> None:
    points = judge(expected, found)
    blamed = [fault.entity_id for fault in points.faults]
    assert len(blamed) == len(set(blamed))
    assert points.score == max(0, 100 - sum(fault.cost for fault in points.faults))
    assert 0 <= points.score <= 100
    assert points.hard_fail == (expected.expected_primary not in (None, *found))


@given(EXPECTATIONS, st.lists(IDS, unique=True), st.randoms())
def test_h39_neither_order_nor_repetition_changes_a_score(
    expected: Expectation, found: list[str], random: object
) -> None:
    shuffled = [*found, *found]
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert judge(expected, shuffled) == judge(expected, found)


@given(EXPECTATIONS, st.lists(IDS))
def test_h39_finding_what_is_wanted_never_costs_and_what_is_not_never_helps(
    expected: Expectation, found: list[str]
) -> None:
    before = judge(expected, found).score
    for name in set(expected.wanted) - set(expected.unwanted):
        assert judge(expected, [*found, name]).score >= before
    for name in set(expected.unwanted) - set(expected.wanted):
        assert judge(expected, [*found, name]).score <= before


@pytest.mark.parametrize(
    ("score", "name"),
    [
        (100, "100"),
        (99, "90-99"),
        (80, "80-89"),
        (79, "70-79"),
        (60, "60-69"),
        (1, "1-59"),
        (0, "0"),
    ],
)
def test_h39_bands_have_no_letters(score: int, name: str) -> None:
    assert band(score) == name


HARD = Points((Fault(FaultKind.PRIMARY_MISSING, "a"),))
TEN_LESS = Points((Fault(FaultKind.SECONDARY_MISSING, "b"),))
TWENTY_LESS = Points((Fault(FaultKind.PRESENT, "c"),))
FULL = Points()


@pytest.mark.parametrize(
    ("points", "critical", "verdict"),
    [
        ([FULL] * 9, 1, Health.CRITICAL),
        ([TEN_LESS] * 9, 0, Health.EXCELLENT),
        ([FULL] * 19 + [HARD], 0, Health.GOOD),  # 95 with a hard fail
        ([TWENTY_LESS], 0, Health.GOOD),
        ([FULL] * 7 + [HARD] * 3, 0, Health.FAIR),
        ([FULL] * 6 + [HARD] * 4, 0, Health.POOR),
        ([], 0, Health.POOR),
    ],
)
def test_h39_the_verdict_follows_the_rule(
    points: list[Points], critical: int, verdict: Health
) -> None:
    assert health(points, critical=critical) is verdict
