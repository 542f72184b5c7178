"""A key in a file for its owner alone."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from handrail.adapters.cryptography.aes_gcm import key_bytes, new_key
from handrail.errors import InvalidSettings


def load_or_create_key(path: Path, *, random: Callable[[int], bytes] = os.urandom) -> str:
    """The key in ``path``, made with mode 0600 where there is none; the same for all who start.

    It appears whole or not at all, under its own name, and on the disk before it is used. Raises
    `InvalidSettings` for a file that holds no key or cannot be read or made.
    """
    try:
        if not path.exists():
            _create(path, random)
        key = path.read_text(encoding="ascii", errors="replace").strip()
    except OSError as error:
        raise InvalidSettings(
            f"the key file {path.name!r} cannot be read or made ({type(error).__name__}). "
            "Check its folder, its owner and its rights"
        ) from None
    try:
        key_bytes(key)
    except InvalidSettings:
        raise InvalidSettings(
            f"the key file {path.name!r} holds no key. Bring back the one that sealed the sessions"
        ) from None
    return key


def _create(path: Path, random: Callable[[int], bytes]) -> None:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{os.urandom(8).hex()}")
    try:
        _write(draft, new_key(random) + "\n")
        with suppress(FileExistsError):  # another process was first: its key is everybody's
            os.link(draft, path)
        _sync(path.parent)
    finally:
        draft.unlink(missing_ok=True)


def _write(path: Path, text: str) -> None:
    descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, 0o600)
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
