"""One guide for all tests of its bodies."""

from __future__ import annotations

import pytest

from guide_sample import guide_engine
from handrail.engine import Engine


@pytest.fixture(scope="session")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Engine:
    """An engine whose guide knows a handful of entities."""
    return guide_engine(tmp_path_factory.mktemp("home"))
