"""Every protocol the engine needs from outside; adapters implement them, `testing` fakes them.

Retrieval is CPU work and its ports are plain functions; the caller moves them off the event loop.
Only a model call waits on somebody else, so only `ChatModel` is asynchronous.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeAlias

from handrail.domain.entity import Entity
from handrail.domain.outcome import Referral
from handrail.domain.trace import Run

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector: TypeAlias = NDArray[np.float32]
    Matrix: TypeAlias = NDArray[np.float32]


class Embedder(Protocol):
    """Text to L2-normalised float32 vectors; the same text gives the same bytes."""

    @property
    def name(self) -> str:
        """The model's published name, such as ``sentence-transformers/all-MiniLM-L6-v2``."""

    @property
    def fingerprint(self) -> str:
        """SHA-256 over everything that decides the vectors: weights, tokenizer, prefixes, form."""

    @property
    def dim(self) -> int:
        """Length of a vector."""

    def embed_query(self, text: str) -> Vector:
        """One vector of shape ``(dim,)``."""

    def embed_documents(self, texts: Sequence[str]) -> Matrix:
        """Vectors of shape ``(len(texts), dim)``, in the order of ``texts``."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One forward pass over a text.

    ``vector`` is the pooled unit vector ``(dim,)``; ``pieces`` are the ids of the word pieces
    ``(n,)``; ``tokens`` are their vectors ``(n, token_dim)`` as int8, unit length times 127.
    """

    vector: Vector
    pieces: NDArray[np.int32]
    tokens: NDArray[np.int8]


class TokenEmbedder(Embedder, Protocol):
    """An embedder that also gives the vectors of its word pieces, for late interaction."""

    @property
    def token_dim(self) -> int:
        """Length of a token vector."""

    @property
    def pieces(self) -> int:
        """Size of the vocabulary of word pieces."""

    def read(self, texts: Sequence[str]) -> Sequence[Reading]:
        """One reading a text; the pooled vectors are those of `embed_documents`."""


@dataclass(frozen=True, slots=True)
class RowHit:
    """Row number in an index and raw score there."""

    row: int
    score: float


class VectorIndex(Protocol):
    """Nearest rows by inner product; ties fall to the smaller row."""

    @property
    def count(self) -> int:
        """Number of rows."""

    def search(self, vector: Vector, *, k: int) -> Sequence[RowHit]:
        """At most ``k`` rows, best first."""

    def vectors(self, rows: Sequence[int]) -> Matrix:
        """The stored vectors of ``rows``, shape ``(len(rows), dim)``."""


class VectorFormat(Protocol):
    """How an index of vectors lies on disk."""

    def write(self, vectors: Matrix, path: Path) -> None:
        """Write one file; the caller renames it into place."""

    def read(self, path: Path) -> VectorIndex:
        """Open what `write` wrote."""


class VectorBuilder(Protocol):
    """An index of vectors in memory, for content that changes while it is served."""

    def build(self, vectors: Matrix) -> VectorIndex:
        """An index over unit vectors of shape ``(rows, dim)``, which it may keep."""


class LexicalIndex(Protocol):
    """BM25 over a fixed set of texts; rows without a shared term are not returned."""

    @property
    def count(self) -> int:
        """Number of texts."""

    def search(self, text: str, *, k: int) -> Sequence[RowHit]:
        """At most ``k`` rows with positive scores, best first; ties fall to the smaller row."""

    def scores(self, text: str, rows: Sequence[int]) -> Vector:
        """BM25 of the given rows, shape ``(len(rows),)``, zeros included."""

    def information(self, text: str) -> float:
        """Sum of the inverse document frequencies of the text's terms, unknown ones included."""


class LexicalFormat(Protocol):
    """How a lexical index is built and lies on disk (a folder)."""

    def write(self, texts: Sequence[str], path: Path) -> None:
        """Index ``texts`` in order into the new folder ``path``."""

    def read(self, path: Path) -> LexicalIndex:
        """Open what `write` wrote."""


class Tables(Protocol):
    """Columnar files of strings (Parquet)."""

    def write(self, columns: Mapping[str, Sequence[str]], path: Path) -> None:
        """Write equal-length string columns."""

    def read(self, path: Path) -> Mapping[str, Sequence[str]]:
        """Every column, nulls as empty strings."""

    def rows(self, path: Path) -> Iterator[Mapping[str, object]]:
        """Row by row in bounded memory, with the file's own types."""


@dataclass(frozen=True, slots=True)
class PatternHit:
    """Pattern number and the half-open range it matched."""

    pattern: int
    start: int
    end: int


class PatternSet(Protocol):
    """Many compiled patterns."""

    def scan(self, text: str) -> Sequence[PatternHit]:
        """Every non-overlapping match of every pattern, by start then pattern; linear time."""


