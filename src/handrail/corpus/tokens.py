"""Word pieces and token vectors of every context, on disk, for late interaction."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from handrail.ports import Reading, TokenEmbedder

if TYPE_CHECKING:
    from numpy.typing import NDArray

_FIRST, _PIECES, _TOKENS, _IDF = "tokens.first.npy", "pieces.npy", "tokens.npy", "idf.npy"


@dataclass(frozen=True, slots=True)
class TokenStore:
    """Blocks by context row, through memory maps; about 140 bytes a word piece."""

    idf: NDArray[np.float32]
    _first: NDArray[np.int64]
    _pieces: NDArray[np.int32]
    _tokens: NDArray[np.int8]

    @property
    def count(self) -> int:
        """Number of contexts."""
        return len(self._first) - 1

    def block(self, row: int) -> tuple[NDArray[np.int32], NDArray[np.int8]]:
        """Piece ids ``(n,)`` and token vectors ``(n, token_dim)`` of one context, as views."""
        start, end = self._first[row], self._first[row + 1]
        return self._pieces[start:end], self._tokens[start:end]


def write_tokens(
    folder: Path,
    texts: Sequence[str],
    reading: Callable[[str], Reading],
    embedder: TokenEmbedder,
) -> None:
    """Write the blocks of ``texts``, one at a time and never all in memory."""
    sizes = (len(reading(text).pieces) for text in texts)
    first = np.cumsum([0, *sizes], dtype=np.int64)
    total = int(first[-1])
    create = np.lib.format.open_memmap
    pieces = create(folder / _PIECES, "w+", np.int32, (total,))
    tokens = create(folder / _TOKENS, "w+", np.int8, (total, embedder.token_dim))
    holders = np.zeros(embedder.pieces, dtype=np.int64)
    markers: set[int] = set()
    for start, text in zip(first, texts, strict=False):
        block = reading(text)
        pieces[start : start + len(block.pieces)] = block.pieces
        tokens[start : start + len(block.pieces)] = block.tokens
        holders[np.unique(block.pieces)] += 1
        markers |= {int(block.pieces[0]), int(block.pieces[-1])}
    pieces.flush()
    tokens.flush()
    np.save(folder / _FIRST, first)
    np.save(folder / _IDF, _idf(holders, len(texts), markers))


def read_tokens(folder: Path) -> TokenStore | None:
    """What `write_tokens` wrote; None when the embedder gave no token vectors."""
    if not (folder / _TOKENS).exists():
        return None
    idf = np.load(folder / _IDF, allow_pickle=False)
    first, pieces, tokens = (
        np.load(folder / name, mmap_mode="r", allow_pickle=False)
        for name in (_FIRST, _PIECES, _TOKENS)
    )
    return TokenStore(idf, first, pieces, tokens)


def _idf(holders: NDArray[np.int64], count: int, markers: set[int]) -> NDArray[np.float32]:
    """Lucene's form, ``ln(1 + (N - df + 0.5) / (df + 0.5))``; a text begins and ends in markers."""
    idf = np.log1p((count - holders + 0.5) / (holders + 0.5)).astype(np.float32)
    idf[sorted(markers)] = 0
    return idf
