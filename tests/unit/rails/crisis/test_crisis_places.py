"""Questions about ranges of a text, at their edges."""

from __future__ import annotations

import pytest

from handrail.rails.crisis.scope import Places

PLACES = Places([(10, 12), (2, 9), (4, 6)])


@pytest.mark.parametrize(
    ("start", "touched"),
    [(2, False), (3, True), (9, True), (10, True), (11, True), (13, True), (14, False)],
)
def test_a_range_touches_the_word_behind_it(start: int, touched: bool) -> None:
    assert PLACES.touches(start) is touched


@pytest.mark.parametrize(
    ("start", "end", "shared"),
    [
        (0, 2, False),
        (0, 3, True),
        (8, 10, True),
        (9, 10, False),
        (9, 11, True),
        (11, 20, True),
        (12, 20, False),
    ],
)
def test_ranges_overlap_where_they_share_a_character(start: int, end: int, shared: bool) -> None:
    assert PLACES.overlaps(start, end) is shared


@pytest.mark.parametrize(
    ("start", "end", "whole"),
    [(2, 9, True), (4, 6, True), (10, 12, True), (2, 6, False), (4, 9, False), (3, 9, False)],
)
def test_a_range_bridges_its_own_ends_alone(start: int, end: int, whole: bool) -> None:
    assert PLACES.bridges(start, end) is whole


@pytest.mark.parametrize(("start", "reach"), [(2, -1), (3, 9), (5, 9), (10, 9), (11, 12)])
def test_the_reach_before_a_place_is_that_of_the_longest(start: int, reach: int) -> None:
    assert PLACES.last_end(start) == reach


@pytest.mark.parametrize(
    ("start", "end", "begins"),
    [(0, 2, False), (0, 3, True), (2, 3, True), (5, 10, False), (5, 11, True), (11, 99, False)],
)
def test_a_range_lies_within_where_it_begins(start: int, end: int, begins: bool) -> None:
    assert PLACES.any_within(start, end) is begins


def test_no_ranges_are_nowhere() -> None:
    none = Places([])
    assert not none
    assert PLACES
    for found in (none.touches(5), none.overlaps(0, 9), none.bridges(0, 0)):
        assert found is False
    assert none.last_end(9) == -1
    assert not none.any_within(0, 9)
    assert (none.starts, PLACES.starts) == ([], [2, 4, 10])


def test_two_ranges_with_one_start_are_both_bridged() -> None:
    twice = Places([(3, 5), (3, 8)])
    assert twice.bridges(3, 5)
    assert twice.bridges(3, 8)
    assert not twice.bridges(3, 6)
