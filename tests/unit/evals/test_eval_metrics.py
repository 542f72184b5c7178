"""Figures of one ranking, beside a slow plain version of each."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handrail.evals.metrics import gain, hit, ndcg, recall, reciprocal_rank

IDS = [f"d{i}" for i in range(14)]
rankings = st.permutations(IDS).flatmap(
    lambda order: st.integers(0, len(order)).map(lambda n: order[:n])
)
grades = st.dictionaries(
    st.sampled_from([*IDS, "elsewhere"]), st.integers(-1, 3).map(float), min_size=1
).filter(lambda found: max(found.values()) > 0)


def slow_ndcg(ranking: Sequence[str], graded: Mapping[str, float], k: int) -> float:
    """By the definition, place by place."""
    total = 0.0
    for place in range(min(k, len(ranking))):
        grade = max(0.0, graded.get(ranking[place], 0.0))
        total += (2**grade - 1) / (math.log(place + 2) / math.log(2))
    best = 0.0
    left = [max(0.0, grade) for grade in graded.values()]
    for place in range(min(k, len(left))):
        top = max(left)
        left.remove(top)
        best += (2**top - 1) / (math.log(place + 2) / math.log(2))
    return total / best


@given(rankings, grades, st.integers(1, 12))
def test_ndcg_equals_the_slow_plain_version(
    ranking: list[str], graded: dict[str, float], k: int
) -> None:
    assert ndcg(ranking, graded, k=k) == pytest.approx(slow_ndcg(ranking, graded, k))


@given(rankings, grades)
def test_every_figure_lies_between_0_and_1(ranking: list[str], graded: dict[str, float]) -> None:
    relevant = {id for id, grade in graded.items() if grade > 0}
    found = [
        ndcg(ranking, graded),
        recall(ranking, relevant),
        reciprocal_rank(ranking, relevant),
        hit(ranking, relevant),
    ]
    assert all(0 <= value <= 1 + 1e-12 for value in found)


@given(grades)
def test_the_ideal_ranking_is_perfect(graded: dict[str, float]) -> None:
    ideal = sorted(graded, key=lambda id: -graded[id])
    relevant = {id for id, grade in graded.items() if grade > 0}
    assert ndcg(ideal, graded) == pytest.approx(1)
    assert reciprocal_rank(ideal, relevant) == hit(ideal, relevant) == 1
    assert recall(ideal, relevant) == pytest.approx(min(1, 10 / len(relevant)))


@given(st.permutations(IDS), grades, st.data())
def test_ndcg_never_falls_when_a_better_case_moves_up(
    ranking: list[str], graded: dict[str, float], data: st.DataObject
) -> None:
    high = data.draw(st.integers(0, len(ranking) - 2))
    low = data.draw(st.integers(high + 1, len(ranking) - 1))
    swapped = list(ranking)
    swapped[high], swapped[low] = swapped[low], swapped[high]
    better = gain(graded.get(ranking[low], 0)) >= gain(graded.get(ranking[high], 0))
    before, after = ndcg(ranking, graded), ndcg(swapped, graded)
    assert after >= before - 1e-12 if better else after <= before + 1e-12


def test_gains_are_graded() -> None:
    assert [gain(grade) for grade in (-1, 0, 1, 2, 3)] == [0, 0, 1, 3, 7]
    assert ndcg(["b", "a"], {"a": 2, "b": 1}) == pytest.approx(
        (1 + 3 / math.log2(3)) / (3 + 1 / math.log2(3))
    )


def test_what_is_judged_and_not_found_counts_in_the_ideal() -> None:
    assert ndcg(["a"], {"a": 1, "b": 1}) == pytest.approx(1 / (1 + 1 / math.log2(3)))


def test_c63_a_hit_is_one_relevant_case_among_the_first_three() -> None:
    assert hit(["x", "y", "a"], {"a"}) == 1
    assert hit(["x", "y", "z", "a"], {"a"}) == 0
    assert hit([], {"a"}) == 0


def test_depth_ends_at_ten() -> None:
    ranking = [*IDS[:10], "a"]
    assert recall(ranking, {"a", IDS[9]}) == 0.5
    assert reciprocal_rank(ranking, {"a"}) == 0
    assert reciprocal_rank(ranking, {IDS[9]}) == pytest.approx(0.1)
    assert ndcg(ranking, {"a": 1}) == 0
