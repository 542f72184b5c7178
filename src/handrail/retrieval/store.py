"""What search needs of a corpus of cases; `handrail.corpus.Collection` is one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from handrail.domain.text import Case
from handrail.retrieval.late import TokenBlocks

if TYPE_CHECKING:
    from handrail.ports import LexicalIndex, Matrix, VectorIndex


class CaseStore(Protocol):
    """Cases by id, and their contexts by row; a context is what one or more cases answer."""

    @property
    def name(self) -> str:
        """The collection's name."""

    @property
    def contexts(self) -> VectorIndex:
        """One vector a context."""

    @property
    def lexical(self) -> LexicalIndex:
        """One text a context."""

    @property
    def tokens(self) -> TokenBlocks | None:
        """Token vectors a context, where the embedder gives them."""

    def pin(self) -> dict[str, object]:
        """What a receipt records of the corpus."""

    def by_id(self, case_id: str) -> Case | None:
        """The case, or None."""

    def case(self, case_id: str) -> Case:
        """The case; raises `NotFound`."""

    def context_id(self, row: int) -> str:
        """The id of a context row."""

    def context_row(self, context_id: str) -> int:
        """The row of a context."""

    def context_of(self, case_id: str) -> str:
        """The id of a case's context."""

    def first_case(self, context_id: str) -> Case:
        """The first case of a context."""

    def answers(self, context_id: str) -> Sequence[Case]:
        """Every case of a context."""

    def sentence_vectors(self, case_id: str) -> Matrix:
        """One vector for each quotable sentence of a case."""
