"""What a build has embedded so far, so that an interruption loses none of it.

A header, then records: hash of the text, number of word pieces, vector, pieces, token vectors,
CRC-32 of all that. Records are only ever appended; what a crash tore off at the end is cut when
the journal is opened again.
"""

from __future__ import annotations

import hashlib
import os
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

import numpy as np

from handrail.corpus.reading import Kind, token_dim
from handrail.ports import Embedder, Reading

_KEY_BYTES = 16  # of a SHA-256: texts by the billion before two collide
_COUNT_BYTES = 4
_CRC_BYTES = 4


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a record's vector begins, and how many pieces follow it."""

    offset: int
    pieces: int


def text_key(kind: Kind, text: str) -> bytes:
    """The key under which a text's vectors are kept."""
    raw = f"{kind}:{text}".encode("utf-8", "surrogatepass")
    return hashlib.sha256(raw).digest()[:_KEY_BYTES]


class Journal:
    """The readings of one model; another model's journal is started anew."""

    def __init__(self, path: Path, embedder: Embedder) -> None:
        self._dim, self._token_dim = embedder.dim, token_dim(embedder)
        shape = f"{embedder.fingerprint} {self._dim} {self._token_dim}"
        self._header = f"handrail-journal-1 {shape}\n".encode()
        self._places: dict[bytes, _Place] = {}
        self._file = path.open("a+b")
        self._recover()

    def __enter__(self) -> Journal:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()

    def __contains__(self, key: bytes) -> bool:
        return key in self._places

    def __len__(self) -> int:
        return len(self._places)

    def append(self, readings: Iterable[tuple[bytes, Reading]]) -> None:
        """Keep the readings; they survive the process at once, and the machine after `sync`."""
        end = self._file.seek(0, os.SEEK_END)
        for key, reading in readings:
            record = self._record(key, reading)
            self._file.write(record)
            self._places[key] = _Place(end + _KEY_BYTES + _COUNT_BYTES, len(reading.pieces))
            end += len(record)
        self._file.flush()

    def sync(self) -> None:
        """Flush to disk."""
        os.fsync(self._file.fileno())

    def reading(self, key: bytes) -> Reading:
        """What was appended under ``key``."""
        place = self._places[key]
        self._file.seek(place.offset)
        raw = self._file.read(self._body_size(place.pieces))
        edges = (4 * self._dim, 4 * self._dim + 4 * place.pieces)
        return Reading(
            vector=np.frombuffer(raw[: edges[0]], "<f4"),
            pieces=np.frombuffer(raw[edges[0] : edges[1]], "<i4"),
            tokens=np.frombuffer(raw[edges[1] :], np.int8).reshape(-1, max(self._token_dim, 1)),
        )

    def _record(self, key: bytes, reading: Reading) -> bytes:
        body = (
            key
            + len(reading.pieces).to_bytes(_COUNT_BYTES, "little")
            + reading.vector.astype("<f4").tobytes()
            + reading.pieces.astype("<i4").tobytes()
            + reading.tokens.astype(np.int8).tobytes()
        )
        return body + zlib.crc32(body).to_bytes(_CRC_BYTES, "little")

    def _body_size(self, pieces: int) -> int:
        return 4 * self._dim + pieces * (4 + self._token_dim)

    def _recover(self) -> None:
        """Find every whole record, and cut the file behind the last of them."""
        self._file.seek(0)
        if self._file.read(len(self._header)) != self._header:
            self._file.truncate(0)
            self._file.write(self._header)
            self._file.flush()
            return
        end = self._file.tell()
        while key := self._next_key():
            pieces = int.from_bytes(key[_KEY_BYTES:], "little")
            self._places[key[:_KEY_BYTES]] = _Place(end + len(key), pieces)
            end = self._file.tell()
        self._file.truncate(end)

    def _next_key(self) -> bytes:
        """The head of the next record if all of it is there and unharmed; else nothing."""
        head = self._file.read(_KEY_BYTES + _COUNT_BYTES)
        size = self._body_size(int.from_bytes(head[_KEY_BYTES:], "little"))
        if size > _MOST_BYTES:
            return b""
        body = self._file.read(size)
        crc = self._file.read(_CRC_BYTES)
        whole = len(body) == size and len(crc) == _CRC_BYTES
        return head if whole and zlib.crc32(head + body) == int.from_bytes(crc, "little") else b""


_MOST_BYTES = 64 * 2**20  # a torn head must not make us read the rest of the disk
