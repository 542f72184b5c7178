"""One SQLite file below a folder, and the connections to it."""

from __future__ import annotations

import fcntl
import os
import sqlite3
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Literal, TypeAlias

from handrail.adapters.sqlite.failures import translated
from handrail.adapters.sqlite.schema import prepare

Prepare: TypeAlias = Callable[[sqlite3.Connection], None]

FILE = "conversations.sqlite3"
LOCK_SECONDS = 5.0  # how long a statement waits for another writer; writes take milliseconds
IDLE_CONNECTIONS = 8  # kept open; each costs three descriptors and a page cache
WAL_PAGES = 256  # 1 MB; the log is folded into the file when it has grown to this


class Database:
    """The file with its tables; safe between threads, and between processes of one machine.

    ``prepare`` gives the file its tables where they are missing, while other processes wait.
    ``synchronous`` is SQLite's: FULL keeps every finished write through a power failure, NORMAL may
    lose the last ones; a killed process loses nothing under either. The folder must lie on a local
    disk, because SQLite's log is shared memory. Forks are safe while no other thread is inside a
    call: connections are closed before, and both sides open their own.
    """

    def __init__(
        self,
        folder: Path,
        *,
        synchronous: Literal["FULL", "NORMAL"],
        file: str = FILE,
        prepare: Prepare = prepare,
    ) -> None:
        self.path = folder / file
        self._synchronous = synchronous
        self._idle: list[sqlite3.Connection] = []
        weakref.finalize(self, _close, self._idle)  # the ports know no close
        # SQLite's own rule: no connection may cross a fork, not even to be closed by the child.
        os.register_at_fork(before=partial(_close, self._idle))
        with translated(self.path):
            make_folder(folder)
            with _alone(folder / "setup.lock"):
                _create(self.path)
                with self.connection() as connection:
                    prepare(connection)

    @contextmanager
    def connection(self) -> Iterator[sqlite3.Connection]:
        """A connection for this caller alone, each statement a transaction of its own.

        Raises `StoreFailed` for anything that SQLite raises; the connection is then given up.
        """
        with translated(self.path):
            connection = self._idle_one() or self._open()
            try:
                yield connection
            except BaseException:
                connection.close()
                raise
            if len(self._idle) < IDLE_CONNECTIONS:
                self._idle.append(connection)
            else:
                connection.close()

    def _idle_one(self) -> sqlite3.Connection | None:
        try:
            return self._idle.pop()
        except IndexError:  # asking first would race with other threads
            return None

    def _open(self) -> sqlite3.Connection:
        connection = sqlite3.connect(
            self.path, timeout=LOCK_SECONDS, isolation_level=None, check_same_thread=False
        )
        try:
            connection.execute(f"PRAGMA synchronous = {self._synchronous}")
            connection.execute("PRAGMA secure_delete = ON")  # what is forgotten is overwritten
            connection.execute(f"PRAGMA wal_autocheckpoint = {WAL_PAGES}")
        except BaseException:
            connection.close()
            raise
        return connection


def make_folder(folder: Path) -> None:
    """A folder for its owner alone; one that is there keeps the rights that it has."""
    if not folder.is_dir():
        folder.parent.mkdir(parents=True, exist_ok=True)
        folder.mkdir(mode=0o700, exist_ok=True)


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    descriptor = os.open(path, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _create(path: Path) -> None:
    """Make an empty file for its owner alone, where there is none.

    One that is there is not even opened: closing it would drop the locks that SQLite holds on it
    for this process, and another process could then take away the log that is being written.
    """
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR | os.O_CLOEXEC, 0o600))


def _close(idle: list[sqlite3.Connection]) -> None:
    with suppress(IndexError):
        while True:
            idle.pop().close()
