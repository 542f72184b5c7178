"""The words of each entity: vectors of word pieces, for late interaction with a message.

All texts of an entity count as one document: each piece of the message looks for its best match in
any of them (MaxSim; Khattab and Zaharia 2020, "ColBERT"). Of a piece that an entity says several
times the mean vector is kept, which costs a third and measured the same.

However many entities there are, their words are kept: danger in unknown words is heard by them.
With three texts each that is 5 KB an entity, where its other vectors take 6 KB.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from handrail.ports import Matrix, Reading

_SCALE = 127.0  # int8 token vectors are unit vectors times 127


@dataclass(frozen=True, slots=True, eq=False)
class EntityReading:
    """What is embedded of one entity.

    ``vectors`` has a row a text ``(n, dim)``; ``pieces`` ``(m,)`` are the distinct word pieces,
    ``counts`` in how many of the texts each stands, ``tokens`` ``(m, token_dim)`` their vectors as
    int8. Without token vectors m is 0.
    """

    vectors: Matrix
    pieces: NDArray[np.int32]
    counts: NDArray[np.int32]
    tokens: NDArray[np.int8]


def condensed(readings: Sequence[Reading]) -> EntityReading:
    """One entity's reading from those of its texts."""
    vectors = np.stack([reading.vector for reading in readings])
    every = np.concatenate([reading.pieces for reading in readings])
    if not len(every):
        return EntityReading(vectors, _none(), _none(), np.empty((0, 1), np.int8))
    pieces, places = np.unique(every, return_inverse=True)
    tokens = np.concatenate([reading.tokens for reading in readings]).astype(np.float32)
    sums = np.zeros((len(pieces), tokens.shape[1]), np.float32)
    np.add.at(sums, places, tokens)
    lengths = np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-9)
    counts = np.zeros(len(pieces), np.int32)
    for reading in readings:
        counts[np.searchsorted(pieces, np.unique(reading.pieces))] += 1
    means = np.round(sums / lengths * _SCALE).astype(np.int8)
    return EntityReading(vectors, pieces.astype(np.int32), counts, means)


def joined(readings: Sequence[EntityReading]) -> EntityReading:
    """Several entities' readings in one: their rows, one after another."""
    return emptied(list(readings))


def emptied(readings: list[EntityReading]) -> EntityReading:
    """The same, in little more memory than it needs: the list is empty afterwards."""
    spoken = [one for one in readings if len(one.pieces)] or readings[:1]
    vectors, tokens = [one.vectors for one in readings], [one.tokens for one in spoken]
    pieces, counts = [one.pieces for one in spoken], [one.counts for one in spoken]
    readings.clear()
    spoken.clear()
    whole = np.concatenate(vectors)
    vectors.clear()
    return EntityReading(
        whole, np.concatenate(pieces), np.concatenate(counts), np.concatenate(tokens)
    )


def _none() -> NDArray[np.int32]:
    return np.empty(0, np.int32)


@dataclass(frozen=True, slots=True, eq=False)
class EntityWords:
    """The pieces of every searched entity, by row; what `handrail.retrieval.late` reads.

    ``pieces[starts[i]:starts[i + 1]]`` and the same of ``tokens`` are those of row i.
    """

    idf: NDArray[np.float32]
    starts: NDArray[np.int64]
    pieces: NDArray[np.int32]
    tokens: NDArray[np.int8]

    @classmethod
    def of(
        cls, every: EntityReading, lengths: Sequence[int], *, vocabulary: int
    ) -> EntityWords | None:
        """``every`` has the readings of all entities, joined; ``lengths`` are their pieces.

        ``vocabulary`` is the embedder's number of pieces; None without token vectors.
        """
        if not vocabulary or not len(every.pieces):
            return None
        holders = np.zeros(vocabulary, np.int64)
        np.add.at(holders, every.pieces, every.counts)
        # A marker stands in every text, and weighs nothing.
        idf = np.log((1 + len(every.vectors)) / (1 + holders)).astype(np.float32)
        return cls(idf, np.cumsum([0, *lengths]), every.pieces, every.tokens)

    def block(self, row: int) -> tuple[NDArray[np.int32], NDArray[np.int8]]:
        """Piece ids ``(m,)`` and their vectors ``(m, token_dim)`` of one entity."""
        held = slice(self.starts[row], self.starts[row + 1])
        return self.pieces[held], self.tokens[held]