class PatternEngine(Protocol):
    """Compiles regular expressions in RE2 syntax; none may backtrack."""

    def compile(self, patterns: Sequence[str]) -> PatternSet:
        """Raises `ContentInvalid`, naming the pattern that does not compile."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatRequest:
    """What a model is asked: two messages, and a JSON schema or None where it answers in text.

    ``role`` names the part that a model plays, for adapters that keep an agent for each.
    """

    system: str
    user: str
    schema: Mapping[str, object] | None
    schema_name: str
    max_tokens: int
    temperature: float = 0.0
    role: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatReply:
    """What came back, and what it cost."""

    text: str
    model: str
    prompt_tokens: int = 0
    completion_tokens: int = 0


class ChatModel(Protocol):
    """A generative model behind some API."""

    @property
    def name(self) -> str:
        """The model's name as configured."""

    async def complete(self, request: ChatRequest) -> ChatReply:
        """One completion; raises `ModelFailed` for anything the vendor raises."""

    async def close(self) -> None:
        """Release connections."""


class Cipher(Protocol):
    """Authenticated encryption of what lies in a shared store."""

    def seal(self, plain: bytes, *, bound_to: str) -> bytes:
        """Sealed bytes that open only with the same ``bound_to``; two seals of a text differ."""

    def unseal(self, sealed: bytes, *, bound_to: str) -> bytes:
        """The plain bytes; raises `SessionUnreadable` for a wrong key, place or byte."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredSession:
    """A session as a store keeps it: sealed bytes, and ``version``, the count of its writes."""

    body: bytes
    version: int
    expires_at: float  # seconds since the epoch


class SessionStore(Protocol):
    """Sealed sessions by id; an expired one is as if it had never been.

    Safe between threads, and between processes where the store is shared.
    """

    def hold(self, session_id: str, *, seconds: float) -> AbstractContextManager[None]:
        """Have the session alone; waits ``seconds`` at most, then raises `SessionBusy`.

        A process that dies lets go at once. Entered in one thread, it may be left in another.
        """

    def load(self, session_id: str, *, now: float) -> StoredSession | None:
        """What was saved last, or None."""

    def save(
        self, session_id: str, body: bytes, *, expected: int, now: float, expires_at: float
    ) -> int:
        """Write whole or not at all and give the new version, ``expected + 1``.

        Raises `SessionConflict` unless the standing version is ``expected``; 0 stands for none.
        """

    def delete(self, session_id: str) -> bool:
        """Forget the session; whether there was one, expired or not."""

    def purge(self, *, now: float) -> int:
        """Forget all that expired; how many."""


class EventLog(Protocol):
    """What happened in conversations, as plain values without text, for reports."""

    def append(self, events: Sequence[Mapping[str, object]]) -> None:
        """Keep events; each has ``at``, seconds since the epoch."""

    def read(self, *, since: float = 0.0) -> Iterator[Mapping[str, object]]:
        """Events from ``since`` on, in the order of their times, then of their arrival."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityRecord:
    """One version of an entity: what was written, by whom and when (seconds since the epoch)."""

    entity: Entity
    by: str
    at: float


class EntityStore(Protocol):
    """Curated entities by id, every version kept; an inactive entity is a deleted one.

    Safe between threads, and between processes where the store is shared. All raise `StoreFailed`.
    """

    def revision(self) -> int:
        """Rises with every change of any entity; 0 for a store that never held one."""

    def entities(self) -> Sequence[Entity]:
        """The standing version of every active entity, in the order of ids."""

    def get(self, entity_id: str, *, version: int | None = None) -> EntityRecord | None:
        """A version, by default the standing one, active or not; None where there is none."""

    def history(self, entity_id: str) -> Sequence[EntityRecord]:
        """Every version, oldest first."""

    def put(
        self,
        entities: Sequence[Entity],
        *,
        by: str,
        at: float,
        expected: Mapping[str, int] | None = None,
    ) -> Sequence[Entity]:
        """Write all or none; gives those that changed, as they stand now.

        An entity that is equal to its standing version but for the number is left alone. A new one
        gets the version that it bears; a changed one the standing version plus 1. Raises
        `EntityConflict` where ``expected`` names another version than stands (0: none).
        """

    def delete(self, entity_id: str, *, by: str, at: float, expected: int | None = None) -> bool:
        """Write a version that is not active; whether there was an active one."""


class Handoff(Protocol):
    """Told that a person was sent to people, so that a person on duty can be told too."""

    def referred(self, referral: Referral) -> None:
        """Called in a thread of its own, for a second at most; what it raises is recorded."""


class Observer(Protocol):
    """Told about every finished run: a log, a metrics registry, a test."""

    def observed(self, run: Run) -> None:
        """Must neither raise nor block for long; what it raises is swallowed and counted."""
