"""Reviewed text as data, and the only code that reads it."""

from handrail.content.coach_bank import load_coach
from handrail.content.loader import content_hash, corpora, load, read_yaml
from handrail.content.schema import (
    Bridge,
    CoachContent,
    EmotionWord,
    Frame,
    Notice,
    Step,
    Validation,
)

__all__ = [
    "Bridge",
    "CoachContent",
    "EmotionWord",
    "Frame",
    "Notice",
    "Step",
    "Validation",
    "content_hash",
    "corpora",
    "load",
    "load_coach",
    "read_yaml",
]
