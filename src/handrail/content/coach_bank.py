"""The coach's packaged content, read and checked as a whole."""

from __future__ import annotations

from handrail.content.loader import load
from handrail.content.schema import (
    Bank,
    Bridge,
    CoachContent,
    EmotionWord,
    Frame,
    Notice,
    Step,
    Validation,
)

LANGUAGES = ("en", "es")  # of the notices; the coach's own lines are English


def load_coach() -> CoachContent:
    """Every bank of the coach; raises `ContentInvalid` naming the file that is broken."""
    return CoachContent(
        validation=load("coach/validation.en.yaml", Bank[Validation]),
        frames=load("coach/reflection.en.yaml", Bank[Frame]),
        bridges=load("coach/bridge.en.yaml", Bank[Bridge]),
        steps=load("coach/coping.en.yaml", Bank[Step]),
        goals=load("coach/goals.en.yaml", Bank[Step]),
        emotions=load("coach/emotions.en.yaml", Bank[EmotionWord]),
        notices={
            language: load(f"coach/notices.{language}.yaml", Bank[Notice]) for language in LANGUAGES
        },
        layout=load("coach/layout.en.yaml", Bank[Notice]),
    )
