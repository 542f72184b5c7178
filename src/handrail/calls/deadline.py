"""A wall-clock limit that the work cannot stretch, not even by ignoring its cancellation."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

GRACE_SECONDS = 0.1  # for closing a connection; a well-behaved task needs none of it

T = TypeVar("T")
_running: set[asyncio.Task[Any]] = set()


class DeadlinePassed(Exception):
    """The work was not done in time; its own `TimeoutError` is something else."""


class WorkCancelled(Exception):
    """The work cancelled itself; only its caller's cancellation may look like one."""


async def within(seconds: float, work: Coroutine[Any, Any, T]) -> T:
    """The result of ``work``, or `DeadlinePassed` at most ``seconds`` and `GRACE_SECONDS` later.

    Raises `WorkCancelled` for work that gave itself up. Work that runs late, and work whose caller
    is cancelled, is cancelled and awaited; work that holds on past the grace is left behind, its
    outcome discarded.
    """
    task = asyncio.create_task(work)
    _running.add(task)  # the loop keeps weak references only
    task.add_done_callback(_forget)
    try:
        await asyncio.wait({task}, timeout=max(0.0, seconds))
        if not task.done():
            raise DeadlinePassed
        if task.cancelled():
            raise WorkCancelled
        return task.result()
    finally:
        if not task.done():
            task.cancel()
            await asyncio.wait({task}, timeout=GRACE_SECONDS)


def _forget(task: asyncio.Task[Any]) -> None:
    _running.discard(task)
    if not task.cancelled():
        task.exception()  # looked at, so that the loop does not report it
