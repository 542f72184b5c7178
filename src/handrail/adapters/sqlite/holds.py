"""Locks between the processes of one machine: a file for each session that is held."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from handrail.adapters.session_rules import wait_for
from handrail.adapters.sqlite.database import make_folder
from handrail.adapters.sqlite.failures import translated


class FileHolds:
    """Exclusive between threads and processes; the system lets go for a process that dies.

    Sessions share no lock: with a fixed number of files, one person would wait for another's turn.
    A file goes when its hold ends, so there are as many as sessions are held, and those of killed
    processes until `sweep`. A hold is its process's: a child that was forked inside cannot end it,
    and keeps it only where the parent dies before the child and without leaving it.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        with translated(folder):
            make_folder(folder)

    @contextmanager
    def hold(self, key: bytes, *, seconds: float) -> Iterator[None]:
        """Have ``key`` alone; waits ``seconds`` at most, then raises `SessionBusy`."""
        path = self._folder / key.hex()
        with translated(self._folder):
            descriptor = wait_for(lambda: _take(path), seconds=seconds)
        process = os.getpid()
        try:
            yield
        finally:
            if process == os.getpid():  # a child that was forked inside leaves it to its parent
                with translated(self._folder):
                    _give_back(path, descriptor)

    def sweep(self) -> None:
        """Remove the files that killed processes left."""
        with translated(self._folder):
            for path in list(self._folder.iterdir()):
                descriptor = _take(path)
                if descriptor is not None:
                    _give_back(path, descriptor)


def _take(path: Path) -> int | None:
    """The locked descriptor of the file that stands at ``path``, or None where it is taken."""
    descriptor = os.open(path, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
    taken = False
    try:
        with suppress(BlockingIOError, FileNotFoundError):
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # The file may have gone, or another come, between opening and locking.
            taken = os.fstat(descriptor).st_ino == os.stat(path).st_ino
    finally:
        if not taken:
            os.close(descriptor)
    return descriptor if taken else None


def _give_back(path: Path, descriptor: int) -> None:
    try:
        path.unlink(missing_ok=True)  # while it is locked: nobody else's file can stand there
    finally:
        os.close(descriptor)
