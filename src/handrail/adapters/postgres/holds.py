"""Locks between all workers on one database: advisory locks, which end with their connection."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING

from handrail.adapters.postgres.database import Database, close_with
from handrail.adapters.session_locks import SessionLocks
from handrail.adapters.session_rules import wait_for
from handrail.errors import StoreFailed

if TYPE_CHECKING:
    from handrail.adapters.postgres.database import Link

_TAKE = b"SELECT pg_try_advisory_lock(%s)"
_GIVE_BACK = b"SELECT pg_advisory_unlock(%s)"


class AdvisoryHolds:
    """Exclusive between threads and processes; the server lets go for a process that dies.

    One connection carries all holds of a process: a turn that waits seconds for a model would
    otherwise keep a connection to itself, and a server has about a hundred. The server takes the
    locks of a connection for one owner's, so threads first exclude each other here. Whoever waits
    asks again and again, because a connection that waits in the server serves nobody else.

    When the connection is lost in the middle of a hold, its locks are lost too; the version of the
    session then keeps the second writer out.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._threads = SessionLocks()
        self._guard = threading.Lock()
        self._links: list[Link] = []  # one at most
        close_with(self, partial(_close, self._links))

    @contextmanager
    def hold(self, key: bytes, *, seconds: float) -> Iterator[None]:
        """Have ``key`` alone; waits ``seconds`` at most, then raises `SessionBusy`."""
        self._database.require_own_process()
        deadline = time.monotonic() + seconds
        number = lock_number(key)
        with self._threads.hold(key, seconds=seconds):
            link = wait_for(lambda: self._take(number), seconds=deadline - time.monotonic())
            process = os.getpid()
            try:
                yield
            finally:
                if process == os.getpid():  # a child that was forked inside leaves it alone
                    self._give_back(link, number)

    def _take(self, number: int) -> Link | None:
        """The connection that now has the lock, or None; a lost one is replaced once."""
        with suppress(StoreFailed):
            return self._tried(self._link(), number)
        return self._tried(self._link(), number)

    def _tried(self, link: Link, number: int) -> Link | None:
        return link if self._ask(link, _TAKE, number) else None

    def _ask(self, link: Link, statement: bytes, number: int) -> bool:
        try:
            with self._database.translated():
                row = link.execute(statement, (number,)).fetchone()
                return bool(row and row[0])
        except BaseException:
            # The lock may have been taken though no answer came: nobody would give it back.
            link.close()
            raise

    def _give_back(self, link: Link, number: int) -> None:
        with suppress(StoreFailed):  # a lost connection has given everything back
            self._ask(link, _GIVE_BACK, number)

    def _link(self) -> Link:
        with self._guard:
            if not self._links or self._links[0].closed:
                self._links[:] = [self._database.connect()]
            return self._links[0]


def _close(links: list[Link]) -> None:
    for link in links:
        link.close()


def lock_number(key: bytes) -> int:
    """A signed 64-bit number; among a million sessions two share one with a chance of 3e-8."""
    return int.from_bytes(key[:8], "big", signed=True)
