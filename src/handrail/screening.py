"""The crisis screen alone: the part of the engine that needs no index, no model and no array."""

from __future__ import annotations

from typing import TYPE_CHECKING

from handrail.adapters.re2 import Re2Engine
from handrail.rails.crisis import CrisisScreen, load_screen

if TYPE_CHECKING:
    from handrail.ports import PatternEngine


def build_screen(patterns: PatternEngine | None = None) -> CrisisScreen:
    """The screen over every packaged language; raises `ContentInvalid` when one is broken."""
    return load_screen(patterns or Re2Engine())
