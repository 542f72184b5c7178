"""The wall clock is a limit that no work can stretch."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine

import pytest

from handrail.calls.deadline import GRACE_SECONDS, DeadlinePassed, WorkCancelled, _running, within
from handrail.testing.virtual_time import run_virtually


async def _late(seconds: float) -> str:
    await asyncio.sleep(seconds)
    return "done"


async def _stubborn(seconds: float) -> str:
    """Ignores its cancellation until ``seconds`` have passed, then fails unheard."""
    loop = asyncio.get_running_loop()
    end = loop.time() + seconds
    while (left := end - loop.time()) > 0:
        try:
            await asyncio.sleep(left)
        except asyncio.CancelledError:
            continue
    raise RuntimeError("too late for anybody")


async def _outcome(seconds: float, work: Coroutine[object, object, str]) -> object:
    try:
        return await within(seconds, work)
    except (DeadlinePassed, WorkCancelled, TimeoutError) as error:
        return type(error)


def test_work_in_time_returns_its_result() -> None:
    assert run_virtually(_outcome(4.0, _late(3.9))) == ("done", pytest.approx(3.9))


def test_c30_late_work_ends_at_four_seconds_sharp() -> None:
    assert run_virtually(_outcome(4.0, _late(4.1))) == (DeadlinePassed, pytest.approx(4.0))


def test_work_that_ignores_its_cancellation_gains_only_the_grace() -> None:
    async def main() -> tuple[object, float, int]:
        outcome = await _outcome(4.0, _stubborn(10.0))
        took = asyncio.get_running_loop().time()
        held = len(_running)
        await asyncio.sleep(10.0)
        return outcome, took, held

    (outcome, took, held), _ = run_virtually(main())
    assert outcome is DeadlinePassed
    assert took == pytest.approx(4.0 + GRACE_SECONDS)
    assert held == 1
    assert not _running


def test_no_time_at_all_is_no_time() -> None:
    assert run_virtually(_outcome(-1.0, _late(1.0))) == (DeadlinePassed, pytest.approx(0.0))


def test_the_works_own_timeout_is_not_the_deadline() -> None:
    async def gives_up() -> str:
        raise TimeoutError

    assert run_virtually(_outcome(4.0, gives_up()))[0] is TimeoutError


def test_work_that_cancels_itself_does_not_cancel_its_caller() -> None:
    async def cancels_itself() -> str:
        raise asyncio.CancelledError

    assert run_virtually(_outcome(4.0, cancels_itself()))[0] is WorkCancelled


def test_a_cancelled_caller_takes_its_work_along() -> None:
    ended: list[str] = []

    async def work() -> str:
        try:
            return await _late(60.0)
        finally:
            ended.append("work")

    async def main() -> None:
        caller = asyncio.create_task(within(30.0, work()))
        await asyncio.sleep(1.0)
        caller.cancel()
        with pytest.raises(asyncio.CancelledError):
            await caller

    _, seconds = run_virtually(main())
    assert ended == ["work"]
    assert seconds == pytest.approx(1.0)
