"""Vectors for more texts than a model could read in an hour: mixtures of a few that it has read."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from handrail.ports import Reading, TokenEmbedder

if TYPE_CHECKING:
    from handrail.ports import Matrix, Vector


class MixedEmbedder:
    """`TokenEmbedder` for which a text is a mixture of two sentences of a pool, by its hash.

    The vector lies between theirs, nearer to the first, with noise; pieces and token vectors are
    the first one's. Neighbours are as many and as near as among texts that people wrote on few
    subjects, which is what a search is slowed by. Messages are better read by the model itself.
    """

    def __init__(self, inner: TokenEmbedder, pool: Sequence[str]) -> None:
        self._inner = inner
        self._pool = inner.read(pool)
        self._vectors = np.stack([reading.vector for reading in self._pool])
        self.name = f"mixed {inner.name}"
        self.fingerprint = f"mixed {inner.fingerprint}"
        self.dim, self.token_dim, self.pieces = inner.dim, inner.token_dim, inner.pieces

    def embed_query(self, text: str) -> Vector:
        """One vector of shape ``(dim,)``."""
        vector: Vector = self.embed_documents([text])[0]
        return vector

    def embed_documents(self, texts: Sequence[str]) -> Matrix:
        """Unit vectors in the order of ``texts``; a million takes half a minute."""
        dice = self._dice(texts)
        first, second = (self._vectors[dice[:, at] % len(self._pool)] for at in (0, 1))
        share = 0.6 + 0.35 * (dice[:, 2:3] / np.float32(2**32))  # of the first
        mixed = share * first + (1 - share) * second + self._noise(dice[:, 3])
        unit: Matrix = (mixed / np.linalg.norm(mixed, axis=1, keepdims=True)).astype(np.float32)
        return unit

    def read(self, texts: Sequence[str]) -> list[Reading]:
        """The vectors of `embed_documents`, with the token vectors of the nearer sentence."""
        near = self._dice(texts)[:, 0] % len(self._pool)
        vectors = self.embed_documents(texts)
        return [
            Reading(vector, self._pool[row].pieces, self._pool[row].tokens)
            for row, vector in zip(near.tolist(), vectors, strict=True)
        ]

    def _dice(self, texts: Sequence[str]) -> np.ndarray[Any, np.dtype[np.uint32]]:
        hashed = b"".join(hashlib.blake2b(text.encode(), digest_size=16).digest() for text in texts)
        return np.frombuffer(hashed, "<u4").reshape(-1, 4)

    def _noise(self, numbers: np.ndarray[Any, np.dtype[np.uint32]]) -> Matrix:
        """About 0.2 long, so that no two texts have the same vector."""
        waves = np.sin(numbers[:, None] / np.float32(2**32) * np.arange(1, self.dim + 1) * 6.28)
        noise: Matrix = (waves * (0.3 / self.dim**0.5)).astype(np.float32)
        return noise
