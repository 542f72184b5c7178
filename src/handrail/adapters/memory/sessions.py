"""`SessionStore` in a dictionary."""

from __future__ import annotations

import threading
from contextlib import AbstractContextManager

from handrail.adapters.session_locks import SessionLocks
from handrail.adapters.session_rules import conflict, session_key
from handrail.ports import StoredSession


class MemorySessions:
    """Sessions of one process; safe between its threads."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._locks = SessionLocks()
        self._sessions: dict[bytes, StoredSession] = {}

    def hold(self, session_id: str, *, seconds: float) -> AbstractContextManager[None]:
        """Have the session alone; raises `SessionBusy` when ``seconds`` are over."""
        return self._locks.hold(session_key(session_id), seconds=seconds)

    def load(self, session_id: str, *, now: float) -> StoredSession | None:
        """What was saved last and has not expired."""
        stored = self._sessions.get(session_key(session_id))
        return stored if stored is not None and stored.expires_at > now else None

    def save(
        self, session_id: str, body: bytes, *, expected: int, now: float, expires_at: float
    ) -> int:
        """Give the new version; raises `SessionConflict` for an older ``expected``."""
        with self._guard:
            standing = self.load(session_id, now=now)
            if (standing.version if standing else 0) != expected:
                raise conflict()
            self._sessions[session_key(session_id)] = StoredSession(
                body=bytes(body), version=expected + 1, expires_at=expires_at
            )
        return expected + 1

    def delete(self, session_id: str) -> bool:
        """Forget the session; whether there was one, expired or not."""
        with self._guard:
            return self._sessions.pop(session_key(session_id), None) is not None

    def purge(self, *, now: float) -> int:
        """Forget all that expired; how many."""
        with self._guard:
            expired = [key for key, each in self._sessions.items() if each.expires_at <= now]
            for key in expired:
                del self._sessions[key]
        return len(expired)
