"""`VectorFormat` over FAISS's flat index; exact up to some 100,000 rows at query time."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from handrail.errors import IndexCorrupt
from handrail.ports import RowHit

if TYPE_CHECKING:
    from handrail.ports import Matrix, Vector

_SLACK = 16  # rows fetched beyond k, so that a tie at the edge is seen
_ROUNDING = 1e-5  # FAISS sums in an order that depends on the row's place in its block of four


class FaissFlat:
    """One flat file a view, read through a memory map; one thread."""

    def __init__(self) -> None:
        import faiss

        faiss.omp_set_num_threads(1)
        self._faiss: Any = faiss

    def write(self, vectors: Matrix, path: Path) -> None:
        """Write one file; the caller renames it into place."""
        index = self._faiss.IndexFlatIP(vectors.shape[1])
        index.add(vectors)
        self._faiss.write_index(index, str(path))

    def read(self, path: Path) -> FaissFlatIndex:
        """Open without reading the vectors; raises `IndexCorrupt` for what is no such file."""
        try:
            index = self._faiss.read_index(str(path), self._faiss.IO_FLAG_MMAP_IFC)
        except RuntimeError:
            raise IndexCorrupt(f"{path.name} is not a FAISS index") from None
        if not isinstance(index, self._faiss.IndexFlatIP):
            raise IndexCorrupt(f"{path.name} is not a flat inner-product index")
        return FaissFlatIndex(index, self._faiss)


class FaissFlatIndex:
    """Nearest rows by inner product; scores and ties do not depend on where a row lies."""

    def __init__(self, index: Any, faiss: Any) -> None:
        self._index = index
        self._matrix = _view(index, faiss)

    @property
    def count(self) -> int:
        """Number of rows."""
        return len(self._matrix)

    def search(self, vector: Vector, *, k: int) -> Sequence[RowHit]:
        """At most ``k`` rows, best first; ties fall to the smaller row."""
        import numpy as np

        if min(k, self.count) < 1:
            return []
        rows, lowest, wanted = self._nearest(vector, k + _SLACK)
        scores = (self._matrix[rows] * vector).sum(axis=1)  # the same sum for equal rows
        order = np.lexsort((rows, -scores))[:k]
        while wanted < self.count and lowest >= scores[order[-1]] - _ROUNDING:
            rows, lowest, wanted = self._nearest(vector, wanted * 4)
            scores = (self._matrix[rows] * vector).sum(axis=1)
            order = np.lexsort((rows, -scores))[:k]
        return [RowHit(int(rows[place]), float(scores[place])) for place in order]

    def vectors(self, rows: Sequence[int]) -> Matrix:
        """The stored vectors, read-only; a `range` is a view and copies nothing."""
        if isinstance(rows, range) and rows.step == 1:
            return self._matrix[rows.start : rows.stop]
        found: Matrix = self._matrix[list(rows)]
        return found

    def _nearest(self, vector: Vector, wanted: int) -> tuple[Any, float, int]:
        wanted = min(wanted, self.count)
        scores, rows = self._index.search(vector[None, :], wanted)
        return rows[0], float(scores[0, -1]), wanted


class _Rows:
    """Keeps the index, and so the memory map, alive as long as an array looks into it."""

    def __init__(self, index: Any, faiss: Any) -> None:
        self._index = index
        raw = faiss.rev_swig_ptr(index.get_xb(), index.ntotal * index.d)
        self.__array_interface__ = {
            "version": 3,
            "typestr": "<f4",
            "shape": (index.ntotal, index.d),
            "data": (raw.ctypes.data, True),  # read-only: the map would fault on a write
        }


def _view(index: Any, faiss: Any) -> Matrix:
    import numpy as np

    if index.ntotal == 0:
        return np.empty((0, index.d), dtype=np.float32)
    matrix: Matrix = np.asarray(_Rows(index, faiss))
    return matrix
