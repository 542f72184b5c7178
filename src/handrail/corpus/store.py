"""Where collections lie on disk, and how a new index takes the place of the old one.

    HOME/collections/NAME/
      current           twelve digits: the folder to read
      lock              held by the one writer
      journal           vectors of a build that is not finished
      0123456789ab/     an index, named after its checksum and never changed

A writer fills a folder beside the others, flushes it to disk, renames it and then swaps `current`
by one rename. A crash at any moment leaves either the old index or the new one.
"""

from __future__ import annotations

import fcntl
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from handrail.errors import CollectionBusy, IndexCorrupt, IndexNotReady, InvalidInput, NotFound

CURRENT, LOCK, JOURNAL, STAGING = "current", "lock", "journal", "staging"
ID_DIGITS = 12
_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")
_ID = re.compile(rf"[0-9a-f]{{{ID_DIGITS}}}")


class Disk:
    """The steps of a swap that reach the disk; tests let them fail one by one."""

    def sync(self, path: Path) -> None:
        """Flush a file or folder to disk."""
        handle = os.open(path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)

    def write(self, path: Path, raw: bytes) -> None:
        """Write a file and flush it."""
        path.write_bytes(raw)
        self.sync(path)

    def rename(self, old: Path, new: Path) -> None:
        """Move, replacing a file but not a folder that holds something."""
        os.replace(old, new)

    def remove(self, path: Path) -> None:
        """Delete a file or a whole folder, if it is there."""
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)


def collections_dir(home: Path) -> Path:
    """The folder that holds every collection."""
    return home / "collections"


def collection_dir(home: Path, name: str) -> Path:
    """The folder of a collection; raises `InvalidInput` for a name that could lead elsewhere."""
    if not _NAME.fullmatch(name):
        raise InvalidInput(
            f"{name[:64]!r} is not a collection name: up to 64 of a-z 0-9 . _ -, the first a "
            "letter or digit"
        )
    return collections_dir(home) / name


def anew_command(name: str) -> str:
    """What a person types when even the cases of an index cannot be read by this version."""
    return f"handrail index remove {name} --yes && handrail index add FILE --collection {name}"


def rebuild_command(name: str) -> str:
    """What a person types to make an index anew from the cases that it holds."""
    return f"handrail index rebuild --collection {name}"


def current_id(folder: Path) -> str | None:
    """The id of the index to read; None before the first. Raises `IndexCorrupt` for nonsense."""
    try:
        raw = (folder / CURRENT).read_bytes()
    except FileNotFoundError:
        return None
    found = raw.decode("ascii", "replace").removesuffix("\n")
    if not _ID.fullmatch(found):
        raise IndexCorrupt(f"{CURRENT} of collection {folder.name!r} is not as it was written")
    return found


def current_index(folder: Path) -> Path:
    """The folder of the index to read; raises `NotFound`, `IndexNotReady` or `IndexCorrupt`."""
    found = current_id(folder)
    if found is not None:
        return folder / found
    add = f"Run: handrail index add FILE --collection {folder.name}"
    if folder.is_dir():
        raise IndexNotReady(f"collection {folder.name!r} has no finished index yet. {add}")
    raise NotFound(f"there is no collection {folder.name!r}. {add}")


@contextmanager
def writing(folder: Path) -> Iterator[None]:
    """Be the one writer; raises `CollectionBusy`. The system frees the lock of a dead process."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / LOCK).open("ab") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise CollectionBusy(
                f"another process is writing collection {folder.name!r}. Wait until it has ended"
            ) from None
        yield


def publish(folder: Path, checksum: str, disk: Disk) -> Path:
    """Make the staged folder the current index and delete the others; returns where it lies.

    An index that already lies there has the same checksum and is replaced: it was asked for anew.
    """
    staged, index = folder / STAGING, folder / checksum[:ID_DIGITS]
    for path in (*sorted(staged.rglob("*")), staged):
        disk.sync(path)
    disk.remove(index)
    disk.rename(staged, index)
    disk.sync(folder)
    _point_to(folder, index, disk)
    return index


def _point_to(folder: Path, index: Path, disk: Disk) -> None:
    """Swap `current`, then delete every other index."""
    fresh = folder / f"{CURRENT}.new"
    disk.write(fresh, f"{index.name}\n".encode())
    disk.rename(fresh, folder / CURRENT)
    disk.sync(folder)
    for path in folder.iterdir():
        if _ID.fullmatch(path.name) and path != index:
            disk.remove(path)


def remove_collection(home: Path, name: str) -> None:
    """Delete a collection for good; raises `NotFound` or `CollectionBusy`."""
    folder = collection_dir(home, name)
    if not folder.is_dir():
        raise NotFound(f"there is no collection {name!r}. Run: handrail index list")
    with writing(folder):
        (folder / CURRENT).unlink(missing_ok=True)  # first, so that no half of it is ever read
        shutil.rmtree(folder)
