"""ROUGE-L against values worked by hand."""

from __future__ import annotations

import pytest

from handrail.rails.overlap import lcs_length, rouge_l, tokens


@pytest.mark.parametrize(
    ("candidate", "reference", "score"),
    [
        ("the cat sat on the mat", "the cat sat on the mat", 1.0),
        ("the cat sat", "the dog sat", 4 / 6),  # "the … sat": 2 common of 3 and 3
        ("police killed the gunman", "police kill the gunman", 6 / 8),  # Lin 2004, section 3.1
        ("the gunman kill police", "police kill the gunman", 4 / 8),  # "the gunman"
        ("one two three four", "one three", 4 / 6),  # whole reference, half the candidate
        ("a b c", "d e f", 0.0),
        ("", "a b", 0.0),
        ("a b", "", 0.0),
        ("", "", 0.0),
        ("… !", "… !", 0.0),
    ],
)
def test_c31_rouge_l_has_the_value_worked_by_hand(
    candidate: str, reference: str, score: float
) -> None:
    assert rouge_l(candidate, reference) == pytest.approx(score)


def test_c31_case_marks_and_the_shape_of_apostrophes_do_not_count() -> None:
    assert rouge_l("DON’T rush; it's fine!", "don't rush it’s fine") == 1.0
    assert tokens("Don’t—ever—stop, 2nd time") == ["don't", "ever", "stop", "2nd", "time"]


def test_c31_order_counts() -> None:
    assert lcs_length(["a", "b", "c"], ["c", "b", "a"]) == 1


def test_c31_words_that_come_again_count_each_time() -> None:
    assert lcs_length(["a", "b", "a", "c", "a"], ["a", "a", "c", "a"]) == 4
    assert lcs_length(["a", "a"], ["a"]) == 1
    assert lcs_length(["x", "a", "b", "y", "c"], ["a", "x", "b", "c", "y"]) == 3
    assert lcs_length([], ["a"]) == lcs_length(["a"], []) == 0
    assert rouge_l("a b a", "a a") == 4 / 5


def test_c32_a_negated_quote_passes_the_floor_so_overlap_cannot_decide_alone() -> None:
    true = "Resting for an hour is part of the work."
    assert rouge_l(true.replace("is part", "is not part"), true) > 0.9
