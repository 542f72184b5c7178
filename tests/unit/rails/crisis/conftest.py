"""One screen for all tests: it keeps nothing between messages."""

from __future__ import annotations

import pytest

from handrail.adapters.re2 import Re2Engine
from handrail.rails.crisis import CrisisScreen, load_screen


@pytest.fixture(scope="session")
def screen() -> CrisisScreen:
    return load_screen(Re2Engine())
