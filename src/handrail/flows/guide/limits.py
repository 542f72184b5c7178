"""How far each channel looks, what its ranks weigh, and how many entities are shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

CHANNELS = ("semantic", "keyword", "pattern", "state")
"""The channels in the order of their names in every trace (H7)."""

DEPTHS: Mapping[str, int] = {"semantic": 10, "keyword": 5, "pattern": 5, "state": 3}
"""How many entities a channel gives (H7)."""

WEIGHTS: Mapping[str, float] = {"semantic": 1.0, "keyword": 0.5, "pattern": 0.8, "state": 1.0}
"""What a channel's ranks weigh (H18)."""

RESERVED: Mapping[str, int] = {"semantic": 3, "keyword": 2, "pattern": 2, "state": 1}
"""Slots that a channel's best entities have of the candidates, whatever their sum (H33)."""

RRF_C = 10
"""Constant of the reciprocal ranks; with lists of ten, 60 would make all ranks nearly equal."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What bounds one search; defaults are the contract's values."""

    depths: Mapping[str, int] = field(default_factory=lambda: DEPTHS)
    weights: Mapping[str, float] = field(default_factory=lambda: WEIGHTS)
    reserved: Mapping[str, int] = field(default_factory=lambda: RESERVED)
    merge: Literal["rrf", "seed"] = "rrf"
    candidates: int = 15  # H8, H19
    least: int = 3
    most: int = 6


DEFAULT_LIMITS = Limits()
