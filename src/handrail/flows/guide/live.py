"""The catalogue of the moment: compiled anew when the store says that something changed."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from handrail.domain.entity import Entity
from handrail.errors import HandrailError, StoreFailed
from handrail.flows.guide.catalogue import Catalogue
from handrail.ports import EntityStore

LOOK_SECONDS = 1.0  # how old the knowledge may be that nothing changed
WAIT_SECONDS = 0.2  # for somebody else's look; compiling an edit takes less
BY = "handrail"

Build = Callable[[Sequence[Entity], int], Catalogue]


@dataclass(slots=True)
class LiveCatalogue:
    """Entities of a store, which is filled with the packaged ones where nobody edited them.

    A store that fails later on leaves the standing catalogue in use; so does an entity that does
    not compile, until it is mended. Safe between threads.
    """

    store: EntityStore
    packaged: Callable[[], Sequence[Entity]]
    build: Build
    clock: Callable[[], float] = time.monotonic
    now: Callable[[], float] = time.time
    failed: HandrailError | None = None  # why the newest state is not in use
    _standing: Catalogue | None = None
    _looked: float = 0.0
    _lock: threading.RLock = field(default_factory=threading.RLock)

    def __call__(self) -> Catalogue:
        """The catalogue; raises what the store or the compiler raises where none stands yet.

        While somebody else looks at a store that does not answer, the standing one is in use.
        """
        standing = self._standing
        if not self._lock.acquire(timeout=-1 if standing is None else WAIT_SECONDS):
            assert standing is not None
            return standing
        try:
            return self._looked_at()
        finally:
            self._lock.release()

    def _looked_at(self) -> Catalogue:
        standing = self._standing
        if standing is not None and self.clock() - self._looked < LOOK_SECONDS:
            return standing
        try:
            self._standing = self._fresh(standing)
            self.failed = None
        except Exception as error:
            if standing is None:
                raise
            self.failed = _told(error)
        self._looked = self.clock()
        assert self._standing is not None
        return self._standing

    @property
    def is_read(self) -> bool:
        """Whether a catalogue stands with its vectors."""
        return self._standing is not None and self._standing.is_read

    def look(self) -> None:
        """Look at the store with the next call, however short ago the last look was."""
        with self._lock:
            self._looked = self.clock() - LOOK_SECONDS

    def _fresh(self, standing: Catalogue | None) -> Catalogue:
        if standing is None:
            self._bring_up_to_date()
        revision = self.store.revision()
        if standing is not None and standing.revision == revision:
            return standing
        return self.build(self.store.entities(), revision)

    def _bring_up_to_date(self) -> None:
        """Packaged entities that are new, or that only an older package has written, are written.

        What an editor has written or taken away stays as it is.
        """
        fresh = [one for one in self.packaged() if self._is_ours(one.entity_id)]
        if fresh:
            self.store.put(fresh, by=BY, at=self.now())

    def _is_ours(self, entity_id: str) -> bool:
        record = self.store.get(entity_id)
        return record is None or record.by == BY


def _told(error: Exception) -> HandrailError:
    """What an operator reads; another library's own words may hold anything."""
    if isinstance(error, HandrailError):
        return error
    return StoreFailed(f"the store of entities failed with {type(error).__name__}")
