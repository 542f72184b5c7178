"""What every `Embedder` must do: subclass, override the ``embedder`` fixture, inherit."""

from __future__ import annotations

import numpy as np
import pytest

from handrail.ports import Embedder, TokenEmbedder

TEXTS = (
    "I cannot sleep before exams.",
    "My sister and I stopped talking.",
    "I cannot sleep before exams.",
    "e",
    "",
    "  \n\t ",
    "日本語と emoji 👩‍👧 and 🇺🇳, mañana naïve œuvre ﬁn",
    "\ud800 a lone surrogate, a nul \x00 and a bell \x07",
    "word " * 3_000,
    "x" * 20_000,
)


class EmbedderContract:
    """Subclass in a test module and override ``embedder``."""

    @pytest.fixture
    def embedder(self) -> Embedder:
        raise NotImplementedError("override the embedder fixture")

    def test_c6_vectors_are_float32_rows_of_unit_length(self, embedder: Embedder) -> None:
        vectors = embedder.embed_documents(TEXTS)
        assert vectors.shape == (len(TEXTS), embedder.dim)
        assert vectors.dtype == np.float32
        np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-5)

    def test_a_question_is_one_vector(self, embedder: Embedder) -> None:
        for text in TEXTS:
            vector = embedder.embed_query(text)
            assert vector.shape == (embedder.dim,)
            assert vector.dtype == np.float32

    def test_the_same_text_gives_the_same_bytes_in_any_company(self, embedder: Embedder) -> None:
        together = embedder.embed_documents(TEXTS)
        for text, row in zip(TEXTS, together, strict=True):
            assert embedder.embed_documents([text]).tobytes() == row.tobytes()

    def test_the_same_question_gives_the_same_bytes(self, embedder: Embedder) -> None:
        first, second = (embedder.embed_query(TEXTS[0]) for _ in range(2))
        assert first.tobytes() == second.tobytes()

    def test_nothing_to_embed_is_an_empty_matrix(self, embedder: Embedder) -> None:
        assert embedder.embed_documents([]).shape == (0, embedder.dim)

    def test_a_question_is_nearer_to_its_like_than_to_another(self, embedder: Embedder) -> None:
        alike, other = embedder.embed_documents(["sleep before exams", "talking with a sister"])
        question = embedder.embed_query("no sleep before my exams")
        assert question @ alike > question @ other

    def test_the_fingerprint_is_a_sha256_and_stays(self, embedder: Embedder) -> None:
        assert len(bytes.fromhex(embedder.fingerprint)) == 32
        assert embedder.fingerprint == embedder.fingerprint
        assert embedder.name


class TokenEmbedderContract(EmbedderContract):
    """The same for a `TokenEmbedder`."""

    @pytest.fixture
    def embedder(self) -> TokenEmbedder:
        raise NotImplementedError("override the embedder fixture")

    def test_a_reading_has_the_vector_of_the_text(self, embedder: TokenEmbedder) -> None:
        vectors = embedder.embed_documents(TEXTS)
        for reading, vector in zip(embedder.read(TEXTS), vectors, strict=True):
            assert reading.vector.tobytes() == vector.tobytes()

    def test_every_piece_has_a_unit_vector(self, embedder: TokenEmbedder) -> None:
        for reading in embedder.read(TEXTS):
            assert reading.pieces.dtype == np.int32
            assert reading.tokens.dtype == np.int8
            assert reading.tokens.shape == (len(reading.pieces), embedder.token_dim)
            lengths = np.linalg.norm(reading.tokens.astype(np.float32) / 127, axis=1)
            np.testing.assert_allclose(lengths, 1.0, atol=0.05)

    def test_every_reading_begins_and_ends_with_the_same_markers(
        self, embedder: TokenEmbedder
    ) -> None:
        pieces = [reading.pieces for reading in embedder.read(TEXTS)]
        assert len({(int(ids[0]), int(ids[-1])) for ids in pieces}) == 1
        assert all(ids.min() >= 0 and ids.max() < embedder.pieces for ids in pieces)
        assert embedder.read([]) == []
