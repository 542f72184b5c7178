"""Locks by name inside one process; a name that nobody holds or waits for takes no memory."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from handrail.adapters.session_rules import busy


@dataclass(slots=True)
class _Entry:
    lock: threading.Lock = field(default_factory=threading.Lock)
    users: int = 0  # holder and waiters


class SessionLocks:
    """Exclusive between threads; what one thread took, another may give back."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._entries: dict[bytes, _Entry] = {}

    def __len__(self) -> int:
        return len(self._entries)

    @contextmanager
    def hold(self, key: bytes, *, seconds: float) -> Iterator[None]:
        """Have ``key`` alone; waits ``seconds`` at most, then raises `SessionBusy`."""
        with self._entry(key) as lock:
            if not lock.acquire(timeout=min(max(seconds, 0.0), threading.TIMEOUT_MAX)):
                raise busy()
            try:
                yield
            finally:
                lock.release()

    @contextmanager
    def _entry(self, key: bytes) -> Iterator[threading.Lock]:
        with self._guard:
            entry = self._entries.setdefault(key, _Entry())
            entry.users += 1
        try:
            yield entry.lock
        finally:
            with self._guard:
                entry.users -= 1
                if not entry.users:
                    del self._entries[key]
