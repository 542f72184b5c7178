"""From cases to a published index: merge, cut, embed what is new, write, swap."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

import numpy as np

from handrail.corpus.collection import Collection, Formats
from handrail.corpus.dedupe import Deduped, dedupe, first_by
from handrail.corpus.journal import Journal
from handrail.corpus.manifest import MANIFEST, IndexManifest, hash_folder
from handrail.corpus.opening import (
    CTX,
    LEXICAL,
    RESP,
    RESP_FIRST,
    open_collection,
    read_standing,
)
from handrail.corpus.pool import Pool, Progress, Watch
from handrail.corpus.readers import ReadReport
from handrail.corpus.reading import (
    Kind,
    context_id,
    context_text,
    reads_tokens,
    sentence_texts,
)
from handrail.corpus.segment import quotable
from handrail.corpus.store import (
    JOURNAL,
    STAGING,
    Disk,
    collection_dir,
    current_id,
    publish,
    writing,
)
from handrail.corpus.stored import CASES, SENTENCES, columns_of, sentence_lines
from handrail.corpus.tokens import write_tokens
from handrail.domain.text import Case, digest
from handrail.errors import InvalidInput
from handrail.ports import Embedder


class Standing(StrEnum):
    """What becomes of the index that stands."""

    KEEP = "keep"  # add to it; it must fit the model and be whole
    REBUILD = "rebuild"  # keep its cases, make the rest anew
    DISCARD = "discard"  # begin with nothing


__all__ = ["BuildReport", "Progress", "Standing", "build", "corpus_hash"]

_UNWATCHED = Watch()
_DISK = Disk()


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildReport:
    """What a build did; counts of texts are of distinct ones."""

    manifest: IndexManifest
    added: int
    exact_duplicates: int
    near_duplicates: int
    embedded: int
    changed: bool
    build_ms: float
    files: tuple[ReadReport, ...] = ()

    @property
    def records(self) -> int:
        """Cases in the collection now (C39)."""
        return self.manifest.record_count

    @property
    def model(self) -> str:
        """The model's published name (C39)."""
        return self.manifest.model_name

    @property
    def dim(self) -> int:
        """Length of a vector (C39)."""
        return self.manifest.dim


def build(
    home: Path,
    name: str,
    cases: Iterable[Case],
    *,
    embedder: Embedder,
    formats: Formats,
    standing: Standing = Standing.KEEP,
    watch: Watch = _UNWATCHED,
    disk: Disk = _DISK,
) -> BuildReport:
    """Add ``cases`` to the collection and publish the index.

    The old index serves until the new one is whole, and stays when anything fails. Interrupted, the
    same call goes on where it was. Raises `CollectionBusy`, `InvalidInput` when there is nothing to
    index, and what `open_collection` raises when the standing index cannot be kept.
    """
    begun = watch.clock()
    folder = collection_dir(home, name)
    added = list(cases)  # before the folder is made: a file may turn out to be unreadable
    if not added and (standing is Standing.DISCARD or current_id(folder) is None):
        raise InvalidInput("there is nothing to index. Run: handrail index add FILE")
    with writing(folder):
        opened, before = _stand(home, name, standing, embedder, formats)
        found = dedupe([*before, *added])
        ready = [replace(case, sentences=quotable(case.response)) for case in found.cases]
        manifest, embedded = _publish(folder, ready, opened, embedder, formats, watch, disk)
    changed = opened is None or manifest != opened.manifest
    seconds = watch.clock() - begun
    return _report(manifest, found, len(before), embedded, changed=changed, seconds=seconds)


def corpus_hash(cases: Sequence[Case]) -> str:
    """The hash of all that was read from files, in order."""
    columns = columns_of(cases)
    return digest(*(value for key in _READ for value in columns[key]))


_READ = ("id", "context", "response", "title", "source_id", "metadata")


def _stand(
    home: Path, name: str, standing: Standing, embedder: Embedder, formats: Formats
) -> tuple[Collection | None, Sequence[Case]]:
    """The index to build on, if any, and the cases that stay."""
    if standing is Standing.DISCARD or current_id(collection_dir(home, name)) is None:
        return None, ()
    if standing is Standing.REBUILD:
        return None, read_standing(home, name, tables=formats.tables)
    opened = open_collection(home, name, embedder=embedder, formats=formats)
    return opened, opened.cases


def _publish(
    folder: Path,
    cases: Sequence[Case],
    opened: Collection | None,
    embedder: Embedder,
    formats: Formats,
    watch: Watch,
    disk: Disk,
) -> tuple[IndexManifest, int]:
    """The manifest of what is current in the end, and how many texts the model read."""
    if opened is not None and corpus_hash(cases) == opened.manifest.corpus_hash:
        return opened.manifest, 0
    contexts = first_by(context_id, cases)
    staged = folder / STAGING
    with Journal(folder / JOURNAL, embedder) as journal:
        pool = Pool(journal, opened)
        embedded = pool.embed(_texts(cases, contexts), embedder, watch)
        disk.remove(staged)
        staged.mkdir()
        _write_contexts(staged, contexts, pool, embedder, formats)
        _write_sentences(staged, cases, pool, embedder, formats)
    _write_tables(staged, cases, formats)
    manifest = IndexManifest.of(
        embedder=embedder,
        record_count=len(cases),
        context_count=len(contexts),
        sentence_count=sum(len(case.sentences) for case in cases),
        corpus_hash=corpus_hash(cases),
        files=hash_folder(staged),
    )
    disk.write(staged / MANIFEST, manifest.to_bytes())
    publish(folder, manifest.checksum, disk)
    disk.remove(folder / JOURNAL)
    return manifest, embedded


def _texts(cases: Sequence[Case], contexts: Sequence[Case]) -> Iterator[tuple[Kind, str]]:
    for case in contexts:
        yield "context", context_text(case)
    for case in cases:
        for sentence in sentence_texts(case):
            yield "sentence", sentence


def _write_contexts(
    staged: Path, contexts: Sequence[Case], pool: Pool, embedder: Embedder, formats: Formats
) -> None:
    texts = [context_text(case) for case in contexts]
    formats.vectors.write(pool.matrix("context", texts, embedder.dim), staged / CTX)
    formats.lexical.write(texts, staged / LEXICAL)
    if reads_tokens(embedder):
        write_tokens(staged, texts, lambda text: pool.reading("context", text), embedder)


def _write_sentences(
    staged: Path, cases: Sequence[Case], pool: Pool, embedder: Embedder, formats: Formats
) -> None:
    counts = [len(case.sentences) for case in cases]
    np.save(staged / RESP_FIRST, np.cumsum([0, *counts], dtype=np.int32))
    texts = [text for case in cases for text in sentence_texts(case)]
    formats.vectors.write(pool.matrix("sentence", texts, embedder.dim), staged / RESP)


def _write_tables(staged: Path, cases: Sequence[Case], formats: Formats) -> None:
    formats.tables.write(columns_of(cases), staged / CASES)
    with (staged / SENTENCES).open("w", encoding="utf-8") as file:
        for case in cases:
            file.writelines(f"{line}\n" for line in sentence_lines(case))


def _report(
    manifest: IndexManifest,
    found: Deduped,
    before: int,
    embedded: int,
    *,
    changed: bool,
    seconds: float,
) -> BuildReport:
    return BuildReport(
        manifest=manifest,
        added=manifest.record_count - before,
        exact_duplicates=found.exact_duplicates,
        near_duplicates=found.near_duplicates,
        embedded=embedded,
        changed=changed,
        build_ms=seconds * 1000,
    )
