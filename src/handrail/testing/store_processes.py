"""What the contracts of shared stores run in processes of their own.

It imports nothing that is slow to load: a process is started anew for each part.
"""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from typing import TypeAlias

from handrail.errors import SessionConflict
from handrail.ports import EventLog, SessionStore

OpenStore: TypeAlias = Callable[[], SessionStore]
OpenLog: TypeAlias = Callable[[], EventLog]

ID = "conversation-1"
NOW = 1_000.0
LATER = 2_000.0
START_SECONDS = 60.0  # a loaded machine takes its time to start a process
BLOCK = 20_000  # bytes of a body that is more than a page


@contextmanager
def running(
    part: Callable[..., None], *arguments: object
) -> Iterator[tuple[SpawnProcess, Connection]]:
    """A process at ``part(*arguments, pipe)``, and this end of the pipe; killed at the end."""
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    process = context.Process(target=part, args=(*arguments, there), daemon=True)
    process.start()
    there.close()
    try:
        yield process, here
    finally:
        process.kill()
        process.join()
        process.close()
        here.close()


def said(pipe: Connection) -> object:
    """The next thing that the process says."""
    if not pipe.poll(START_SECONDS):
        raise TimeoutError("the process says nothing")
    return pipe.recv()


def count_up(store: SessionStore, times: int) -> None:
    """Add ``times`` to the number in the session, in holds."""
    for _ in range(times):
        with store.hold(ID, seconds=START_SECONDS):
            stored = store.load(ID, now=NOW)
            number, version = (int(stored.body), stored.version) if stored else (0, 0)
            store.save(ID, b"%d" % (number + 1), expected=version, now=NOW, expires_at=LATER)


def wins(store: SessionStore, rounds: int) -> int:
    """How many of the versions up to ``rounds`` this writer was the one to write."""
    won = 0
    for version in range(rounds):
        try:
            store.save(ID, b"mine", expected=version, now=NOW, expires_at=LATER)
        except SessionConflict:
            continue
        won += 1
    return won


def hold_for_ever(open_store: OpenStore, pipe: Connection) -> None:
    """Hold the session, say so, and never leave."""
    with open_store().hold(ID, seconds=START_SECONDS):
        pipe.send("held")
        time.sleep(3600)


def count(open_store: OpenStore, times: int, pipe: Connection) -> None:
    """Say that all is ready; once told to go, `count_up` and say that it is done."""
    store = open_store()
    pipe.send("ready")
    pipe.recv()
    count_up(store, times)
    pipe.send("done")


def race(open_store: OpenStore, rounds: int, pipe: Connection) -> None:
    """Say that all is ready; once told to go, say how many `wins` there were."""
    store = open_store()
    pipe.send("ready")
    pipe.recv()
    pipe.send(wins(store, rounds))


def write_for_ever(open_store: OpenStore, pipe: Connection) -> None:
    """Write version after version, each full of its own number; say so after the first."""
    store = open_store()
    version = 0
    while True:
        body = bytes([(version + 1) % 256]) * BLOCK
        version = store.save(ID, body, expected=version, now=NOW, expires_at=LATER)
        if version == 1:
            pipe.send("writing")


def report(open_log: OpenLog, name: str, times: int, pipe: Connection) -> None:
    """Append ``times`` events under ``name``, and say that it is done."""
    log = open_log()
    for number in range(times):
        log.append([{"at": float(number), "name": name}])
    pipe.send("done")
