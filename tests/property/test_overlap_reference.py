"""The bit-parallel overlap is the textbook's, token for token."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from handrail.rails.overlap import lcs_length, rouge_l

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
