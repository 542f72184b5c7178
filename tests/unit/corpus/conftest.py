from __future__ import annotations

from pathlib import Path

import pytest
from corpus_sample import PLAIN, CountingEmbedder

from handrail.corpus.library import Library


@pytest.fixture
def embedder() -> CountingEmbedder:
    return CountingEmbedder()


@pytest.fixture
def library(tmp_path: Path, embedder: CountingEmbedder) -> Library:
    return Library(tmp_path / "home", embedder, PLAIN)
