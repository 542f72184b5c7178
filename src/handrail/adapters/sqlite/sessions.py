"""`SessionStore` in SQLite."""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path

from handrail.adapters.session_rules import conflict, session_key
from handrail.adapters.sqlite.database import Database
from handrail.adapters.sqlite.holds import FileHolds
from handrail.ports import StoredSession

_LOAD = "SELECT body, version, expires_at FROM session WHERE key = ? AND expires_at > ?"
_CREATE = """
INSERT INTO session (key, body, version, expires_at) VALUES (:key, :body, 1, :expires_at)
ON CONFLICT (key) DO UPDATE SET body = :body, version = 1, expires_at = :expires_at
WHERE session.expires_at <= :now
"""
_REPLACE = """
UPDATE session SET body = :body, version = version + 1, expires_at = :expires_at
WHERE key = :key AND version = :expected AND expires_at > :now
"""
_DELETE = "DELETE FROM session WHERE key = ?"
_PURGE = "DELETE FROM session WHERE expires_at <= ?"


class SqliteSessions:
    """Sessions of the workers of one machine, in a file below ``folder``.

    A finished save outlives a power failure: it may hold a person's level of danger, which must not
    fall by losing it.
    """

    def __init__(self, folder: Path) -> None:
        self._database = Database(folder, synchronous="FULL")
        self._holds = FileHolds(folder / "held")

    def hold(self, session_id: str, *, seconds: float) -> AbstractContextManager[None]:
        """Have the session alone; raises `SessionBusy` when ``seconds`` are over."""
        return self._holds.hold(session_key(session_id), seconds=seconds)

    def load(self, session_id: str, *, now: float) -> StoredSession | None:
        """What was saved last and has not expired."""
        with self._database.connection() as connection:
            row = connection.execute(_LOAD, (session_key(session_id), now)).fetchone()
        return StoredSession(body=row[0], version=row[1], expires_at=row[2]) if row else None

    def save(
        self, session_id: str, body: bytes, *, expected: int, now: float, expires_at: float
    ) -> int:
        """Give the new version; raises `SessionConflict` for an older ``expected``."""
        values = {
            "key": session_key(session_id),
            "body": body,
            "expected": expected,
            "now": now,
            "expires_at": expires_at,
        }
        with self._database.connection() as connection:
            written = connection.execute(_REPLACE if expected else _CREATE, values).rowcount
        if not written:
            raise conflict()
        return expected + 1

    def delete(self, session_id: str) -> bool:
        """Forget the session; whether there was one, expired or not."""
        with self._database.connection() as connection:
            return connection.execute(_DELETE, (session_key(session_id),)).rowcount > 0

    def purge(self, *, now: float) -> int:
        """Forget all that expired, and the lock files of killed processes; how many sessions."""
        self._holds.sweep()
        with self._database.connection() as connection:
            return connection.execute(_PURGE, (now,)).rowcount
