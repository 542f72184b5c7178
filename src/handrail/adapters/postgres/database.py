"""Connections to one PostgreSQL database; the one place where its errors become ours."""

from __future__ import annotations

import os
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

from handrail.adapters.postgres.schema import TABLES, prepare
from handrail.errors import MissingExtra, StoreFailed

if TYPE_CHECKING:
    from psycopg import Connection
    from psycopg_pool import ConnectionPool

    Link: TypeAlias = Connection[tuple[Any, ...]]
    Prepare: TypeAlias = Callable[[Link], None]

# Seconds, seconds and tries after which the server gives up a machine that went without a word, and
# frees its locks; a process that dies closes its connection and needs none of this.
KEEPALIVE = {"idle": 10, "interval": 5, "count": 3}

_SET = "SELECT set_config(%s, %s, false)"


class Database:
    """A pool of at most ``connections``; ``prepare`` makes the tables where they are missing.

    ``tables`` is how the advice to an account without rights calls them.
    ``timeout_seconds`` bounds connecting (2 at least), waiting for a free connection, and each
    statement. Build it in the process that uses it: two cannot share a connection.
    """

    def __init__(
        self,
        url: str,
        *,
        connections: int,
        timeout_seconds: float,
        prepare: Prepare = prepare,
        tables: str = TABLES,
    ) -> None:
        try:
            import psycopg
            import psycopg_pool
        except ImportError:
            raise MissingExtra("psycopg", extra="postgres") from None
        self._psycopg = psycopg
        self._url = url
        self._tables = tables
        self._timeout = timeout_seconds
        self._process = os.getpid()
        with self.translated(), self.connect() as link:
            prepare(link)
        self._pool: ConnectionPool[Link] = psycopg_pool.ConnectionPool(
            url,
            min_size=1,
            max_size=connections,
            timeout=timeout_seconds,
            kwargs=self._arguments(),
            configure=partial(_configure, timeout_seconds=timeout_seconds),
            open=True,
        )
        close_with(self, self._pool.close)

    @contextmanager
    def link(self) -> Iterator[Link]:
        """A connection for this caller alone, each statement a transaction of its own.

        Raises `StoreFailed` for anything that the vendor raises.
        """
        self.require_own_process()
        with self.translated():
            link = self._living()
            try:
                yield link
            finally:
                self._pool.putconn(link)

    def _living(self) -> Link:
        """A connection that has just answered.

        The round trip spares turns that would fail one by one after a restart of the server, or
        after a quiet night behind a firewall. The pool's own check rests for seconds between two.
        """
        for _ in range(self._pool.max_size):
            link = self._pool.getconn()
            try:
                self._pool.check_connection(link)
            except self._psycopg.OperationalError:
                self._pool.putconn(link)  # which throws it away and makes another
            else:
                return link
        return self._pool.getconn()

    def connect(self) -> Link:
        """A connection outside the pool; the caller closes it."""
        with self.translated():
            link = self._psycopg.connect(self._url, **self._arguments())
            try:
                _configure(link, timeout_seconds=self._timeout)
            except BaseException:
                link.close()
                raise
            return link

    @contextmanager
    def translated(self) -> Iterator[None]:
        """Turn the vendor's errors into `StoreFailed`.

        Only the kind and the SQLSTATE are told: the vendor's text may repeat a row or the address.
        """
        try:
            yield
        except self._psycopg.Error as error:
            raise StoreFailed(self._message(error.sqlstate, type(error).__name__)) from None

    def require_own_process(self) -> None:
        """Raise `StoreFailed` in a child that was forked after the store was built."""
        if self._process != os.getpid():
            raise StoreFailed(
                "the store was built before this process was forked. Build it in each worker"
            )

    def _message(self, sqlstate: str | None, kind: str) -> str:
        advice = _ADVICE.get((sqlstate or "")[:2], _OTHERWISE).format(tables=self._tables)
        return f"PostgreSQL could not be used ({kind}, {sqlstate or 'no SQLSTATE'}). {advice}"

    def _arguments(self) -> dict[str, Any]:
        return {"autocommit": True, "connect_timeout": max(2, round(self._timeout))}


def _configure(link: Link, *, timeout_seconds: float) -> None:
    milliseconds = max(1, round(timeout_seconds * 1000))
    link.execute(_SET, ("statement_timeout", str(milliseconds)))
    for name, value in KEEPALIVE.items():
        link.execute(_SET, (f"tcp_keepalives_{name}", str(value)))


def close_with(owner: object, close: Callable[[], None]) -> None:
    """Call ``close`` when ``owner`` goes, in this process alone: the ports know no close.

    ``close`` must not lead to ``owner``, or it never goes.
    """
    weakref.finalize(owner, _close_here, close, os.getpid())


def _close_here(close: Callable[[], None], process: int) -> None:
    if process == os.getpid():  # a forked child would end the connections of its parent
        close()


# By the class of the SQLSTATE, its first two characters.
_ADVICE = {
    "0A": "Check that no view or rule of your own uses a column of {tables}",
    "22": "Check that the columns of {tables} can hold what is written",
    "23": "Check that {tables} have no rules of your own that refuse a row",
    "28": "Check the account and its password",
    "3D": "Check the name of the database",
    "42": "Check that the account may use the tables {tables}",
    "53": "Give the server more room or connections",
}
_OTHERWISE = "Check that the server runs, its address and its load, and try again"
