"""`SessionStore` in PostgreSQL."""

from __future__ import annotations

from contextlib import AbstractContextManager

from handrail.adapters.postgres.database import Database
from handrail.adapters.postgres.holds import AdvisoryHolds
from handrail.adapters.session_rules import conflict, session_key
from handrail.ports import StoredSession

CONNECTIONS = 4  # a load or save takes a millisecond
TIMEOUT_SECONDS = 5.0

_LOAD = """
SELECT body, version, expires_at FROM handrail_session WHERE key = %s AND expires_at > %s
"""
_CREATE = """
INSERT INTO handrail_session AS standing (key, body, version, expires_at)
VALUES (%(key)s, %(body)s, 1, %(expires_at)s)
ON CONFLICT (key) DO UPDATE
SET body = excluded.body, version = 1, expires_at = excluded.expires_at
WHERE standing.expires_at <= %(now)s
"""
_REPLACE = """
UPDATE handrail_session SET body = %(body)s, version = version + 1, expires_at = %(expires_at)s
WHERE key = %(key)s AND version = %(expected)s AND expires_at > %(now)s
"""
_DELETE = "DELETE FROM handrail_session WHERE key = %s"
_PURGE = "DELETE FROM handrail_session WHERE expires_at <= %s"


class PostgresSessions:
    """Sessions of any number of workers, in the database at ``url``.

    A worker opens at most ``connections`` and one more for its holds, straight to the server or
    through a pooler in session mode: advisory locks need a session. A connection that is lost in
    the middle of a call is `StoreFailed`; the next call has another.
    """

    def __init__(
        self,
        url: str,
        *,
        connections: int = CONNECTIONS,
        timeout_seconds: float = TIMEOUT_SECONDS,
    ) -> None:
        self._database = Database(url, connections=connections, timeout_seconds=timeout_seconds)
        self._holds = AdvisoryHolds(self._database)

    def hold(self, session_id: str, *, seconds: float) -> AbstractContextManager[None]:
        """Have the session alone; raises `SessionBusy` when ``seconds`` are over."""
        return self._holds.hold(session_key(session_id), seconds=seconds)

    def load(self, session_id: str, *, now: float) -> StoredSession | None:
        """What was saved last and has not expired."""
        with self._database.link() as link:
            row = link.execute(_LOAD, (session_key(session_id), now)).fetchone()
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
        with self._database.link() as link:
            written = link.execute(_REPLACE if expected else _CREATE, values).rowcount
        if not written:
            raise conflict()
        return expected + 1

    def delete(self, session_id: str) -> bool:
        """Forget the session; whether there was one, expired or not."""
        with self._database.link() as link:
            return link.execute(_DELETE, (session_key(session_id),)).rowcount > 0

    def purge(self, *, now: float) -> int:
        """Forget all that expired; how many."""
        with self._database.link() as link:
            return link.execute(_PURGE, (now,)).rowcount
