"""Other bytes than the pinned ones are never used."""

from __future__ import annotations

import pytest

from handrail.adapters.minilm import MiniLmEmbedder, embedder
from handrail.errors import IndexMismatch


@pytest.mark.parametrize(
    ("constant", "what"),
    [
        ("MODEL_SHA256", "weights"),
        ("VOCABULARY_SHA256", "vocabulary"),
        ("PROJECTION_SHA256", "projection"),
    ],
)
def test_c68_other_bytes_are_refused_and_named(
    monkeypatch: pytest.MonkeyPatch, constant: str, what: str
) -> None:
    monkeypatch.setattr(embedder, constant, "0" * 64)
    with pytest.raises(IndexMismatch, match=f"{what}.*pip install"):
        MiniLmEmbedder().read(["a"])


@pytest.mark.parametrize(
    "constant", ["MODEL_SHA256", "VOCABULARY_SHA256", "PROJECTION_SHA256", "MAX_TOKENS", "_FORM"]
)
def test_c11_what_decides_the_vectors_is_in_the_fingerprint(
    monkeypatch: pytest.MonkeyPatch, constant: str
) -> None:
    before = MiniLmEmbedder().fingerprint
    monkeypatch.setattr(embedder, constant, "other")
    assert MiniLmEmbedder().fingerprint != before
