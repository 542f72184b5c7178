"""What every `VectorBuilder` must do: subclass, override the ``builder`` fixture, inherit."""

from __future__ import annotations

import gc
from contextlib import suppress
from typing import TYPE_CHECKING

import numpy as np
import pytest

from handrail.ports import VectorBuilder
from handrail.testing.plain_formats import best
from handrail.testing.vector_format_contract import unit_vectors

if TYPE_CHECKING:
    from handrail.ports import Matrix, RowHit, Vector

LARGE = 6_000  # rows; an adapter may search these in another way than a few


class VectorBuilderContract:
    """Subclass in a test module and override ``builder``."""

    @pytest.fixture
    def builder(self) -> VectorBuilder:
        raise NotImplementedError("override the builder fixture")

    @pytest.mark.parametrize("rows", [37, LARGE])
    def test_h9_what_was_given_is_kept(self, builder: VectorBuilder, rows: int) -> None:
        vectors = unit_vectors(rows)
        index = builder.build(vectors.copy())
        assert index.count == rows
        assert np.array_equal(index.vectors(range(rows)), vectors)
        assert np.array_equal(index.vectors([5, 0, 5]), vectors[[5, 0, 5]])
        assert np.array_equal(index.vectors(range(3, 9)), vectors[3:9])
        assert index.vectors([]).shape == (0, 16)

    @pytest.mark.parametrize("rows", [37, LARGE])
    @pytest.mark.parametrize("k", [1, 10, 36, 37, 64, 500, 10_000])
    def test_h9_the_best_inner_products_come_first(
        self, builder: VectorBuilder, rows: int, k: int
    ) -> None:
        vectors = unit_vectors(rows)
        index = builder.build(vectors)
        for question in unit_vectors(10, seed=8):
            assert list(index.search(question, k=k)) == compared(vectors, question, k)

    @pytest.mark.parametrize("k", [1, 64, 2_000])
    def test_ties_fall_to_the_smaller_row(self, builder: VectorBuilder, k: int) -> None:
        """Two thousand rows are one vector, at odd rows: more than any shortlist holds."""
        vectors = unit_vectors(LARGE, dim=384)
        alike = np.arange(1, 4_001, 2)
        vectors[alike] = unit_vectors(1, dim=384, seed=9)
        hits = builder.build(vectors).search(vectors[1], k=k)
        assert [hit.row for hit in hits] == alike[:k].tolist()
        assert len({hit.score for hit in hits}) == 1

    @pytest.mark.parametrize("rows", [3, LARGE])
    def test_asking_for_nothing_finds_nothing(self, builder: VectorBuilder, rows: int) -> None:
        assert list(builder.build(unit_vectors(rows)).search(_axis(16), k=0)) == []

    @pytest.mark.parametrize("rows", [3, LARGE])
    def test_a_vector_without_direction_finds_the_first_rows(
        self, builder: VectorBuilder, rows: int
    ) -> None:
        hits = builder.build(unit_vectors(rows)).search(np.zeros(16, np.float32), k=3)
        assert [(hit.row, hit.score) for hit in hits] == [(0, 0.0), (1, 0.0), (2, 0.0)]

    def test_an_index_without_rows_can_be_asked(self, builder: VectorBuilder) -> None:
        index = builder.build(np.empty((0, 16), np.float32))
        assert index.count == 0
        assert list(index.search(_axis(16), k=5)) == []
        assert index.vectors([]).shape == (0, 16)

    def test_vectors_outlive_the_index(self, builder: VectorBuilder) -> None:
        vectors = unit_vectors(500)
        index = builder.build(vectors.copy())
        kept = index.vectors(range(100, 400))
        del index
        gc.collect()
        assert np.array_equal(kept, vectors[100:400])

    def test_what_is_served_does_not_lead_back(self, builder: VectorBuilder) -> None:
        """What a caller gets is a copy, or cannot be written to."""
        index = builder.build(unit_vectors(5))
        with suppress(ValueError):
            index.vectors(range(5))[0, 0] = 2.0
        assert np.array_equal(index.vectors(range(5)), unit_vectors(5))


def compared(vectors: Matrix, question: Vector, k: int) -> list[RowHit]:
    """The best rows by plain sums over all of them: row and score, bit by bit."""
    return best((vectors * question).sum(axis=1), k)


def _axis(dim: int) -> Vector:
    axis: Vector = np.eye(1, dim, dtype=np.float32)[0]
    return axis
