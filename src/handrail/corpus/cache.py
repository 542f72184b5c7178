"""Vectors of reviewed lines, kept on disk: they change only with the content or the model."""

from __future__ import annotations

import hashlib
import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from handrail.domain.text import digest
from handrail.ports import Embedder

if TYPE_CHECKING:
    from collections.abc import Sequence

    from handrail.ports import Matrix

_PROOF = 32  # bytes of SHA-256 before the vectors


def cached_vectors(folder: Path, embedder: Embedder, texts: Sequence[str]) -> Matrix:
    """The vectors of ``texts``, from ``folder`` where they are whole, else computed and kept.

    A damaged file is computed anew; a folder that cannot be written costs time, never the answer.
    """
    path = folder / f"{digest(embedder.fingerprint, *texts)[:32]}.vectors"
    shape = (len(texts), embedder.dim)
    with suppress(OSError, ValueError):
        raw = path.read_bytes()
        if hashlib.sha256(raw[_PROOF:]).digest() == raw[:_PROOF]:
            return np.frombuffer(raw, np.float32, offset=_PROOF).reshape(shape)
    vectors = np.ascontiguousarray(embedder.embed_documents(texts), np.float32)
    with suppress(OSError):
        _keep(path, vectors.tobytes())
    return vectors


def _keep(path: Path, raw: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f"{path.name}.{os.getpid()}")
    fresh.write_bytes(hashlib.sha256(raw).digest() + raw)
    fresh.replace(path)
