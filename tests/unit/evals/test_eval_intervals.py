"""Intervals: exact ones against published values, bootstrap ones against what must hold."""

from __future__ import annotations

import math
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handrail.evals.intervals import NOTHING, clopper_pearson, mean, percentile, share

shares = st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@pytest.mark.parametrize(
    ("successes", "n", "low", "high"),
    [
        (682, 925, 0.7076683, 0.7654066),  # R, ?binom.test: Mendelian inheritance
        (1, 10, 0.002528579, 0.4450161),
        (8, 10, 0.4439045, 0.9747893),
        (16, 20, 0.563386, 0.942666),
        (0, 10, 0.0, 0.3084971),
        (10, 10, 0.6915029, 1.0),
    ],
)
def test_the_exact_interval_is_the_published_one(
    successes: int, n: int, low: float, high: float
) -> None:
    assert clopper_pearson(successes, n) == pytest.approx((low, high), abs=1e-6)


@pytest.mark.parametrize("n", [1, 7, 30, 5_000])
def test_without_a_failure_the_bound_has_a_closed_form(n: int) -> None:
    assert clopper_pearson(n, n)[0] == pytest.approx(0.025 ** (1 / n), rel=1e-9)
    assert clopper_pearson(0, n)[1] == pytest.approx(1 - 0.025 ** (1 / n), rel=1e-9)


@given(shares)
def test_an_exact_interval_covers_its_figure_and_mirrors(case: tuple[int, int]) -> None:
    successes, n = case
    low, high = clopper_pearson(successes, n)
    assert 0 <= low <= successes / n <= high <= 1
    assert clopper_pearson(n - successes, n) == pytest.approx((1 - high, 1 - low), abs=1e-9)


@given(shares)
def test_the_bounds_leave_a_fortieth_on_each_side(case: tuple[int, int]) -> None:
    successes, n = case
    low, high = clopper_pearson(successes, n)
    if successes:
        above = math.fsum(_chance(i, n, low) for i in range(successes, n + 1))
        assert above == pytest.approx(0.025, rel=1e-6)
    if successes < n:
        below = math.fsum(_chance(i, n, high) for i in range(successes + 1))
        assert below == pytest.approx(0.025, rel=1e-6)


def _chance(i: int, n: int, p: float) -> float:
    return math.comb(n, i) * p**i * (1 - p) ** (n - i) if n <= 300 else math.exp(_log(i, n, p))


def _log(i: int, n: int, p: float) -> float:
    return math.log(math.comb(n, i)) + i * math.log(p) + (n - i) * math.log(1 - p)


@pytest.mark.parametrize(("successes", "n"), [(-1, 3), (4, 3), (0, 0)])
def test_what_is_no_proportion_is_refused(successes: int, n: int) -> None:
    with pytest.raises(ValueError, match="no proportion"):
        clopper_pearson(successes, n)


def test_nothing_measured_is_null_and_not_zero_c66() -> None:
    assert share(0, 0) == mean([]) == percentile([], 0.5) == NOTHING
    assert NOTHING.to_json() == {"value": None, "low": None, "high": None, "n": 0}


def test_the_same_values_give_the_same_interval() -> None:
    values = [0.1, 0.9, 0.4, 0.4, 0.7]
    assert mean(values) == mean(values)
    assert percentile(values, 0.95) == percentile(values, 0.95)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=40))
def test_a_mean_lies_in_its_interval_within_the_values(values: list[float]) -> None:
    found = mean(values)
    assert found.value == pytest.approx(fmean(values))
    assert found.low is not None
    assert found.high is not None
    assert min(values) - 1e-9 <= found.low <= found.high <= max(values) + 1e-9


def test_the_interval_of_a_mean_is_near_the_normal_one() -> None:
    values = [(i * 37 % 100) / 100 for i in range(400)]
    half = 1.96 * math.sqrt(sum((v - fmean(values)) ** 2 for v in values)) / len(values)
    found = mean(values)
    assert found.low == pytest.approx(fmean(values) - half, abs=0.003)
    assert found.high == pytest.approx(fmean(values) + half, abs=0.003)


def test_percentiles_are_nearest_ranks() -> None:
    values = [float(i) for i in range(100, 0, -1)]
    assert percentile(values, 0.50).value == 50
    assert percentile(values, 0.95).value == 95
    assert percentile([7.0], 0.95).value == 7


def test_the_interval_of_a_percentile_brackets_it_by_its_own_values() -> None:
    values = [float(i) for i in range(1, 201)]
    found = percentile(values, 0.50)
    assert found.low in values
    assert found.high in values
    assert found.low < 100 < found.high
    assert 100 - found.low == pytest.approx(14, abs=4)  # 1.96 * sqrt(n) / 2


def test_a_sample_too_large_for_one_draw_is_drawn_in_parts() -> None:
    values = [float(i % 10) for i in range(30_000)]
    found = mean(values)
    assert found.low is not None
    assert found.high is not None
    assert 4.4 < found.low < 4.5 < found.high < 4.6
