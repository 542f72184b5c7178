"""The one place where SQLite's errors become ours."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from handrail.errors import StoreFailed

_FULL = "has no room left. Free some space on its disk; nothing half-written was kept"
_DAMAGED = "is damaged. Stop the workers and bring back a copy, or move it away to start anew"
_DENIED = "cannot be opened and written. Check its folder, its owner and its rights"
_LOCKED = "was locked for too long. Look for another program that has it open"
_BROKEN = "cannot be read or written. Check its disk"

_BY_CODE = {
    sqlite3.SQLITE_FULL: _FULL,
    sqlite3.SQLITE_CORRUPT: _DAMAGED,
    sqlite3.SQLITE_NOTADB: _DAMAGED,
    sqlite3.SQLITE_CANTOPEN: _DENIED,
    sqlite3.SQLITE_PERM: _DENIED,
    sqlite3.SQLITE_READONLY: _DENIED,
    sqlite3.SQLITE_BUSY: _LOCKED,
    sqlite3.SQLITE_LOCKED: _LOCKED,
}
_BY_ERRNO = {errno.ENOSPC: _FULL, errno.EDQUOT: _FULL, errno.EIO: _BROKEN}
_PRIMARY = 0xFF  # the lower byte of an extended result code


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Turn what SQLite and the system raise into `StoreFailed`, by the file's name alone."""
    try:
        yield
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", None)
        advice = _BROKEN if code is None else _BY_CODE.get(code & _PRIMARY, _BROKEN)
        name = getattr(error, "sqlite_errorname", type(error).__name__)
        raise StoreFailed(f"{path.name!r} {advice} ({name})") from None
    except OSError as error:
        advice = _BY_ERRNO.get(error.errno or 0, _DENIED)
        raise StoreFailed(f"{path.name!r} {advice} ({type(error).__name__})") from None
