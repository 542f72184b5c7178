"""Late interaction: how well the words of a question meet the words of a case, and back.

MaxSim after Khattab and Zaharia (2020, "ColBERT"), over the token vectors of the sentence encoder
itself, weighted by the inverse document frequency of each word piece, in both directions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from handrail.ports import Reading

QUESTION_PIECES = 64  # a long message speaks with its heaviest pieces, which bounds the cost
_UNIT = 1 / 127.0  # int8 token vectors are unit vectors times 127
_TINY = 1e-6


class TokenBlocks(Protocol):
    """The word pieces and token vectors of stored texts, by row."""

    @property
    def idf(self) -> NDArray[np.float32]:
        """Inverse document frequency of every word piece; 0 for markers."""

    def block(self, row: int) -> tuple[NDArray[np.int32], NDArray[np.int8]]:
        """Piece ids ``(n,)`` and token vectors ``(n, token_dim)`` of one text."""


@dataclass(frozen=True, slots=True)
class Meeting:
    """IDF-weighted mean of best cosines: ``forward`` from the question's pieces, ``backward`` from
    the texts' pieces; each of shape ``(rows,)`` in [-1, 1]."""

    forward: NDArray[np.float32]
    backward: NDArray[np.float32]


def meet(question: Reading, store: TokenBlocks, rows: Sequence[int]) -> Meeting:
    """Late interaction of the question with each of ``rows`` (at least one)."""
    asked, spoken = _heaviest(question, store.idf)
    blocks = [store.block(row) for row in rows]
    starts = np.concatenate([[0], np.cumsum([len(ids) for ids, _ in blocks])[:-1]])
    pieces = np.concatenate([ids for ids, _ in blocks])
    vectors = np.concatenate([tokens for _, tokens in blocks]).astype(np.float32) * _UNIT
    cosines = (spoken.astype(np.float32) * _UNIT) @ vectors.T
    wanted = store.idf[asked]
    wanted = wanted / max(float(wanted.sum()), _TINY)
    held = store.idf[pieces]
    best = np.add.reduceat(cosines.max(axis=0) * held, starts)
    return Meeting(
        forward=(wanted @ np.maximum.reduceat(cosines, starts, axis=1)).astype(np.float32),
        backward=(best / np.maximum(np.add.reduceat(held, starts), _TINY)).astype(np.float32),
    )


def _heaviest(
    question: Reading, idf: NDArray[np.float32]
) -> tuple[NDArray[np.int32], NDArray[np.int8]]:
    if len(question.pieces) <= QUESTION_PIECES:
        return question.pieces, question.tokens
    best = np.argsort(-idf[question.pieces], kind="stable")[:QUESTION_PIECES]
    kept = np.sort(best)
    return question.pieces[kept], question.tokens[kept]
