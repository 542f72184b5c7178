"""The recorded sessions stand, byte for byte."""

from __future__ import annotations

from pathlib import Path

import pytest
from golden_sessions import FOLDER, Script, recorded, scripts, transcript

from handrail.bootstrap import build_engine
from handrail.flows.reframe import Sessions
from handrail.settings import SessionSettings, Settings

SCRIPTS = scripts()


@pytest.fixture(scope="module")
def packaged(engine_home: Path) -> Sessions:
    settings = Settings(home=engine_home, sessions=SessionSettings(store="memory"))
    return build_engine(settings).sessions


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.name)
def test_the_session_is_the_recorded_one(packaged: Sessions, script: Script) -> None:
    """After a wanted change: python tests/golden/golden_sessions.py, then read the difference."""
    assert transcript(packaged, script) == recorded(script.name).read_text(encoding="utf-8")


def test_every_record_belongs_to_a_script() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == {script.name for script in SCRIPTS}
