"""Vectors of reviewed lines, kept on disk: they change only with the content or the model."""

from __future__ import annotations

import hashlib
import io
import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from handrail.domain.text import digest
from handrail.ports import Embedder

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from handrail.ports import Matrix

_PROOF = 32  # bytes of SHA-256 before the vectors


def cached_vectors(folder: Path, embedder: Embedder, texts: Sequence[str]) -> Matrix:
    """The vectors of ``texts``, from ``folder`` where they are whole, else computed and kept.

    A damaged file is computed anew; a folder that cannot be written costs time, never the answer.
    """
    shape = (len(texts), embedder.dim)
    path = folder / f"{digest(embedder.fingerprint, *texts)[:32]}.vectors"

    def embedded() -> bytes:
        return np.ascontiguousarray(embedder.embed_documents(texts), np.float32).tobytes()

    return np.frombuffer(_cached(path, embedded), np.float32).reshape(shape)


def cached_arrays(
    folder: Path, key: str, make: Callable[[], Mapping[str, np.ndarray]]
) -> Mapping[str, np.ndarray]:
    """Named arrays under ``key``, which stands for all that decides them; like `cached_vectors`."""

    def made() -> bytes:
        raw = io.BytesIO()
        np.savez(raw, allow_pickle=False, **make())
        return raw.getvalue()

    raw = _cached(folder / f"{key[:32]}.arrays", made)
    with np.load(io.BytesIO(raw), allow_pickle=False) as arrays:
        return {name: arrays[name] for name in arrays.files}


def _cached(path: Path, make: Callable[[], bytes]) -> bytes:
    with suppress(OSError):
        raw = path.read_bytes()
        if hashlib.sha256(raw[_PROOF:]).digest() == raw[:_PROOF]:
            return raw[_PROOF:]
    made = make()
    with suppress(OSError):
        _keep(path, made)
    return made


def _keep(path: Path, raw: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f"{path.name}.{os.getpid()}")
    fresh.write_bytes(hashlib.sha256(raw).digest() + raw)
    fresh.replace(path)
