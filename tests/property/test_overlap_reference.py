"""The bit-parallel overlap is the textbook's, token for token."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handrail.rails.overlap import lcs_length, rouge_l, tokens

TOKENS = st.lists(st.sampled_from("abcd"), max_size=90)  # more tokens than a machine word has bits


def textbook(a: Sequence[str], b: Sequence[str]) -> int:
    """Length of the longest common subsequence, by the full table."""
    row = [0] * (len(b) + 1)
    for left in a:
        before = row
        row = [0]
        for at, right in enumerate(b):
            row.append(before[at] + 1 if left == right else max(before[at + 1], row[at]))
    return row[-1]


@given(a=TOKENS, b=TOKENS)
def test_c31_the_common_subsequence_has_the_textbook_length(a: list[str], b: list[str]) -> None:
    assert lcs_length(a, b) == textbook(a, b)


@given(a=TOKENS, b=TOKENS)
def test_c31_overlap_is_symmetric_and_lies_between_nothing_and_sameness(
    a: list[str], b: list[str]
) -> None:
    forth, back = rouge_l(" ".join(a), " ".join(b)), rouge_l(" ".join(b), " ".join(a))
    assert forth == back
    assert 0 <= forth <= 1
    assert (forth == 1) == (a == b != [])


WORDS = st.lists(
    st.sampled_from(["rest", "Rest", "don't", "don’t", "café", "2nd", "not", "-", "…", "\n"]),
    max_size=80,
).map(" ".join)


@given(candidate=WORDS, reference=WORDS)
def test_c31_rouge_l_is_the_harmonic_mean_of_recall_and_precision(
    candidate: str, reference: str
) -> None:
    """Lin 2004, equations 2 to 4 with beta = 1, from the textbook's table."""
    a, b = tokens(candidate), tokens(reference)
    common = textbook(a, b)
    if not common:
        assert rouge_l(candidate, reference) == 0
        return
    precision, recall = common / len(a), common / len(b)
    expected = 2 * precision * recall / (precision + recall)
    assert rouge_l(candidate, reference) == pytest.approx(expected)


@given(a=TOKENS, b=TOKENS, at=st.integers(0, 90))
def test_c31_one_token_more_adds_one_or_nothing(a: list[str], b: list[str], at: int) -> None:
    longer = [*b[:at], "a", *b[at:]]
    assert lcs_length(a, longer) - lcs_length(a, b) in (0, 1)
