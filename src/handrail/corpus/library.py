"""Every collection of one home, with one model and one set of formats."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from handrail.corpus.build import BuildReport, Standing, build
from handrail.corpus.collection import Collection, Formats
from handrail.corpus.columns import ColumnMap
from handrail.corpus.manifest import IndexManifest
from handrail.corpus.opening import (
    Listed,
    list_collections,
    open_collection,
    verify_collection,
)
from handrail.corpus.pool import Progress, Watch
from handrail.corpus.readers import read_cases
from handrail.corpus.store import collection_dir, current_id, remove_collection
from handrail.ports import Embedder


@dataclass(frozen=True, slots=True)
class Library:
    """Collections by name under ``home``; names are lower case and cannot lead elsewhere."""

    home: Path
    embedder: Embedder
    formats: Formats

    def add(
        self,
        paths: Sequence[Path],
        name: str,
        *,
        columns: ColumnMap | None = None,
        standing: Standing = Standing.KEEP,
        progress: Callable[[Progress], None] | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> BuildReport:
        """Index files into a collection; what they hold already is not embedded again.

        Raises what `read_cases` and `build` raise; the collection then is as it was.
        """
        cases, files = read_cases(paths, tables=self.formats.tables, columns=columns)
        watch = _watch(progress, cancelled)
        report = build(
            self.home,
            name,
            cases,
            embedder=self.embedder,
            formats=self.formats,
            standing=standing,
            watch=watch,
        )
        return replace(report, files=files)

    def rebuild(
        self,
        name: str,
        *,
        progress: Callable[[Progress], None] | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> BuildReport:
        """Make the index anew from the cases that it holds, with the present model."""
        return build(
            self.home,
            name,
            (),
            embedder=self.embedder,
            formats=self.formats,
            standing=Standing.REBUILD,
            watch=_watch(progress, cancelled),
        )

    def open(self, name: str) -> Collection:
        """The collection, with every byte verified; raises what `open_collection` raises."""
        return open_collection(self.home, name, embedder=self.embedder, formats=self.formats)

    def exists(self, name: str) -> bool:
        """Whether the collection has a finished index."""
        return current_id(collection_dir(self.home, name)) is not None

    def list(self) -> tuple[Listed, ...]:
        """Every collection with its manifest, or with what is wrong with it."""
        return list_collections(self.home)

    def verify(self, name: str) -> IndexManifest:
        """Check every byte, count and offset of a collection; needs no model."""
        return verify_collection(self.home, name, formats=self.formats)

    def remove(self, name: str) -> None:
        """Delete a collection for good; raises `NotFound` or `CollectionBusy`."""
        remove_collection(self.home, name)


def _watch(
    progress: Callable[[Progress], None] | None, cancelled: Callable[[], bool] | None
) -> Watch:
    watch = Watch() if progress is None else Watch(progress=progress)
    return watch if cancelled is None else replace(watch, cancelled=cancelled)
