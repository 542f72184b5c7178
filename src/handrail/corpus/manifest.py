"""What an index was made from and with, and the hashes that prove it whole (C11, C68)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from importlib.metadata import version
from pathlib import Path
from typing import Any

from handrail.corpus.segment import SEGMENTER_VERSION
from handrail.domain.text import digest
from handrail.errors import IndexCorrupt, IndexMismatch
from handrail.ports import Embedder

MANIFEST = "index_manifest.json"
FORMAT = 2  # of the files and of the texts that the lexical index holds


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexManifest:
    """Counts, versions and hashes; ``checksum`` covers all the rest, and so every file."""

    format: int
    handrail: str
    model_name: str
    model_fingerprint: str
    dim: int
    record_count: int
    sentence_count: int
    segmenter_version: str
    corpus_hash: str
    context_count: int
    files: Mapping[str, str]
    checksum: str

    @classmethod
    def of(
        cls,
        *,
        embedder: Embedder,
        record_count: int,
        sentence_count: int,
        corpus_hash: str,
        context_count: int,
        files: Mapping[str, str],
    ) -> IndexManifest:
        """The manifest of an index made by this version."""
        body: dict[str, Any] = {
            "format": FORMAT,
            "handrail": version("handrail"),
            "model_name": embedder.name,
            "model_fingerprint": embedder.fingerprint,
            "dim": embedder.dim,
            "record_count": record_count,
            "sentence_count": sentence_count,
            "segmenter_version": SEGMENTER_VERSION,
            "corpus_hash": corpus_hash,
            "context_count": context_count,
            "files": dict(files),
        }
        return cls(**body, checksum=_checksum(body))

    def to_bytes(self) -> bytes:
        """The one way in which these facts are written."""
        return _canonical(asdict(self))

    @classmethod
    def parse(cls, raw: bytes, *, anew: str) -> IndexManifest:
        """Raises `IndexCorrupt` when a byte changed, `IndexMismatch` for another format."""
        body = _proven(raw)
        if body.get("format") != FORMAT or body.keys() != {field.name for field in fields(cls)}:
            raise IndexMismatch(
                f"the index has format {body.get('format')!r}, this version reads {FORMAT}. "
                f"Run: {anew}"
            )
        return cls(**body)

    def check_model(self, embedder: Embedder, *, rebuild: str) -> None:
        """Raises `IndexMismatch` unless the index was made with this very model."""
        if self.model_fingerprint != embedder.fingerprint:
            raise IndexMismatch(
                f"the index was built with {self.model_name} ({self.model_fingerprint[:12]}), the "
                f"model in use is {embedder.name} ({embedder.fingerprint[:12]}). Run: {rebuild}"
            )

    def check_segmenter(self, *, rebuild: str) -> None:
        """Raises `IndexMismatch` unless sentences are cut as this version cuts them."""
        if self.segmenter_version != SEGMENTER_VERSION:
            raise IndexMismatch(
                f"the index was cut by segmenter {self.segmenter_version}, this version has "
                f"segmenter {SEGMENTER_VERSION}. Run: {rebuild}"
            )

    def check_files(self, folder: Path) -> None:
        """Raises `IndexCorrupt`, naming the first file that is absent or not as it was written."""
        for name, expected in sorted(self.files.items()):
            if not (folder / name).is_file():
                raise IndexCorrupt(f"{name} is missing from the index")
            if hash_file(folder / name) != expected:
                raise IndexCorrupt(f"{name} is not as it was written: its hash differs")


def hash_file(path: Path) -> str:
    """SHA-256 of the bytes, which modern processors compute at a gigabyte a second and more."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def hash_folder(folder: Path) -> dict[str, str]:
    """The hash of every file below ``folder``, by its relative name."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): hash_file(path) for path in paths}


def _proven(raw: bytes) -> dict[str, Any]:
    try:
        body = json.loads(raw)
        proven = _canonical(body) == raw and body["checksum"] == _checksum(body)
    except (ValueError, KeyError, TypeError, RecursionError):
        proven = False
    if not proven:
        raise IndexCorrupt(f"{MANIFEST} is not as it was written: its checksum differs")
    return dict(body)


def _checksum(body: Mapping[str, Any]) -> str:
    rest = {key: value for key, value in body.items() if key != "checksum"}
    return digest("index", _canonical(rest).decode())


def _canonical(body: object) -> bytes:
    return (json.dumps(body, sort_keys=True, indent=2) + "\n").encode()
