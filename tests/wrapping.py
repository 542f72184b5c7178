"""An object like another one, with a few of its parts exchanged."""

from __future__ import annotations

from typing import Any


class Wrapping:
    """Answers like ``inner`` but for the attributes given by name."""

    def __init__(self, inner: object, **changes: object) -> None:
        self._inner = inner
        self._changes = changes

    def __getattr__(self, name: str) -> Any:
        if name in self._changes:
            return self._changes[name]
        return getattr(self._inner, name)
