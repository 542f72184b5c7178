"""What the routes share: the engine, its threads, its builds and whether its index is open."""

from __future__ import annotations

import threading
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache, partial
from pathlib import Path
from typing import TypeVar

from handrail.calls.lane import CLOSE_SECONDS, Lane
from handrail.content import corpora
from handrail.corpus.columns import ColumnMap
from handrail.domain.outcome import Resource
from handrail.domain.risk import Level
from handrail.domain.trace import Run
from handrail.engine import STARTER, Engine
from handrail.errors import HandrailError, IndexNotReady, InvalidInput, NotFound
from handrail.rails.helplines import Helplines
from handrail.server.builds import Build, Builds, Built
from handrail.server.metrics import Metrics
from handrail.server.turns import Turns

WAITING_PER_WORKER = 32  # beyond that a request waits longer than its sender does

T = TypeVar("T")


@cache
def _helplines() -> Helplines:
    """Read once a process: an error reply must not wait a tenth of a second for it."""
    return Helplines.packaged()


@dataclass
class Service:
    """One engine behind HTTP, answering from one collection."""

    engine: Engine
    collection: str
    metrics: Metrics = field(default_factory=Metrics)
    opened: bool = False
    opening: threading.Thread | None = None
    failure: Exception | None = None
    warming: threading.Thread | None = None

    def __post_init__(self) -> None:
        # A view of the caller's engine: same library, same open collections, one observer more.
        self.engine = replace(self.engine, observers=(*self.engine.observers, self.metrics))
        _helplines()  # now, and not when a person waits
        self.builds = Builds(self.engine.new_id, self.observe)
        settings = self.engine.settings
        seconds, workers = settings.coach.reply_seconds, settings.server.workers
        self._lane = Lane(seconds, workers=workers)
        self._front = Lane(seconds, workers=workers)
        self._chats = Lane(seconds, workers=workers)
        self._guides = Lane(seconds, workers=workers)
        self._tried = threading.Event()  # the collection is open, or was tried
        self._closing = threading.Event()
        self.turns = Turns(
            most=workers * WAITING_PER_WORKER, wait_seconds=settings.sessions.wait_seconds
        )

    async def offload(self, work: Callable[[], T]) -> T:
        """The one place where CPU work leaves the event loop; cancelled, it may never begin."""
        return await self._lane.run(work)

    async def screened(self, work: Callable[[], T]) -> T:
        """The same for what is done before any search, and must not wait for one that hangs."""
        return await self._front.run(work)

    async def chatted(self, work: Callable[[], T]) -> T:
        """The same for turns and their store, which no search and no index may hold up."""
        return await self._chats.run(work)

    async def guided(self, work: Callable[[], T]) -> T:
        """The same for the guide and its entities."""
        return await self._guides.run(work)

    async def require_readable(self, message: str) -> None:
        """Raise `InvalidInput` for a message too long to read, unless somebody is in danger."""
        if len(message) <= self.engine.settings.server.max_query_chars:
            return
        risk = await self.screened(lambda: self.engine.check(message))
        if risk.level < Level.MODERATE:
            raise self.too_long()

    def too_long(self) -> InvalidInput:
        """What is said of a text with too many characters."""
        limit = self.engine.settings.server.max_query_chars
        return InvalidInput(f"send at most {limit} characters (HANDRAIL_SERVER__MAX_QUERY_CHARS)")

    def observe(self, run: Run) -> None:
        """Tell every observer; what one of them raises is its own affair."""
        for observer in self.engine.observers:
            with suppress(Exception):
                observer.observed(run)

    def open(self) -> None:
        """Open the collection now, so that no request has to wait for it; failure is kept."""
        self.engine.front.screen.compile_all()  # here, so that no message pays for it
        with suppress(Exception):  # whoever sends a message is told
            self.engine.sessions.orchestrator.warm()
        try:
            # The model before the corpus: loading it needs memory that is free again afterwards.
            self.engine.library.embedder.embed_query("a first word")
            self.engine.coach_for(self.collection)
        except Exception as error:  # noqa: BLE001  told to whoever asks whether we are ready
            self.failure = error
        else:
            self.opened, self.failure = True, None
        self._tried.set()

    def _warm_guide(self) -> None:
        """Have the guide ready, behind the collection: its vectors take seconds to make.

        Entity by entity, into the cache on disk, so that it can stop when the server does.
        """
        self._tried.wait()
        with suppress(Exception):  # whoever sends a message is told
            live = self.engine.desk.live
            for entity in live().searched:
                if self._closing.is_set():
                    return
                _ = live.build([entity], 0).meaning
            _ = live().meaning

    def start(self) -> None:
        """Open the collection in the background; the packaged one is built if that was not done."""
        self.warming = threading.Thread(target=self._warm_guide, name="handrail-guide", daemon=True)
        self.warming.start()
        with suppress(HandrailError):  # a damaged one is told of by whoever opens it
            if self.collection == STARTER and not self.engine.library.exists(STARTER):
                self.builds.start(STARTER, self._starter)
                return
        self.opening = threading.Thread(target=self.open, name="handrail-open", daemon=True)
        self.opening.start()

    async def over_index(self, work: Callable[[], Awaitable[T]]) -> T:
        """What needs the collection; raises what `require_index` raises."""
        self.require_index()
        found = await work()
        self.opened = True
        return found

    def require_index(self) -> None:
        """Raise `IndexNotReady` while no index stands and one is being made (C51)."""
        build = self.builds.running
        building = build is not None and build.collection == self.collection
        opening = self.opening is not None and self.opening.is_alive()
        if not self.opened and (building or opening):
            raise IndexNotReady("index building. Try again in a few seconds")

    def index(self, file: str | None, collection: str | None, columns: ColumnMap | None) -> Build:
        """Begin a build; raises `NotFound`, `InvalidInput` or `CollectionBusy` at once."""
        name = collection or self.collection
        if file is None:
            if name != STARTER:
                raise InvalidInput("no file was given. Send path, the name of a file on the server")
            return self.builds.start(name, self._starter)
        path = Path(file)
        if not path.is_file():
            raise NotFound("there is no file of that name on the server. Check path")
        return self.builds.start(name, partial(self._add, path, columns))

    def _add(self, path: Path, columns: ColumnMap | None, build: Build) -> Built:
        report = self.engine.add(
            path,
            collection=build.collection,
            columns=columns,
            progress=build.watched,
            cancelled=build.stop.is_set,
        )
        self._reopen(build)
        return Built.of(report.manifest, report.build_ms)

    def _starter(self, build: Build) -> Built:
        """Like `Engine.ensure_starter`, but it can be stopped and keeps no question waiting."""
        report = self.engine.library.add(
            corpora(STARTER), STARTER, progress=build.watched, cancelled=build.stop.is_set
        )
        self.engine.forget(STARTER)
        self._reopen(build)
        return Built.of(report.manifest, report.build_ms)

    def _reopen(self, build: Build) -> None:
        if build.collection == self.collection:
            self.open()

    def resources(self) -> tuple[Resource, ...]:
        """Whom to turn to, for replies that no flow has made."""
        return _helplines().resources(self.engine.settings.country)

    def close(self) -> None:
        """Stop builds; queued work is dropped, running work is waited for, but not for ever."""
        self._closing.set()
        self._tried.set()
        self.builds.close()
        self._front.close()
        self._chats.close()
        self._guides.close()
        self._lane.close()
        if self.warming is not None:
            self.warming.join(CLOSE_SECONDS)
