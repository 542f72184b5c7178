from __future__ import annotations

import pytest

from handrail.adapters.minilm import MiniLmEmbedder
from handrail.testing.embedder_contract import TokenEmbedderContract


@pytest.fixture(scope="module")
def model() -> MiniLmEmbedder:
    return MiniLmEmbedder()


class TestMiniLm(TokenEmbedderContract):
    @pytest.fixture
    def embedder(self, model: MiniLmEmbedder) -> MiniLmEmbedder:
        return model

    def test_c6_it_is_the_default_model(self, embedder: MiniLmEmbedder) -> None:
        assert (embedder.name, embedder.dim) == ("sentence-transformers/all-MiniLM-L6-v2", 384)

    def test_what_lies_beyond_the_limit_is_not_read(self, embedder: MiniLmEmbedder) -> None:
        one, other = (embedder.embed_query("calm " * 300 + end) for end in ("sea", "storm"))
        assert one.tobytes() == other.tobytes()
