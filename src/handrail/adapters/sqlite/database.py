"""One SQLite file below a folder, and the connections to it."""

from __future__ import annotations

import fcntl
import os
import sqlite3
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from handrail.adapters.sqlite.failures import translated
from handrail.adapters.sqlite.schema import prepare

FILE = "conversations.sqlite3"
LOCK_SECONDS = 5.0  # how long a statement waits for another writer; writes take milliseconds
IDLE_CONNECTIONS = 8  # kept open; each costs three descriptors and a page cache
WAL_PAGES = 256  # 1 MB; the log is folded into the file when it has grown to this


class Database:
    """The file with its tables; safe between threads, and between processes of one machine.

    ``synchronous`` is SQLite's: FULL keeps every finished write through a power failure, NORMAL may
    lose the last ones; a killed process loses nothing under either. The folder must lie on a local
    disk, because SQLite's log is shared memory. A forked child opens connections of its own.
    """

    def __init__(self, folder: Path, *, synchronous: Literal["FULL", "NORMAL"]) -> None:
        self.path = folder / FILE
        self._synchronous = synchronous
        self._idle: list[sqlite3.Connection] = []
        self._process = os.getpid()
        weakref.finalize(self, _close, self._idle, self._process)  # the ports know no close
        with translated(self.path):
            make_folder(folder)
            with _alone(folder / "setup.lock"):
                os.close(os.open(self.path, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600))
                with self.connection() as connection:
                    prepare(connection)

    @contextmanager
    def connection(self) -> Iterator[sqlite3.Connection]:
        """A connection for this caller alone, each statement a transaction of its own.

        Raises `StoreFailed` for anything that SQLite raises; the connection is then given up.
        """
        with translated(self.path):
            idle = self._connections()
            connection = idle.pop() if idle else self._open()
            try:
                yield connection
            except BaseException:
                connection.close()
                raise
            if len(idle) < IDLE_CONNECTIONS:
                idle.append(connection)
            else:
                connection.close()

    def _connections(self) -> list[sqlite3.Connection]:
        if self._process != os.getpid():
            # A connection must not cross a fork, not even to be closed: keep it, untouched.
            self._parents, self._idle, self._process = self._idle, [], os.getpid()
        return self._idle

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


def _close(idle: list[sqlite3.Connection], process: int) -> None:
    while idle and process == os.getpid():
        idle.pop().close()
