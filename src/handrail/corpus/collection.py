"""A finished index, as retrieval reads it: cases, contexts, sentences, words."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from handrail.corpus.manifest import IndexManifest
from handrail.corpus.stored import StoredCases
from handrail.corpus.tokens import TokenStore
from handrail.domain.text import Case
from handrail.errors import NotFound
from handrail.ports import LexicalFormat, LexicalIndex, Tables, VectorFormat, VectorIndex

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from handrail.ports import Matrix


@dataclass(frozen=True, slots=True, kw_only=True)
class Formats:
    """How vectors, lexical index and tables lie on disk."""

    vectors: VectorFormat
    lexical: LexicalFormat
    tables: Tables


@dataclass(frozen=True, slots=True)
class CaseRows:
    """Vectors in case order: rows ``first[case]`` up to ``first[case + 1]`` belong to ``case``."""

    index: VectorIndex
    first: NDArray[np.int32]

    def of(self, case_row: int) -> range:
        """The rows of one case."""
        return range(int(self.first[case_row]), int(self.first[case_row + 1]))


@dataclass(frozen=True)
class Collection:
    """All that search needs of an index; immutable, and safe to share between threads.

    A context is a title with a concern; the cases that share one are its answers. Rows of
    ``contexts``, ``tokens`` and ``lexical`` are contexts, by first appearance in ``cases``.
    """

    name: str
    manifest: IndexManifest
    cases: StoredCases
    contexts: VectorIndex
    sentences: CaseRows
    lexical: LexicalIndex
    tokens: TokenStore | None = None

    def by_id(self, case_id: str) -> Case | None:
        """The case with this id, or None."""
        row = self._case_rows.get(case_id)
        return None if row is None else self.cases[row]

    def case(self, case_id: str) -> Case:
        """The case with this id; raises `NotFound`."""
        return self.cases[self._row(case_id)]

    def sentence_vectors(self, case_id: str) -> Matrix:
        """One vector for each quotable sentence of a case, in order; raises `NotFound`."""
        return self.sentences.index.vectors(self.sentences.of(self._row(case_id)))

    def context_id(self, row: int) -> str:
        """The id of the context at ``row``."""
        return self._context_ids[row]

    def context_row(self, context_id: str) -> int:
        """The row of a context; raises `KeyError` for an id that is not here."""
        return self._context_rows[context_id]

    def context_of(self, case_id: str) -> str:
        """The id of a case's context; raises `NotFound`."""
        return self.cases.column("context_id")[self._row(case_id)]

    def answers(self, context_id: str) -> tuple[Case, ...]:
        """The cases that share a context, in order."""
        return tuple(self.cases[row] for row in self._answers[context_id])

    def first_case(self, context_id: str) -> Case:
        """The first of the cases that share a context."""
        return self.cases[self._answers[context_id][0]]

    def pin(self) -> dict[str, object]:
        """What a receipt records of the corpus that it quotes."""
        return {
            "name": self.name,
            "checksum": self.manifest.checksum,
            "corpus_hash": self.manifest.corpus_hash,
            "segmenter_version": self.manifest.segmenter_version,
            "model_fingerprint": self.manifest.model_fingerprint,
        }

    def _row(self, case_id: str) -> int:
        row = self._case_rows.get(case_id)
        if row is None:
            raise NotFound(f"no case {case_id!r} in collection {self.name!r}")
        return row

    @cached_property
    def _case_rows(self) -> Mapping[str, int]:
        return {id: row for row, id in enumerate(self.cases.column("id"))}

    @cached_property
    def _answers(self) -> Mapping[str, list[int]]:
        rows: defaultdict[str, list[int]] = defaultdict(list)
        for row, context in enumerate(self.cases.column("context_id")):
            rows[context].append(row)
        return dict(rows)

    @cached_property
    def _context_ids(self) -> tuple[str, ...]:
        return tuple(self._answers)

    @cached_property
    def _context_rows(self) -> Mapping[str, int]:
        return {id: row for row, id in enumerate(self._context_ids)}
