"""One engine for all tests of the guide, with an embedder that needs no model."""

from __future__ import annotations

from pathlib import Path

import pytest

from handrail.bootstrap import build_engine
from handrail.engine import Engine
from handrail.settings import Settings
from handrail.testing.hash_embedder import HashEmbedder


@pytest.fixture(scope="session")
def hashed(tmp_path_factory: pytest.TempPathFactory) -> Engine:
    """An engine whose texts are near where they share words; what it embeds is kept on disk."""
    home: Path = tmp_path_factory.mktemp("guide-home")
    return build_engine(Settings(home=home), embedder=HashEmbedder(dim=512))
