"""Who gets which variant: by a stable hash of the session's id, never by chance (A47, A53d)."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

CONTROL = "control"
_SPARE_BITS = 11  # of 64; a float holds 53, and with more the last place would round up to 1
_STEPS = 2**53


@dataclass(frozen=True, slots=True, kw_only=True)
class Arm:
    """A variant for ``share`` of all sessions, from 0 to 1; None leaves a limit as it is."""

    name: str
    share: float
    max_turns: int | None = None
    followups: int | None = None


def bucket(unit: str, *, salt: str) -> float:
    """A place in [0, 1) that depends on both texts alone: SHA-256, its first eight bytes."""
    sha = hashlib.sha256(f"{salt}\0{unit}".encode("utf-8", "surrogatepass")).digest()
    return place(sha[:8])


def place(first: bytes) -> float:
    """Eight bytes as a place in [0, 1), in steps of 2^-53."""
    return (int.from_bytes(first) >> _SPARE_BITS) / _STEPS


def assigned(arms: Sequence[Arm], unit: str) -> Arm:
    """The arm of ``unit``, by the order of ``arms``; the rest of the sessions is the control."""
    at, end = bucket(unit, salt="arms"), 0.0
    for arm in arms:
        end += arm.share
        if at < end:
            return arm
    return Arm(name=CONTROL, share=1.0 - min(end, 1.0))


def enabled(flag: str, share: float, unit: str) -> bool:
    """Whether a feature that is rolled out to ``share`` of all sessions is on for ``unit``.

    Raising the share keeps it on for whom it was on.
    """
    return bucket(unit, salt=flag) < share
