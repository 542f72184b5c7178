"""Index builds in the background: one at a time, watched and stopped by id."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from handrail.corpus.manifest import IndexManifest
from handrail.corpus.pool import Progress
from handrail.domain.trace import Run, Step, Trace
from handrail.errors import CollectionBusy, HandrailError, NotFound

KEPT = 32  # finished builds that can still be asked about

State: TypeAlias = Literal["running", "done", "failed", "cancelled"]


@dataclass(frozen=True, slots=True)
class Built:
    """The index that a build left, and how long it took."""

    records: int
    model: str
    dim: int
    ms: float

    @classmethod
    def of(cls, manifest: IndexManifest, ms: float) -> Built:
        """What C39 wants to know of an index."""
        return cls(manifest.record_count, manifest.model_name, manifest.dim, ms)


@dataclass(slots=True)
class Build:
    """One build; written by its own thread, read by any."""

    id: str
    collection: str
    state: State = "running"
    progress: Progress | None = None
    built: Built | None = None
    error: Exception | None = None
    stop: threading.Event = field(default_factory=threading.Event)

    def watched(self, progress: Progress) -> None:
        """Take note of how far it is."""
        self.progress = progress


Work: TypeAlias = Callable[[Build], Built]


@dataclass(slots=True)
class Builds:
    """Runs builds on a thread of their own, so that questions keep theirs."""

    new_id: Callable[[], str]
    finished: Callable[[Run], None]
    _known: dict[str, tuple[Build, Future[None]]] = field(default_factory=dict)
    _thread: ThreadPoolExecutor = field(
        default_factory=lambda: ThreadPoolExecutor(1, thread_name_prefix="handrail-build")
    )

    @property
    def running(self) -> Build | None:
        """The build under way."""
        return next((b for b, _ in self._known.values() if b.state == "running"), None)

    def start(self, collection: str, work: Work) -> Build:
        """Begin; raises `CollectionBusy` while another build runs."""
        if (other := self.running) is not None:
            raise CollectionBusy(
                f"build {other.id} is running. Wait for it, or send DELETE /index/{other.id}"
            )
        build = Build(self.new_id(), collection)
        self._known[build.id] = (build, self._thread.submit(self._run, build, work))
        for old in list(self._known)[:-KEPT]:
            del self._known[old]
        return build

    def get(self, build_id: str) -> Build:
        """The build of that id; raises `NotFound`."""
        if build_id not in self._known:
            raise NotFound("no such build. It may be too old: only the last ones are kept")
        return self._known[build_id][0]

    async def wait(self, build: Build) -> None:
        """Until it has ended; whoever stops waiting does not stop the build."""
        await asyncio.shield(asyncio.wrap_future(self._known[build.id][1]))

    def close(self) -> None:
        """Stop what runs and wait for its thread."""
        if (build := self.running) is not None:
            build.stop.set()
        self._thread.shutdown(cancel_futures=True)

    def _run(self, build: Build, work: Work) -> None:
        begun = time.perf_counter()
        try:
            build.built = work(build)
            state: State = "done"
        except Exception as error:  # noqa: BLE001  a background thread has nobody else to tell
            build.error = error
            state = "cancelled" if build.stop.is_set() else "failed"
        self.finished(_ended(build, state, (time.perf_counter() - begun) * 1000))
        build.state = state


def _ended(build: Build, state: State, ms: float) -> Run:
    """The build as observers see it."""
    trace = Trace(build.id, (Step("build", ms),), {}, ms)
    return Run(flow="index", outcome=state, reason=_code(build.error), trace=trace)


def _code(error: Exception | None) -> str | None:
    if isinstance(error, HandrailError):
        return error.code
    return type(error).__name__ if error else None
