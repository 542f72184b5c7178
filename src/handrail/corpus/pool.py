"""Readings by text: from the index that stands, from the journal, from the model for the rest."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from handrail.corpus.collection import Collection
from handrail.corpus.journal import Journal, text_key
from handrail.corpus.reading import Kind, context_text, read, sentence_texts, without_tokens
from handrail.errors import IndexNotReady
from handrail.ports import Embedder, Reading

if TYPE_CHECKING:
    from handrail.ports import Matrix

BATCH = 128  # texts between two looks at `cancelled`; about a second of work


@dataclass(frozen=True, slots=True)
class Progress:
    """Texts embedded, texts in all, texts a second so far, and seconds left by text length."""

    done: int
    total: int
    rate: float
    seconds_left: float


def _silent(progress: Progress) -> None:
    """Report to nobody."""


def _never() -> bool:
    return False


@dataclass(frozen=True, slots=True, kw_only=True)
class Watch:
    """How a build reports, when it stops, and its clock in seconds."""

    progress: Callable[[Progress], None] = _silent
    cancelled: Callable[[], bool] = _never
    clock: Callable[[], float] = time.monotonic


class Pool:
    """Every reading that need not be computed again."""

    def __init__(self, journal: Journal, standing: Collection | None) -> None:
        self._journal = journal
        self._standing = standing
        self._rows = _rows(standing) if standing else {}

    def embed(self, texts: Iterable[tuple[Kind, str]], embedder: Embedder, watch: Watch) -> int:
        """Fill the journal with what is missing and return how many texts that were.

        Raises `IndexNotReady` when cancelled; what was embedded until then is kept.
        """
        missing = self._missing(texts)
        total, done, begun = sum(map(len, missing)), 0, watch.clock()
        chars = _Chars(sum(len(text) for batch in missing for _, text in batch))
        for batch in missing:
            if watch.cancelled():
                raise IndexNotReady("indexing was cancelled. Run the same command to go on")
            self._append(batch, embedder)
            done += len(batch)
            seconds = max(watch.clock() - begun, 1e-9)
            left = chars.seconds_left(batch, seconds)
            watch.progress(Progress(done, total, done / seconds, left))
        self._journal.sync()
        return total

    def reading(self, kind: Kind, text: str) -> Reading:
        """The reading of a text that stands or was embedded."""
        key = text_key(kind, text)
        row = self._rows.get(key)
        if row is None or self._standing is None:
            return self._journal.reading(key)
        if kind == "sentence":
            return without_tokens(self._standing.sentences.index.vectors([row])[0])
        vector = self._standing.contexts.vectors([row])[0]
        if self._standing.tokens is None:
            return without_tokens(vector)
        return Reading(vector, *self._standing.tokens.block(row))

    def matrix(self, kind: Kind, texts: Sequence[str], dim: int) -> Matrix:
        """The vectors of ``texts``, in order."""
        vectors = np.empty((len(texts), dim), dtype=np.float32)
        for row, text in enumerate(texts):
            vectors[row] = self.reading(kind, text).vector
        return vectors

    def _append(self, batch: Sequence[tuple[Kind, str]], embedder: Embedder) -> None:
        kind = batch[0][0]
        readings = read(embedder, kind, [text for _, text in batch])
        keys = [text_key(kind, text) for _, text in batch]
        self._journal.append(zip(keys, readings, strict=True))

    def _missing(self, texts: Iterable[tuple[Kind, str]]) -> list[list[tuple[Kind, str]]]:
        """Unknown texts, each once, in batches of one kind and of like length."""
        unknown = sorted(
            {
                (kind, text)
                for kind, text in texts
                if (key := text_key(kind, text)) not in self._rows and key not in self._journal
            },
            key=lambda item: (item[0], len(item[1]), item[1]),
        )
        edges = [0, sum(kind == "context" for kind, _ in unknown), len(unknown)]
        return [
            unknown[start : min(start + BATCH, end)]
            for begin, end in pairwise(edges)
            for start in range(begin, end, BATCH)
        ]


class _Chars:
    """Time left by characters: short texts come first, so that counting texts would flatter."""

    def __init__(self, total: int) -> None:
        self._total = total
        self._done = 0

    def seconds_left(self, batch: Sequence[tuple[Kind, str]], seconds: float) -> float:
        self._done += sum(len(text) for _, text in batch)
        return seconds * (self._total - self._done) / max(self._done, 1)


def _rows(standing: Collection) -> dict[bytes, int]:
    """The row of every text that the standing index has a vector for."""
    rows: dict[bytes, int] = {}
    for row in range(standing.contexts.count):
        case = standing.first_case(standing.context_id(row))
        rows[text_key("context", context_text(case))] = row
    texts = (text for case in standing.cases for text in sentence_texts(case))
    for row, text in enumerate(texts):
        rows.setdefault(text_key("sentence", text), row)
    return rows
