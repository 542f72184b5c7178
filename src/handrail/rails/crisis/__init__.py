"""The crisis screen: deterministic, before any model, fail-closed."""

from handrail.rails.crisis.packaged import load_screen
from handrail.rails.crisis.screen import CrisisScreen

__all__ = ["CrisisScreen", "load_screen"]
