"""A switch for tests: while it is on, no bounded call may reach a model."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

_watches: list[list[str]] = []  # process-wide, so that it also holds in a server's threads


class ModelCallForbidden(AssertionError):
    """A model would have been called where a test says that none may be."""


@contextmanager
def forbid_model_calls() -> Iterator[list[str]]:
    """Raise `ModelCallForbidden` at any attempt, and again on leaving, should a rail swallow it.

    Yields the names of the skills that tried. A call without a model is no attempt.
    """
    attempts: list[str] = []
    _watches.append(attempts)
    try:
        yield attempts
    finally:
        _watches[:] = [watch for watch in _watches if watch is not attempts]
    if attempts:
        raise ModelCallForbidden(f"model calls were attempted by {attempts}")


def refuse_if_forbidden(skill: str) -> None:
    """The runner's question before it touches a model."""
    for attempts in _watches:
        attempts.append(skill)
    if _watches:
        raise ModelCallForbidden(f"{skill!r} attempted a model call")
