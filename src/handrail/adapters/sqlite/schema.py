"""The tables, and how a file without them gets them."""

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
    """Give the file its tables once; raises `StoreFailed` for one that a newer release made.

    The caller keeps other processes out: the change of the journal is refused at once, without
    waiting, while another connection makes the same change.
    """
    found = connection.execute("PRAGMA user_version").fetchone()[0]
    if found > VERSION:
        raise StoreFailed(
            f"the sessions were written by a newer Handrail (format {found}, this one knows "
            f"{VERSION}). Update this one"
        )
    if found < VERSION:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.executescript(_SCRIPT)
