"""An entry applies where its pattern matches and its excuse does not."""

from __future__ import annotations

import pytest

from handrail.adapters.re2 import Re2Engine
from handrail.rails.patterns import ExcusablePatterns, plain

PAIRS = [
    ("wine", None),
    ("beer", "root beer"),
    ("cider", ""),
    ("rum", "rum cake"),
]


def matching(text: str) -> list[int]:
    return ExcusablePatterns(PAIRS, Re2Engine()).matching(text)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("water", []),
        ("wine", [0]),
        ("beer", [1]),
        ("root beer", []),
        ("cider", [2]),
        ("rum", [3]),
        ("rum cake", []),
        ("rum, cider, beer and wine", [0, 1, 2, 3]),
        ("wine, wine and root beer", [0]),
        ("rum cake and beer", [1]),
        ("root beer and rum", [3]),
        ("rum cake, beer and root beer", []),
    ],
)
def test_each_entry_has_its_own_excuse(text: str, found: list[int]) -> None:
    assert matching(text) == found


def test_no_entries_match_nothing() -> None:
    assert ExcusablePatterns([], Re2Engine()).matching("wine") == []


def test_the_plain_form_has_small_letters_straight_marks_and_single_spaces() -> None:
    assert plain("  DON’T\n‘Ever’ \t stop ") == "don't 'ever' stop"
