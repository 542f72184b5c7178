"""What the stores of sessions have in common: keys, refusals, and waiting for somebody else."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from typing import TypeVar

from handrail.errors import SessionBusy, SessionConflict

T = TypeVar("T")

FIRST_PAUSE = 0.001  # seconds; most holds are a few milliseconds long
LONGEST_PAUSE = 0.02  # seconds; what a waiting turn loses at most when the hold ends
GROWTH = 1.5

_SALT = b"handrail-session\0"


def session_key(session_id: str) -> bytes:
    """The 32 bytes that stand for an id in a shared store.

    Any text will do, lone surrogates too. An id may be all that a person shows to be let into a
    session, so a store keeps its SHA-256 and a stolen copy of the store names nobody.
    """
    return hashlib.sha256(_SALT + session_id.encode("utf-8", "surrogatepass")).digest()


def busy() -> SessionBusy:
    """The refusal of a second turn; it names no session."""
    return SessionBusy("another turn of this session is under way. Send it again in a moment")


def conflict() -> SessionConflict:
    """The refusal of a write that is based on an older one; it names no session."""
    return SessionConflict("this session was written meanwhile. Load it again and redo the turn")


def wait_for(attempt: Callable[[], T | None], *, seconds: float) -> T:
    """What ``attempt`` gives once it is not None; raises `SessionBusy` after ``seconds``.

    It is asked at once, at growing distances, and once more at the end.
    """
    deadline = time.monotonic() + seconds
    pause = FIRST_PAUSE
    while (found := attempt()) is None:
        left = deadline - time.monotonic()
        if left <= 0:
            raise busy()
        time.sleep(min(pause, left))
        pause = min(pause * GROWTH, LONGEST_PAUSE)
    return found
