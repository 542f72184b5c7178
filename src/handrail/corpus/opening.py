"""From a folder on disk to a `Collection`, with every byte verified on the way."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from handrail.corpus.collection import CaseRows, Collection, Formats
from handrail.corpus.manifest import MANIFEST, IndexManifest
from handrail.corpus.store import (
    anew_command,
    collection_dir,
    collections_dir,
    current_index,
    rebuild_command,
)
from handrail.corpus.stored import CASES, SENTENCES, StoredCases, sentence_lines
from handrail.corpus.tokens import read_tokens
from handrail.domain.text import Case
from handrail.errors import HandrailError, IndexCorrupt, IndexUnusable
from handrail.ports import Embedder, Tables

CTX, RESP, RESP_FIRST, LEXICAL = "ctx.faiss", "resp.faiss", "resp.first.npy", "lexical"
_ATTEMPTS = 3  # a writer may delete the index between reading `current` and opening the files


@dataclass(frozen=True, slots=True)
class Listed:
    """A collection as the list shows it: its manifest, or what is wrong with it."""

    name: str
    manifest: IndexManifest | None
    problem: str = ""


def open_collection(home: Path, name: str, *, embedder: Embedder, formats: Formats) -> Collection:
    """Verify every byte of the current index and open it.

    Raises `NotFound`, `IndexNotReady`, `IndexCorrupt` (naming the file) or `IndexMismatch` (another
    model, segmenter or format; the message holds the command that mends it).
    """
    folder = collection_dir(home, name)
    for _ in range(_ATTEMPTS - 1):
        index = current_index(folder)
        try:
            return load(index, name, embedder=embedder, formats=formats)
        except (IndexUnusable, OSError):
            if current_index(folder) == index:
                raise
    return load(current_index(folder), name, embedder=embedder, formats=formats)


def list_collections(home: Path) -> tuple[Listed, ...]:
    """Every collection by name; reads manifests only, so that damage elsewhere is not seen."""
    folders = sorted(path for path in collections_dir(home).glob("*") if path.is_dir())
    return tuple(_listed(folder) for folder in folders)


def verify_collection(home: Path, name: str, *, formats: Formats) -> IndexManifest:
    """Check hashes, counts, and that every listed sentence is what its offsets cut (C64).

    Needs no model. Raises what `open_collection` raises, but for another model.
    """
    index = current_index(collection_dir(home, name))
    manifest = read_manifest(index, name)
    manifest.check_segmenter(rebuild=rebuild_command(name))
    opened = _read(index, name, manifest, formats)
    listed = iter((index / SENTENCES).read_text(encoding="utf-8").splitlines())
    for case in opened.cases:
        for line in sentence_lines(case):
            if next(listed, None) != line:
                raise IndexCorrupt(f"{SENTENCES} does not match case {case.id} of {CASES}")
    return manifest


def read_standing(home: Path, name: str, *, tables: Tables) -> tuple[Case, ...]:
    """The cases of the current index, whatever model and segmenter it was built with."""
    index = current_index(collection_dir(home, name))
    read_manifest(index, name).check_files(index)
    return tuple(StoredCases(tables.read(index / CASES)))


def load(index: Path, name: str, *, embedder: Embedder, formats: Formats) -> Collection:
    """Open the index in this folder; raises `IndexCorrupt` or `IndexMismatch`."""
    rebuild = rebuild_command(name)
    manifest = read_manifest(index, name)
    manifest.check_segmenter(rebuild=rebuild)
    manifest.check_model(embedder, rebuild=rebuild)
    return _read(index, name, manifest, formats)


def read_manifest(index: Path, name: str) -> IndexManifest:
    """The index's manifest, proven against its own checksum."""
    try:
        raw = (index / MANIFEST).read_bytes()
    except FileNotFoundError:
        raise IndexCorrupt(f"{MANIFEST} is missing from collection {name!r}") from None
    return IndexManifest.parse(raw, anew=anew_command(name))


def _read(index: Path, name: str, manifest: IndexManifest, formats: Formats) -> Collection:
    manifest.check_files(index)
    first = np.load(index / RESP_FIRST, allow_pickle=False)
    opened = Collection(
        name=name,
        manifest=manifest,
        cases=StoredCases(formats.tables.read(index / CASES)),
        contexts=formats.vectors.read(index / CTX),
        sentences=CaseRows(formats.vectors.read(index / RESP), first),
        lexical=formats.lexical.read(index / LEXICAL),
        tokens=read_tokens(index),
    )
    _check_counts(opened)
    return opened


def _check_counts(opened: Collection) -> None:
    """The files must fit each other, whatever their hashes say."""
    manifest, tokens = opened.manifest, opened.tokens
    rows = [opened.contexts.count, opened.lexical.count, tokens.count if tokens else None]
    if any(count not in (manifest.context_count, None) for count in rows):
        raise IndexCorrupt(f"{CTX}, {LEXICAL} and tokens.npy do not hold the same contexts")
    sentences = (opened.sentences.index.count, int(opened.sentences.first[-1]))
    cases = (len(opened.cases), len(opened.sentences.first) - 1)
    if {*sentences} != {manifest.sentence_count} or {*cases} != {manifest.record_count}:
        raise IndexCorrupt(f"{RESP} and {CASES} do not hold the same sentences")


def _listed(folder: Path) -> Listed:
    try:
        return Listed(folder.name, read_manifest(current_index(folder), folder.name))
    except HandrailError as error:
        return Listed(folder.name, None, str(error))
