from __future__ import annotations

import pytest

from handrail.testing.embedder_contract import EmbedderContract, TokenEmbedderContract
from handrail.testing.hash_embedder import HashEmbedder, HashTokenEmbedder


class TestHashEmbedder(EmbedderContract):
    @pytest.fixture
    def embedder(self) -> HashEmbedder:
        return HashEmbedder()

    def test_two_names_are_two_models(self) -> None:
        assert HashEmbedder().fingerprint != HashEmbedder(name="testing/other").fingerprint


class TestHashTokenEmbedder(TokenEmbedderContract):
    @pytest.fixture
    def embedder(self) -> HashTokenEmbedder:
        return HashTokenEmbedder()
