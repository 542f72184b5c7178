"""Work that hangs is given up in time, keeps no place and stops no process from ending."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterator

import pytest

from handrail.calls.lane import MAX_LATE, Lane, WorkBroke
from handrail.calls.patience import Patient
from handrail.domain.trace import Run, Trace
from handrail.errors import TimedOut

SOON, LONG = 0.05, 30.0


@pytest.fixture
def freed() -> Iterator[threading.Event]:
    event = threading.Event()
    yield event
    event.set()


def broken(error: BaseException) -> None:
    raise error


async def test_work_returns_or_raises_what_it_does() -> None:
    for lane in (Lane(LONG), Lane(LONG, workers=1)):
        assert await lane.run(lambda: 7) == 7
        assert lane.wait(lambda: 7) == 7
        for error in (KeyError("a"), TimeoutError("its own")):
            with pytest.raises(type(error)):
                await lane.run(lambda error=error: broken(error))
            with pytest.raises(type(error)):
                lane.wait(lambda error=error: broken(error))


@pytest.mark.parametrize(
    "error", [asyncio.CancelledError("a"), SystemExit(3), StopIteration("a")], ids=repr
)
async def test_an_end_that_is_no_error_becomes_one(error: BaseException) -> None:
    for lane in (Lane(LONG), Lane(LONG, workers=1)):
        with pytest.raises(WorkBroke, match=f"^{type(error).__name__}$"):
            await lane.run(lambda: broken(error))


async def test_what_hangs_is_given_up_and_its_place_is_free(freed: threading.Event) -> None:
    lane = Lane(SOON, workers=1)
    with pytest.raises(TimedOut):
        await lane.run(freed.wait)
    assert await lane.run(lambda: "next") == "next"


def test_what_hangs_is_given_up_without_a_loop_too(freed: threading.Event) -> None:
    with pytest.raises(TimedOut):
        Lane(SOON).wait(freed.wait)


async def test_waiting_for_a_turn_counts(freed: threading.Event) -> None:
    lane = Lane(SOON, workers=1)
    ends = await asyncio.gather(*(lane.run(freed.wait) for _ in range(3)), return_exceptions=True)
    assert [type(end) for end in ends] == [TimedOut] * 3


async def test_no_more_than_the_workers_at_a_time() -> None:
    lane, lock, running, most = Lane(LONG, workers=2), threading.Lock(), 0, 0

    def work() -> None:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        time.sleep(0.01)
        with lock:
            running -= 1

    await asyncio.gather(*(lane.run(work) for _ in range(10)))
    assert most == 2


async def test_work_whose_caller_left_keeps_its_place(freed: threading.Event) -> None:
    lane, begun = Lane(LONG, workers=1), threading.Event()
    first = asyncio.create_task(lane.run(lambda: (begun.set(), freed.wait())))
    while not begun.is_set():
        await asyncio.sleep(0.001)
    first.cancel()
    second = asyncio.create_task(lane.run(lambda: "second"))
    await asyncio.sleep(SOON)
    assert not second.done()
    freed.set()
    assert await second == "second"


async def test_when_too_much_hangs_nothing_more_is_begun(freed: threading.Event) -> None:
    lane = Lane(0.001)
    for _ in range(MAX_LATE):
        with pytest.raises(TimedOut, match="was not done"):
            await lane.run(freed.wait)
    await asyncio.sleep(SOON)
    with pytest.raises(TimedOut, match="hangs already"):
        await lane.run(lambda: "never begun")
    freed.set()
    await asyncio.sleep(SOON)
    assert await lane.run(lambda: "again") == "again"


async def test_a_closed_lane_begins_nothing() -> None:
    lane = Lane(LONG)
    lane.close()
    with pytest.raises(RuntimeError, match="shutdown"):
        await lane.run(int)


class Sink:
    """Takes runs in, or hangs, or breaks."""

    def __init__(self, freed: threading.Event | None = None) -> None:
        self.freed, self.taken = freed, 0

    def observed(self, run: Run) -> None:
        if self.freed is not None and not self.freed.wait(LONG):
            raise OSError
        self.taken += 1


RUN = Run(flow="coach", outcome="answer", trace=Trace("t"))


def test_an_observer_that_hangs_costs_one_moment(freed: threading.Event) -> None:
    sink = Sink(freed)
    patient = Patient(sink, seconds=SOON)
    for _ in range(20):
        patient.observed(RUN)
    assert (sink.taken, patient.missed) == (0, 19)
    freed.set()
    while sink.taken == 0:
        time.sleep(0.001)
    patient.observed(RUN)


def test_an_observer_that_is_well_takes_every_run_in() -> None:
    sink = Sink()
    patient = Patient(sink)
    for _ in range(20):
        patient.observed(RUN)
    assert (sink.taken, patient.missed) == (20, 0)
