"""The tables, and how a database without them gets them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from handrail.adapters.postgres.database import Link

TABLES = "handrail_session and handrail_event"

# The advisory lock of whoever makes the tables; "handrail" in ASCII.
SETUP_LOCK = int.from_bytes(b"handrail", "big")

_THERE = """
SELECT to_regclass('handrail_session') IS NOT NULL AND to_regclass('handrail_event') IS NOT NULL
"""
_TABLES = (
    """
    CREATE TABLE IF NOT EXISTS handrail_session (
        key bytea PRIMARY KEY,
        version bigint NOT NULL,
        expires_at double precision NOT NULL,
        body bytea NOT NULL
    )
    """,
    "CREATE INDEX IF NOT EXISTS handrail_session_expiry ON handrail_session (expires_at)",
    """
    CREATE TABLE IF NOT EXISTS handrail_event (
        number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        at double precision NOT NULL,
        line text NOT NULL
    )
    """,
    "CREATE INDEX IF NOT EXISTS handrail_event_time ON handrail_event (at, number)",
)


def prepare(link: Link) -> None:
    """Give the database its tables once; workers that start together take turns.

    Where the tables stand nothing is asked for, so the account needs no right to make any.
    """
    if _there(link):
        return
    with link.transaction():
        # Even IF NOT EXISTS fails where two transactions make the same table at once.
        link.execute("SELECT pg_advisory_xact_lock(%s)", (SETUP_LOCK,))
        for statement in _TABLES:
            link.execute(statement)


def _there(link: Link) -> bool:
    row = link.execute(_THERE).fetchone()
    return bool(row and row[0])
