"""`LexicalFormat` over bm25s: scores are computed when writing, and summed when searching."""

from __future__ import annotations

import json
import math
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from handrail.adapters.bm25s.analysis import STEMMER, Analyzer
from handrail.errors import IndexCorrupt, IndexMismatch
from handrail.ports import RowHit

if TYPE_CHECKING:
    from handrail.ports import Vector

K1 = 1.2  # Robertson et al., and Lucene's default
B = 0.75
_METHOD = "lucene"
_SHEET = "lexical.json"
_FORM = {"method": _METHOD, "k1": K1, "b": B, "stemmer": STEMMER}
_QUIET = {"show_progress": False}


class Bm25:
    """A folder of arrays, memory-mapped when read."""

    def __init__(self) -> None:
        import bm25s

        self._bm25s: Any = bm25s
        self._analyzer = Analyzer()

    def write(self, texts: Sequence[str], path: Path) -> None:
        """Index ``texts`` in order into the new folder ``path``."""
        terms = [self._analyzer.terms(text) for text in texts]
        path.mkdir()
        # Numbered here, because bm25s numbers terms in the order of a set.
        numbers = {t: n for n, t in enumerate(sorted({t for row in terms for t in row}))}
        sheet = {"count": len(texts), "terms": len(numbers), **_FORM}
        (path / _SHEET).write_text(json.dumps(sheet, sort_keys=True), encoding="utf-8")
        if numbers:  # bm25s cannot hold an index without a single term
            scorer = self._bm25s.BM25(k1=K1, b=B, method=_METHOD)
            rows = [[numbers[term] for term in row] for row in terms]
            scorer.index((rows, numbers), create_empty_token=False, **_QUIET)
            scorer.save(path, **_QUIET)

    def read(self, path: Path) -> Bm25Index:
        """Open what `write` wrote; raises `IndexMismatch` for other parameters than ours."""
        try:
            sheet = json.loads((path / _SHEET).read_text(encoding="utf-8"))
            if {key: sheet.get(key) for key in _FORM} != _FORM:
                raise IndexMismatch(f"{path.name} was built as {sheet!r}, not as {_FORM!r}")
            scorer = self._bm25s.BM25.load(path, mmap=True, **_QUIET) if sheet["terms"] else None
        except (OSError, ValueError, KeyError, AttributeError):
            raise IndexCorrupt(f"{path.name} is not a lexical index") from None
        return Bm25Index(scorer, self._analyzer, sheet["count"])


class Bm25Index:
    """BM25 over a fixed set of texts."""

    def __init__(self, scorer: Any, analyzer: Analyzer, count: int) -> None:
        self._scorer = scorer
        self._analyzer = analyzer
        self._count = count
        self._lock = threading.Lock()  # the stemmer's cache is not safe to share

    @property
    def count(self) -> int:
        """Number of texts."""
        return self._count

    def search(self, text: str, *, k: int) -> Sequence[RowHit]:
        """At most ``k`` rows with positive scores, best first; ties fall to the smaller row."""
        return _best(self._all(text), k) if k > 0 else []

    def scores(self, text: str, rows: Sequence[int]) -> Vector:
        """BM25 of the given rows, shape ``(len(rows),)``, zeros included."""
        chosen: Vector = self._all(text)[list(rows)]
        return chosen

    def information(self, text: str) -> float:
        """Sum of the inverse document frequencies of the text's terms, unknown ones included.

        Lucene's form, ``ln(1 + (N - df + 0.5) / (df + 0.5))``: the largest BM25 that a text of
        ours could reach, since no term's saturation exceeds 1.
        """
        frequencies = [self._frequency(term) for term in self._terms(text)]
        return sum(math.log1p((self._count - df + 0.5) / (df + 0.5)) for df in frequencies)

    def _terms(self, text: str) -> list[str]:
        with self._lock:
            return list(self._analyzer.terms(text))

    def _frequency(self, term: str) -> int:
        row = self._scorer.vocab_dict.get(term) if self._scorer is not None else None
        if row is None:
            return 0
        edges = self._scorer.scores["indptr"]
        return int(edges[row + 1] - edges[row])

    def _all(self, text: str) -> Vector:
        import numpy as np

        known = self._scorer.get_tokens_ids(self._terms(text)) if self._scorer else []
        if not known:
            return np.zeros(self._count, np.float32)
        scores: Vector = self._scorer.get_scores_from_ids(known)
        return scores


def _best(scores: Vector, k: int) -> list[RowHit]:
    import numpy as np

    rows = np.flatnonzero(scores > 0)
    if len(rows) > k:
        floor = np.partition(scores[rows], len(rows) - k)[len(rows) - k]
        rows = rows[scores[rows] >= floor]
    order = np.lexsort((rows, -scores[rows]))[:k]
    return [RowHit(int(row), float(scores[row])) for row in rows[order]]
