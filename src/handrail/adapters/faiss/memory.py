"""`VectorBuilder` in memory: small sets compared whole, large ones by a byte a number first.

Both are exact. The codes only leave rows for a second, full comparison, and they leave enough:
how far a code can lie from its number is known, so that a row they hide is provably worse.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from handrail.ports import RowHit

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from handrail.ports import Matrix, Vector, VectorIndex

CODED = 4_096  # rows from which comparing codes first is faster, at 384 numbers each
_TOP = 127  # the largest code
_BATCH = 8_192  # rows coded at once, so that building needs no second copy of the vectors
_FIRST = 256  # rows that the codes leave at first; enough for k = 64 in everything measured
_WIDER = 4
_WORTH = 8  # beyond a share of 1/8 of the rows, comparing all of them is faster
_ROUNDING = 1e-5  # of float32 sums over unit vectors, taken in another order
_TINY = 1e-30  # in place of zero, to divide by


class FaissMemory:
    """Chooses by the number of rows; the same vectors give the same index; one thread."""

    def __init__(self, *, coded_from: int = CODED) -> None:
        import faiss

        faiss.omp_set_num_threads(1)
        self._faiss: Any = faiss
        self._coded_from = coded_from

    def build(self, vectors: Matrix) -> VectorIndex:
        """An index over unit vectors of shape ``(rows, dim)``, which it keeps and never changes.

        100,000 rows of 384 numbers take 0.3 s, and 38 MB beside the vectors.
        """
        whole = Whole(vectors)
        return Coded(whole, self._faiss) if whole.count >= max(self._coded_from, 1) else whole


class Whole:
    """Every search compares every row; one pass over the vectors."""

    def __init__(self, vectors: Matrix) -> None:
        import numpy as np

        self.matrix: Matrix = np.ascontiguousarray(vectors, dtype=np.float32).view()
        self.matrix.flags.writeable = False

    @property
    def count(self) -> int:
        """Number of rows."""
        return len(self.matrix)

    def search(self, vector: Vector, *, k: int) -> Sequence[RowHit]:
        """At most ``k`` rows, best first; ties fall to the smaller row."""
        import numpy as np

        k = min(k, self.count)
        if k < 1:
            return []
        # Not a product of BLAS: that wakes a second thread, and waits 8 ms where a core is busy.
        near = np.einsum("ij,j->i", self.matrix, vector)
        edge = np.partition(near, self.count - k)[self.count - k]
        return self.best(vector, np.flatnonzero(near >= edge - _ROUNDING), k)

    def vectors(self, rows: Sequence[int]) -> Matrix:
        """The stored vectors, read-only; a `range` is a view and copies nothing."""
        if isinstance(rows, range) and rows.step == 1:
            return self.matrix[rows.start : rows.stop]
        found: Matrix = self.matrix[list(rows)]
        return found

    def best(self, vector: Vector, rows: NDArray[Any], k: int) -> list[RowHit]:
        """The best ``k`` of ``rows``; a score does not depend on where its row lies."""
        import numpy as np

        scores = (self.matrix[rows] * vector).sum(axis=1)  # the same sum for equal rows
        order = np.lexsort((rows, -scores))[:k]
        return [RowHit(int(rows[place]), float(scores[place])) for place in order]


class Coded:
    """Signed bytes are compared first, in a quarter of the memory traffic; then what they leave.

    With a query q and a row x, and q' and x' what their codes stand for, q·x and q'·x' differ by
    at most |q| |x - x'| + |q - q'| |x'|. A row that was not left scores no more than the last one
    that was, plus this; where that reaches the k-th best, more rows are taken.
    """

    def __init__(self, whole: Whole, faiss: Any) -> None:
        import numpy as np

        kind = faiss.ScalarQuantizer.QT_8bit_direct_signed
        dim = whole.matrix.shape[1]
        self._whole = whole
        self._codes = faiss.IndexScalarQuantizer(dim, kind, faiss.METRIC_INNER_PRODUCT)
        self._scale = _TOP / max(float(np.abs(whole.matrix).max(initial=0)), _TINY)
        self._off = self._reach = 0.0  # the largest |x - x'| and |x'|
        for start in range(0, whole.count, _BATCH):
            self._add(whole.matrix[start : start + _BATCH])

    @property
    def count(self) -> int:
        """Number of rows."""
        return self._whole.count

    def search(self, vector: Vector, *, k: int) -> Sequence[RowHit]:
        """At most ``k`` rows, best first; ties fall to the smaller row."""
        import numpy as np

        k = min(k, self.count)
        if k < 1:
            return []
        scale = _TOP / max(float(np.abs(vector).max()), _TINY)
        asked = np.rint(vector * scale)
        off = float(np.linalg.norm(vector - asked / scale))
        slack = float(np.linalg.norm(vector)) * self._off + off * self._reach + _ROUNDING
        wanted = max(_FIRST, _WIDER * k)
        while wanted * _WORTH <= self.count:
            scores, rows = self._codes.search(asked[None, :], wanted)
            hidden = float(scores[0, -1]) / (scale * self._scale) + slack
            hits = self._whole.best(vector, rows[0], k)
            if hits[-1].score > hidden:
                return hits
            wanted *= _WIDER
        return self._whole.search(vector, k=k)

    def vectors(self, rows: Sequence[int]) -> Matrix:
        """The stored vectors, read-only; a `range` is a view and copies nothing."""
        return self._whole.vectors(rows)

    def _add(self, rows: Matrix) -> None:
        import numpy as np

        codes = np.rint(rows * self._scale)
        meant = codes / self._scale
        self._off = max(self._off, float(np.linalg.norm(rows - meant, axis=1).max()))
        self._reach = max(self._reach, float(np.linalg.norm(meant, axis=1).max()))
        self._codes.add(codes)
