"""The crisis screen: deterministic, before any model, fail-closed."""

from handrail.rails.crisis.answers import Answer, read_answer
from handrail.rails.crisis.conversation import Heard, State, hear
from handrail.rails.crisis.packaged import load_screen
from handrail.rails.crisis.screen import Context, CrisisScreen

__all__ = [
    "Answer",
    "Context",
    "CrisisScreen",
    "Heard",
    "State",
    "hear",
    "load_screen",
    "read_answer",
]
