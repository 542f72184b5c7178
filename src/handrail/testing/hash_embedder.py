"""Embedders without a model: words are hashed to directions, so that shared words mean nearness."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from handrail.domain.text import digest
from handrail.ports import Reading

if TYPE_CHECKING:
    from handrail.ports import Matrix, Vector

_WORD = re.compile(r"\w+")
_PIECES = 1_000
_MARKERS = 2  # pieces 0 and 1 open and close every reading


class HashEmbedder:
    """A bag of hashed words at unit length; two names are two models."""

    def __init__(self, dim: int = 64, name: str = "testing/hash") -> None:
        self._dim = dim
        self._name = name

    @property
    def name(self) -> str:
        """The name that was given."""
        return self._name

    @property
    def fingerprint(self) -> str:
        """Hash over name and dimension."""
        return digest(self._name, str(self._dim))

    @property
    def dim(self) -> int:
        """The dimension that was given."""
        return self._dim

    def embed_query(self, text: str) -> Vector:
        """The sum of the words' directions; a text without words lies on an axis of its own."""
        vector = np.zeros(self._dim, dtype=np.float32)
        for word in _WORD.findall(text.lower()):
            vector += self._direction(word)
        if not vector.any():
            vector[0] = 1.0
        unit: Vector = vector / np.linalg.norm(vector)
        return unit

    def embed_documents(self, texts: Sequence[str]) -> Matrix:
        """One vector a text, in order."""
        rows = [self.embed_query(text) for text in texts]
        return np.stack(rows) if rows else np.empty((0, self._dim), dtype=np.float32)

    def _direction(self, word: str) -> Vector:
        seed = int.from_bytes(_hash(word)[:8], "little")
        signs = np.random.default_rng(seed).choice([-1.0, 1.0], self._dim)
        direction: Vector = (signs / np.sqrt(self._dim)).astype(np.float32)
        return direction


class HashTokenEmbedder(HashEmbedder):
    """The same with one piece a word."""

    @property
    def token_dim(self) -> int:
        """As long as a vector."""
        return self._dim

    @property
    def pieces(self) -> int:
        """A thousand."""
        return _PIECES

    def read(self, texts: Sequence[str]) -> list[Reading]:
        """Vectors, pieces and directions of words, between two markers."""
        return [self._read(text) for text in texts]

    def _read(self, text: str) -> Reading:
        words = ["\x00", *_WORD.findall(text.lower()), "\x01"]
        ids = [_MARKERS + int.from_bytes(_hash(word)[8:12], "little") % 998 for word in words]
        ids[0], ids[-1] = 0, 1
        tokens = np.stack([self._direction(word) for word in words])
        return Reading(
            vector=self.embed_query(text),
            pieces=np.array(ids, dtype=np.int32),
            tokens=np.round(tokens * 127).astype(np.int8),
        )


def _hash(word: str) -> bytes:
    return hashlib.sha256(word.encode("utf-8", "surrogatepass")).digest()
