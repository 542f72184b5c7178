"""The coach's packaged content, read and checked as a whole."""

from __future__ import annotations

from pathlib import Path

from handrail.content.loader import ROOT, load
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
from handrail.errors import ContentInvalid

_NOTICES = "coach/notices.*.yaml"  # a file a language; the coach's own lines are English


def load_coach() -> CoachContent:
    """Every bank of the coach; raises `ContentInvalid` naming the file that is broken."""
    return CoachContent(
        validation=load("coach/validation.en.yaml", Bank[Validation]),
        frames=load("coach/reflection.en.yaml", Bank[Frame]),
        bridges=load("coach/bridge.en.yaml", Bank[Bridge]),
        steps=load("coach/coping.en.yaml", Bank[Step]),
        goals=load("coach/goals.en.yaml", Bank[Step]),
        emotions=load("coach/emotions.en.yaml", Bank[EmotionWord]),
        notices={bank.language: bank for bank in map(_notices, sorted(ROOT.glob(_NOTICES)))},
        layout=load("coach/layout.en.yaml", Bank[Notice]),
    )


def _notices(path: Path) -> Bank[Notice]:
    """One language's notices; its file bears the name of the language."""
    name = path.relative_to(ROOT).as_posix()
    bank = load(name, Bank[Notice])
    if name != _NOTICES.replace("*", bank.language):
        raise ContentInvalid(f"content file {name!r} is written for {bank.language!r}")
    return bank
