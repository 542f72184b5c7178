"""Background builds: one at a time, watched, stopped and remembered by id (C39)."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from itertools import count

import pytest

from handrail.domain.trace import Run
from handrail.errors import CollectionBusy, IndexNotReady, NotFound
from handrail.server.builds import KEPT, Build, Builds, Built

BUILT = Built(records=2, model="m", dim=4, ms=1.0)
SECONDS = 10


@pytest.fixture
def runs() -> list[Run]:
    return []


@pytest.fixture
def builds(runs: list[Run]) -> Iterator[Builds]:
    ids = count()
    made = Builds(lambda: f"b{next(ids)}", runs.append)
    yield made
    made.close()


def at_once(build: Build) -> Built:
    return BUILT


def until_stopped(build: Build) -> Built:
    assert build.stop.wait(SECONDS)
    raise IndexNotReady("indexing was cancelled")


async def test_a_build_ends_with_its_manifest_and_a_run(builds: Builds, runs: list[Run]) -> None:
    build = builds.start("c", at_once)
    await builds.wait(build)
    assert (build.state, build.built) == ("done", BUILT)
    assert [(run.flow, run.outcome, run.reason) for run in runs] == [("index", "done", None)]
    assert builds.get(build.id) is build
    assert builds.running is None


async def test_a_second_build_has_to_wait(builds: Builds) -> None:
    first = builds.start("c", until_stopped)
    with pytest.raises(CollectionBusy, match=first.id):
        builds.start("d", at_once)
    first.stop.set()
    await builds.wait(first)
    await builds.wait(builds.start("d", at_once))


async def test_a_stopped_build_is_cancelled_and_not_failed(builds: Builds, runs: list[Run]) -> None:
    build = builds.start("c", until_stopped)
    build.stop.set()
    await builds.wait(build)
    assert build.state == "cancelled"
    assert runs[0].reason == "index-not-ready"


async def test_c48_a_defect_is_logged_by_its_type_alone(builds: Builds, runs: list[Run]) -> None:
    def broken(build: Build) -> Built:
        raise ValueError("a line of the corpus")

    build = builds.start("c", broken)
    await builds.wait(build)
    assert (build.state, runs[0].reason) == ("failed", "ValueError")


async def test_whoever_stops_waiting_does_not_stop_the_build(builds: Builds) -> None:
    may_end = threading.Event()

    def patient(build: Build) -> Built:
        assert may_end.wait(SECONDS)
        return at_once(build)

    build = builds.start("c", patient)
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(builds.wait(build), 0.05)
    may_end.set()
    await builds.wait(build)
    assert build.state == "done"


async def test_old_builds_are_forgotten_and_unknown_ones_not_found(builds: Builds) -> None:
    first = builds.start("c", at_once)
    await builds.wait(first)
    for _ in range(KEPT):
        await builds.wait(builds.start("c", at_once))
    with pytest.raises(NotFound):
        builds.get(first.id)


async def test_closing_stops_what_runs(runs: list[Run]) -> None:
    builds = Builds(lambda: "b", runs.append)
    build = builds.start("c", until_stopped)
    await asyncio.to_thread(builds.close)
    assert build.state == "cancelled"
