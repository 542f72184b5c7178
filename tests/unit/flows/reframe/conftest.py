"""One orchestrator for all tests of the flow; a store of its own for each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from reframe_sample import Talk

from handrail.adapters.memory import MemoryEvents, MemorySessions
from handrail.bootstrap import build_engine
from handrail.flows.reframe import Opening, Sessions
from handrail.settings import SessionSettings, Settings


@pytest.fixture(scope="session")
def packaged_sessions(engine_home: Path) -> Sessions:
    """The flow as it is shipped, over a store in memory, without a model."""
    settings = Settings(home=engine_home, sessions=SessionSettings(store="memory"))
    return build_engine(settings).sessions


@pytest.fixture
def sessions(packaged_sessions: Sessions) -> Sessions:
    """The same with nothing in the store."""
    return replace(packaged_sessions, store=MemorySessions(), log=MemoryEvents())


@pytest.fixture
def talk(sessions: Sessions) -> Callable[..., Talk]:
    """Begins a session; keyword arguments go into its opening, ``sessions`` replaces the store."""

    def begin(language: str | None = None, *, over: Sessions | None = None, **opening: Any) -> Talk:
        return Talk(sessions=over or sessions, opening=Opening(language=language, **opening))

    return begin
