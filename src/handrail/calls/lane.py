"""Work that has no time-out of its own, in threads that can be left behind."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from typing import Any, TypeVar

from handrail.errors import TimedOut

MAX_LATE = 32  # threads that hang at the same time; beyond that nothing is begun
CLOSE_SECONDS = 5.0

T = TypeVar("T")


class WorkBroke(Exception):
    """The work ended with something that is no `Exception`; the message names its type."""


class Lane:
    """At most ``workers`` pieces of work at a time, each for at most ``seconds``.

    Waiting for a turn counts. Work that does not end in time is left behind in its thread, which
    holds up neither the next work nor the end of the process. Whoever gives up waiting for a turn
    takes the work along; work that has begun keeps its place until it ends. Without ``workers``
    nobody waits for a turn, and any number of event loops may use the lane.
    """

    def __init__(self, seconds: float, *, workers: int | None = None) -> None:
        self.seconds = seconds
        self._places = asyncio.Semaphore(workers) if workers else None
        self._threads: dict[threading.Thread, float] = {}
        self._watching: set[asyncio.Task[Any]] = set()
        self._lock = threading.Lock()
        self._closed = False

    async def run(self, work: Callable[[], T]) -> T:
        """What ``work`` returns or raises; raises `TimedOut` for work that does not end in time."""
        try:
            async with asyncio.timeout(self.seconds) as limit:
                if self._places is None:
                    return await asyncio.wrap_future(self._begun(work))
                await self._places.acquire()
                return await asyncio.shield(self._watch(work, self._places))
        except TimeoutError:
            if limit.expired():
                raise self._timed_out() from None
            raise

    def wait(self, work: Callable[[], T]) -> T:
        """The same for callers without an event loop; nobody waits for a turn."""
        done = self._begun(work)
        try:
            return done.result(self.seconds)
        except TimeoutError:
            if done.done():
                raise
            raise self._timed_out() from None

    def close(self) -> None:
        """Begin nothing more, and give running work a few seconds to end."""
        self._closed = True
        ends = time.monotonic() + CLOSE_SECONDS
        for thread in list(self._threads):
            thread.join(max(0.0, ends - time.monotonic()))

    def _watch(self, work: Callable[[], T], places: asyncio.Semaphore) -> asyncio.Task[T]:
        """A task that holds the work's place, also when its caller is gone."""

        async def watched() -> T:
            try:
                async with asyncio.timeout(self.seconds):
                    return await asyncio.wrap_future(self._begun(work))
            finally:
                places.release()

        task = asyncio.create_task(watched())
        self._watching.add(task)  # the loop keeps weak references only
        task.add_done_callback(self._forget)
        return task

    def _forget(self, task: asyncio.Task[Any]) -> None:
        self._watching.discard(task)
        if not task.cancelled():
            task.exception()  # looked at, so that the loop does not report it

    def _begun(self, work: Callable[[], T]) -> Future[T]:
        if self._closed:
            raise RuntimeError("cannot begin work after shutdown")
        done: Future[T] = Future()
        thread = threading.Thread(target=_run, args=(work, done), name="handrail", daemon=True)
        with self._lock:
            self._threads = {t: ends for t, ends in self._threads.items() if t.is_alive()}
            now = time.monotonic()
            if sum(ends < now for ends in self._threads.values()) >= MAX_LATE:
                raise TimedOut("too much work hangs already. Look at disk and embedder; restart")
            thread.start()
            self._threads[thread] = now + self.seconds
        return done

    def _timed_out(self) -> TimedOut:
        return TimedOut(f"the work was not done within {self.seconds:g} s. Try again later")


def _run(work: Callable[[], T], done: Future[T]) -> None:
    with suppress(InvalidStateError):  # whoever waited has given it up
        try:
            done.set_result(work())
        except InvalidStateError:
            raise
        except StopIteration:  # no future can hand one on
            done.set_exception(WorkBroke("StopIteration"))
        except Exception as error:  # noqa: BLE001  told to whoever waits
            done.set_exception(error)
        except BaseException as error:  # noqa: BLE001  a cancellation in here is nobody's outside
            done.set_exception(WorkBroke(type(error).__name__))
