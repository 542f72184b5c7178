"""Turns under way: one at a time for each session, and each goes on to its end."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from http import HTTPStatus
from typing import Any, TypeVar
from weakref import WeakValueDictionary

from starlette.exceptions import HTTPException

from handrail.errors import SessionBusy

DRAIN_SECONDS = 5.0

T = TypeVar("T")
Work = Callable[[], Coroutine[Any, Any, T]]


class Turns:
    """What runs on whether or not anybody still listens, ``most`` at a time.

    Somebody who is told of danger as a caller's connection breaks is stored and handed on all the
    same. Those who wait for a session wait here, without a thread; ``wait_seconds`` at most.
    """

    def __init__(self, *, most: int, wait_seconds: float) -> None:
        self._most = most
        self._wait_seconds = wait_seconds
        self._running: set[asyncio.Task[Any]] = set()
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    def begin(self, session_id: str, work: Work[T]) -> asyncio.Task[T]:
        """Start ``work`` when its session is free; raises 503 where too much is under way.

        The task may raise `SessionBusy`, and whatever the work raises.
        """
        if len(self._running) >= self._most:
            raise HTTPException(HTTPStatus.SERVICE_UNAVAILABLE)
        task = asyncio.create_task(self.alone(session_id, work))
        self._running.add(task)  # the loop keeps weak references only
        task.add_done_callback(self._ended)
        return task

    async def alone(self, session_id: str, work: Work[T]) -> T:
        """``work`` while nothing else of this process works on its session."""
        lock = self._locks.setdefault(session_id, asyncio.Lock())
        try:
            async with asyncio.timeout(self._wait_seconds):
                await lock.acquire()
        except TimeoutError:
            raise SessionBusy(
                "another turn of this session is under way. Send it again in a moment"
            ) from None
        try:
            return await work()
        finally:
            lock.release()

    async def close(self) -> None:
        """Give what runs a few seconds to end."""
        if running := set(self._running):
            _, late = await asyncio.wait(running, timeout=DRAIN_SECONDS)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._running.discard(task)
        if not task.cancelled():
            task.exception()  # looked at, so that the loop does not report it, with what was said
