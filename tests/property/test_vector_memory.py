"""H9: an index that compares codes first finds what a comparison of everything finds, bit by bit.

Rows gather round a few directions, some of them are equal, and one number of a row may be far
larger than all others, which makes the codes of all rows coarse.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from handrail.adapters.faiss import FaissMemory
from handrail.adapters.faiss.memory import Coded, Whole
from handrail.testing.vector_builder_contract import compared

if TYPE_CHECKING:
    from handrail.ports import Matrix

ROWS = 2_600  # enough for a first shortlist, and for the step to all rows after it


def gathered(seed: int, dim: int, directions: int, spread: float, alike: int) -> Matrix:
    """Unit vectors near ``directions``; ``alike`` of them are one and the same."""
    dice = np.random.default_rng(seed)
    centres = dice.normal(size=(directions, dim))
    rows = centres[dice.integers(directions, size=ROWS)]
    rows = rows + dice.normal(size=rows.shape) * spread
    rows[dice.integers(ROWS, size=alike)] = rows[0]
    rows[1, 0] *= 40
    unit: Matrix = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
    return unit


@settings(max_examples=40, deadline=None)
@example(seed=1, dim=384, directions=2600, spread=0.0, alike=0, k=64)
@example(seed=2, dim=32, directions=3, spread=1e-4, alike=900, k=10)
@given(
    seed=st.integers(0, 2**32),
    dim=st.sampled_from([1, 2, 7, 24, 32, 64]),
    directions=st.sampled_from([1, 3, 40, ROWS]),
    spread=st.sampled_from([0.0, 1e-7, 1e-3, 0.05, 0.5]),
    alike=st.sampled_from([0, 2, 300, ROWS]),
    k=st.sampled_from([1, 10, 64, 300, ROWS + 1]),
)
def test_h9_codes_hide_no_row_that_belongs_to_the_best(
    seed: int, dim: int, directions: int, spread: float, alike: int, k: int
) -> None:
    vectors = gathered(seed, dim, directions, spread, alike)
    index = FaissMemory(coded_from=0).build(vectors)
    for question in (vectors[0], vectors[1], gathered(seed + 1, dim, ROWS, 0.0, 0)[2]):
        assert list(index.search(question, k=k)) == compared(vectors, question, k)


@pytest.mark.parametrize(("rows", "kind"), [(0, Whole), (4_095, Whole), (4_096, Coded)])
def test_h9_the_number_of_rows_decides_how_they_are_searched(rows: int, kind: type) -> None:
    index = FaissMemory().build(np.ones((rows, 4), np.float32) / 2)
    assert type(index) is kind


def test_h9_a_question_whose_codes_are_coarse_is_compared_whole() -> None:
    """Its first number is so large that the others have no code; those of the rows are exact."""
    vectors = np.sign(gathered(6, 64, ROWS, 0.0, 0)) / 8
    vectors[:, 0] = 0.0
    question = gathered(7, 64, ROWS, 0.0, 0)[3] / 400
    question[0] = 1.0
    hits = FaissMemory(coded_from=0).build(vectors).search(question, k=5)
    assert list(hits) == compared(vectors, question, 5)


def test_h9_codes_answer_by_themselves_where_they_can() -> None:
    """Nothing of the vectors is read but what the codes left: the others may be anything."""
    vectors = gathered(5, 64, ROWS, 0.0, 0)
    question = vectors[7]
    index = FaissMemory(coded_from=0).build(vectors)
    expected = compared(vectors, question, 5)
    vectors[np.argsort(vectors @ question)[: ROWS // 2]] = question  # the builder kept them
    assert list(index.search(question, k=5)) == expected
