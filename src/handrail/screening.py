"""Screens and protocol alone: the part that needs no index, no model and no array."""

from __future__ import annotations

from typing import TYPE_CHECKING

from handrail.adapters.re2 import Re2Engine
from handrail.rails.crisis import CrisisScreen, TwoReaders, load_screen, load_second
from handrail.rails.injection import InjectionScreen
from handrail.rails.protocol import Protocol

if TYPE_CHECKING:
    from handrail.ports import PatternEngine


def build_screen(patterns: PatternEngine | None = None) -> CrisisScreen:
    """The screen over every packaged language; raises `ContentInvalid` when one is broken."""
    return load_screen(patterns or Re2Engine())


def build_injection_screen(patterns: PatternEngine | None = None) -> InjectionScreen:
    """The screen over every packaged file; raises `ContentInvalid` when one is broken."""
    return InjectionScreen.packaged(patterns or Re2Engine())


def build_protocol(patterns: PatternEngine | None = None) -> Protocol:
    """The crisis protocol over the packaged lines; raises `ContentInvalid` when one is broken."""
    return Protocol.packaged(patterns or Re2Engine())


def build_readers(*, second: bool = True) -> CrisisScreen | TwoReaders:
    """The screen, with the second reader of its wording behind it unless that is switched off."""
    screen = build_screen()
    return TwoReaders(screen, load_second(screen)) if second else screen
