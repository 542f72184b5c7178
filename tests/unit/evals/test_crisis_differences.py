"""The interval of a difference: against published values, and against what must hold."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handrail.evals.differences import difference, wilson

tallies = st.integers(1, 300).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@pytest.mark.parametrize(
    ("first", "second", "low", "high"),
    [
        ((56, 70), (48, 80), 0.0524, 0.3339),  # Newcombe 1998, Table II, method 10
        ((9, 10), (3, 10), 0.1705, 0.8090),
        ((6, 7), (2, 7), 0.0582, 0.8062),
        ((5, 56), (0, 29), -0.0381, 0.1926),
        ((0, 10), (0, 20), -0.1611, 0.2775),
        ((0, 10), (0, 10), -0.2775, 0.2775),
        ((10, 10), (0, 20), 0.6791, 1.0),
        ((10, 10), (0, 10), 0.6075, 1.0),
    ],
)
def test_the_interval_is_the_published_one(
    first: tuple[int, int], second: tuple[int, int], low: float, high: float
) -> None:
    found = difference(first, second)
    assert (found.low, found.high) == pytest.approx((low, high), abs=6e-5)
    assert found.n == first[1] + second[1]


@given(tallies, tallies)
def test_an_interval_covers_its_difference_and_mirrors(
    first: tuple[int, int], second: tuple[int, int]
) -> None:
    found, mirrored = difference(first, second), difference(second, first)
    assert found.value == pytest.approx(first[0] / first[1] - second[0] / second[1])
    assert found.low is not None
    assert found.high is not None
    assert found.value is not None
    assert -1 <= found.low <= found.value <= found.high <= 1
    assert found.low < found.high
    assert (mirrored.low, mirrored.high) == pytest.approx((-found.high, -found.low))


@given(tallies)
def test_the_score_interval_solves_its_quadratic(tally: tuple[int, int]) -> None:
    successes, n = tally
    p = successes / n
    for bound in wilson(successes, n):
        assert n * (p - bound) ** 2 == pytest.approx(
            1.959963985**2 * bound * (1 - bound), rel=1e-6, abs=1e-9
        )


@pytest.mark.parametrize(("successes", "n"), [(-1, 3), (4, 3), (0, 0)])
def test_what_is_no_proportion_is_refused(successes: int, n: int) -> None:
    with pytest.raises(ValueError, match="no proportion"):
        wilson(successes, n)
