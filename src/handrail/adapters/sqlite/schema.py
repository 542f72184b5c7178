"""The tables of sessions and events, and how a file without its tables gets them."""

from __future__ import annotations

import sqlite3

from handrail.errors import StoreFailed

VERSION = 1

_SCRIPT = f"""
BEGIN IMMEDIATE;
CREATE TABLE IF NOT EXISTS session (
    key BLOB NOT NULL PRIMARY KEY,
    version INTEGER NOT NULL,
    expires_at REAL NOT NULL,
    body BLOB NOT NULL
);
CREATE INDEX IF NOT EXISTS session_expiry ON session (expires_at);
CREATE TABLE IF NOT EXISTS event (
    number INTEGER PRIMARY KEY,
    at REAL NOT NULL,
    line TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS event_time ON event (at, number);
PRAGMA user_version = {VERSION};
COMMIT;
"""


def prepare(connection: sqlite3.Connection) -> None:
    """Give the file its tables once; raises `StoreFailed` for one that a newer release made."""
    if is_older(connection, VERSION, what="sessions"):
        connection.executescript(_SCRIPT)


def is_older(connection: sqlite3.Connection, version: int, *, what: str) -> bool:
    """Whether the file lacks the tables of ``version``; one that does has got its journal.

    The caller keeps other processes out: the change of the journal is refused at once, without
    waiting, while another connection makes the same change. Raises `StoreFailed` for a file that a
    newer release made.
    """
    found: int = connection.execute("PRAGMA user_version").fetchone()[0]
    if found > version:
        raise StoreFailed(
            f"the {what} were written by a newer Handrail (format {found}, this one knows "
            f"{version}). Update this one"
        )
    if found < version:
        connection.execute("PRAGMA journal_mode = WAL")
    return found < version
