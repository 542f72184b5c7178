"""Observers at arm's length: one that hangs costs a moment once, and nobody a reply."""

from __future__ import annotations

import threading
from asyncio import CancelledError
from contextlib import suppress

from handrail.domain.trace import Run
from handrail.ports import Observer

OBSERVE_SECONDS = 1.0


class Patient:
    """Tells ``observer`` of runs in a thread, and waits for it, but not for long.

    While an earlier run is not yet taken in, later ones are counted in ``missed`` instead.
    """

    def __init__(self, observer: Observer, *, seconds: float = OBSERVE_SECONDS) -> None:
        self.observer = observer
        self.missed = 0
        self._seconds = seconds
        self._busy = threading.Lock()

    def observed(self, run: Run) -> None:
        """Hand the run on; never raises, and returns within its time."""
        if not self._busy.acquire(timeout=self._seconds if self.missed == 0 else 0):
            self.missed += 1
            return
        thread = threading.Thread(target=self._tell, args=(run,), name="handrail-log", daemon=True)
        thread.start()
        thread.join(self._seconds)

    def _tell(self, run: Run) -> None:
        try:
            with suppress(Exception, CancelledError):
                self.observer.observed(run)
                self.missed = 0
        finally:
            self._busy.release()
