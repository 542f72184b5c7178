"""What every `VectorFormat` must do: subclass, override the ``format`` fixture, inherit."""

from __future__ import annotations

import gc
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from handrail.errors import IndexCorrupt
from handrail.ports import VectorFormat, VectorIndex

if TYPE_CHECKING:
    from handrail.ports import Matrix, Vector


def unit_vectors(rows: int, dim: int = 16, seed: int = 7) -> Matrix:
    """Random directions."""
    found = np.random.default_rng(seed).normal(size=(rows, dim)).astype(np.float32)
    unit: Matrix = found / np.linalg.norm(found, axis=1, keepdims=True)
    return unit


class VectorFormatContract:
    """Subclass in a test module and override ``format``."""

    @pytest.fixture
    def format(self) -> VectorFormat:
        raise NotImplementedError("override the format fixture")

    def opened(self, format: VectorFormat, vectors: Matrix, folder: Path) -> VectorIndex:
        """The index of ``vectors``, written and read."""
        path = folder / "view.index"
        format.write(vectors, path)
        assert path.is_file()
        return format.read(path)

    def test_c12_what_was_written_is_read(self, format: VectorFormat, tmp_path: Path) -> None:
        vectors = unit_vectors(37)
        index = self.opened(format, vectors, tmp_path)
        assert index.count == 37
        assert np.array_equal(index.vectors(range(37)), vectors)
        assert np.array_equal(index.vectors([5, 0, 5]), vectors[[5, 0, 5]])
        assert np.array_equal(index.vectors(range(3, 9)), vectors[3:9])
        assert index.vectors([]).shape == (0, 16)

    @pytest.mark.parametrize("k", [1, 2, 10, 36, 37, 500])
    def test_c8_the_best_inner_products_come_first(
        self, format: VectorFormat, tmp_path: Path, k: int
    ) -> None:
        vectors = unit_vectors(37)
        index = self.opened(format, vectors, tmp_path)
        for question in unit_vectors(20, seed=8):
            hits = index.search(question, k=k)
            wanted = np.argsort(-(vectors @ question), kind="stable")[:k]
            assert [hit.row for hit in hits] == list(wanted)
            np.testing.assert_allclose(
                [hit.score for hit in hits], (vectors @ question)[wanted], atol=1e-6
            )

    @pytest.mark.parametrize("k", [1, 3, 18, 41, 99])
    def test_ties_fall_to_the_smaller_row(
        self, format: VectorFormat, tmp_path: Path, k: int
    ) -> None:
        """Equal vectors at every offset: sums must not depend on where a row lies."""
        alike = np.repeat(unit_vectors(1, dim=384), 99, axis=0)
        index = self.opened(format, alike, tmp_path)
        for question in unit_vectors(5, dim=384, seed=9):
            hits = index.search(question, k=k)
            assert [hit.row for hit in hits] == list(range(k))
            assert len({hit.score for hit in hits}) == 1

    def test_asking_for_nothing_finds_nothing(self, format: VectorFormat, tmp_path: Path) -> None:
        index = self.opened(format, unit_vectors(3), tmp_path)
        assert list(index.search(_axis(16), k=0)) == []

    def test_an_index_without_rows_can_be_asked(self, format: VectorFormat, tmp_path: Path) -> None:
        index = self.opened(format, np.empty((0, 16), np.float32), tmp_path)
        assert index.count == 0
        assert list(index.search(_axis(16), k=5)) == []
        assert index.vectors([]).shape == (0, 16)

    def test_vectors_outlive_the_index(self, format: VectorFormat, tmp_path: Path) -> None:
        vectors = unit_vectors(500)
        index = self.opened(format, vectors, tmp_path)
        kept = index.vectors(range(100, 400))
        del index
        gc.collect()
        assert np.array_equal(kept, vectors[100:400])

    def test_the_same_vectors_give_the_same_bytes(
        self, format: VectorFormat, tmp_path: Path
    ) -> None:
        for name in ("one", "two"):
            format.write(unit_vectors(9), tmp_path / name)
        assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()

    @pytest.mark.parametrize("raw", [b"", b"not an index at all", bytes(200)])
    def test_c11_what_is_no_index_is_refused(
        self, format: VectorFormat, tmp_path: Path, raw: bytes
    ) -> None:
        path = tmp_path / "view.index"
        path.write_bytes(raw)
        with pytest.raises(IndexCorrupt, match=r"view\.index"):
            format.read(path)


def _axis(dim: int) -> Vector:
    axis: Vector = np.eye(1, dim, dtype=np.float32)[0]
    return axis
