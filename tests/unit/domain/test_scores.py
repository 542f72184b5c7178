"""Scores of different kinds are never compared, and every threshold can be met and missed."""

from __future__ import annotations

import operator
from collections.abc import Callable

import pytest

from handrail.domain.scores import RANGES, Score, ScoreKind, Threshold
from handrail.errors import KindMismatch, UnreachableThreshold

COMPARISONS = [operator.lt, operator.le, operator.gt, operator.ge]


@pytest.mark.parametrize("compare", COMPARISONS)
def test_scores_of_one_kind_compare_by_value(compare: Callable[[object, object], bool]) -> None:
    low, high = Score(ScoreKind.COSINE, 0.1), Score(ScoreKind.COSINE, 0.9)
    assert compare(low, high) == compare(0.1, 0.9)
    assert compare(low, low) == compare(0.1, 0.1)


@pytest.mark.parametrize("compare", COMPARISONS)
def test_scores_of_two_kinds_do_not_compare(compare: Callable[[object, object], bool]) -> None:
    with pytest.raises(KindMismatch, match="cosine"):
        compare(Score(ScoreKind.COSINE, 0.5), Score(ScoreKind.RRF, 0.5))


@pytest.mark.parametrize("kind", ScoreKind)
def test_every_kind_has_a_range_with_room_for_a_threshold(kind: ScoreKind) -> None:
    low, high = RANGES[kind]
    floor = Threshold(kind, 0.5)
    assert low < 0.5 <= high
    assert floor.passes(Score(kind, 0.5))
    assert not floor.passes(Score(kind, 0.49))


def test_a_threshold_of_another_kind_judges_nothing() -> None:
    with pytest.raises(KindMismatch):
        Threshold(ScoreKind.OVERLAP, 0.6).passes(Score(ScoreKind.COSINE, 0.9))


def test_c53_the_seeds_floor_on_reciprocal_ranks_is_refused() -> None:
    largest = 2 / 61  # two channels, both with the case in first place, c = 60
    with pytest.raises(UnreachableThreshold, match="rrf"):
        Threshold(ScoreKind.RRF, 0.15, ceiling=largest)
    assert Threshold(ScoreKind.RRF, largest, ceiling=largest).passes(Score(ScoreKind.RRF, largest))


@pytest.mark.parametrize(
    ("kind", "floor"),
    [
        (ScoreKind.COSINE, -1.0),
        (ScoreKind.COSINE, 1.01),
        (ScoreKind.OVERLAP, 0.0),
        (ScoreKind.PROBABILITY, 1.5),
        (ScoreKind.BM25, 0.0),
        (ScoreKind.OVERLAP, float("nan")),
    ],
)
def test_a_floor_that_all_or_none_would_pass_is_refused(kind: ScoreKind, floor: float) -> None:
    with pytest.raises(UnreachableThreshold):
        Threshold(kind, floor)
