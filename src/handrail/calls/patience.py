"""Observers and event logs at arm's length: one that hangs costs a moment once, and no reply."""

from __future__ import annotations

import threading
from asyncio import CancelledError
from collections.abc import Callable, Iterator, Mapping, Sequence

from handrail.domain.trace import Run
from handrail.errors import StoreFailed
from handrail.ports import EventLog, Observer

OBSERVE_SECONDS = 1.0
LOG_SECONDS = 0.25  # it is waited for within a turn, whose time is short


class Patience:
    """Works in a thread, and waits for it, but not for long.

    While earlier work has not ended, later work is counted in ``missed`` instead.
    """

    def __init__(self, seconds: float) -> None:
        self.missed = 0
        self._seconds = seconds
        self._busy = threading.Lock()

    def done(self, work: Callable[[], object]) -> bool:
        """Whether ``work`` ended well within the time; never raises what it raises."""
        if not self._busy.acquire(timeout=self._seconds if self.missed == 0 else 0):
            self.missed += 1
            return False
        well: list[bool] = []
        thread = threading.Thread(
            target=self._do, args=(work, well), name="handrail-log", daemon=True
        )
        thread.start()
        thread.join(self._seconds)
        return bool(well)

    def _do(self, work: Callable[[], object], well: list[bool]) -> None:
        try:
            work()
            self.missed = 0
            well.append(True)
        except (Exception, CancelledError):  # noqa: BLE001  told by the list that stays empty
            return
        finally:
            self._busy.release()


class Patient:
    """Tells ``observer`` of runs; ``missed`` counts those for which it had no time."""

    def __init__(self, observer: Observer, *, seconds: float = OBSERVE_SECONDS) -> None:
        self.observer = observer
        self._patience = Patience(seconds)

    @property
    def missed(self) -> int:
        """Runs since the last one that was taken in."""
        return self._patience.missed

    def observed(self, run: Run) -> None:
        """Hand the run on; never raises, and returns within its time."""
        self._patience.done(lambda: self.observer.observed(run))


class PatientLog:
    """An `EventLog` that is waited for only so long."""

    def __init__(self, log: EventLog, *, seconds: float = LOG_SECONDS) -> None:
        self.log = log
        self._patience = Patience(seconds)

    def append(self, events: Sequence[Mapping[str, object]]) -> None:
        """Hand the events on; raises `StoreFailed` for those that may be lost."""
        if not self._patience.done(lambda: self.log.append(events)):
            raise StoreFailed("events may be lost. Look at the store of the sessions")

    def read(self, *, since: float = 0.0) -> Iterator[Mapping[str, object]]:
        """What the log has."""
        return self.log.read(since=since)
