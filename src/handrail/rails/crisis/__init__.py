"""The crisis screen: deterministic, before any model, fail-closed."""

from handrail.rails.crisis.answers import Answer, read_answer
from handrail.rails.crisis.conversation import Heard, State, hear
from handrail.rails.crisis.packaged import load_screen, load_second
from handrail.rails.crisis.screen import Context, CrisisScreen
from handrail.rails.crisis.second import SecondReader, TwoReaders

__all__ = [
    "Answer",
    "Context",
    "CrisisScreen",
    "Heard",
    "SecondReader",
    "State",
    "TwoReaders",
    "hear",
    "load_screen",
    "load_second",
    "read_answer",
]
