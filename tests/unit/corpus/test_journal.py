"""What was embedded survives; what was torn is cut."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from handrail.corpus.journal import Journal, text_key
from handrail.ports import Embedder
from handrail.testing.hash_embedder import HashEmbedder, HashTokenEmbedder

TEXTS = ["one", "two words", "three words now", ""]


def filled(path: Path, embedder: HashTokenEmbedder) -> None:
    with Journal(path, embedder) as journal:
        for text, reading in zip(TEXTS, embedder.read(TEXTS), strict=True):
            journal.append([(text_key("context", text), reading)])


def holds(path: Path, embedder: Embedder) -> list[str]:
    with Journal(path, embedder) as journal:
        return [text for text in TEXTS if text_key("context", text) in journal]


def test_readings_come_back_byte_for_byte(tmp_path: Path) -> None:
    embedder = HashTokenEmbedder()
    filled(tmp_path / "j", embedder)
    with Journal(tmp_path / "j", embedder) as journal:
        assert len(journal) == len(TEXTS)
        for text, reading in zip(TEXTS, embedder.read(TEXTS), strict=True):
            found = journal.reading(text_key("context", text))
            assert found.vector.tobytes() == reading.vector.tobytes()
            assert np.array_equal(found.pieces, reading.pieces)
            assert np.array_equal(found.tokens, reading.tokens)


def test_a_context_and_a_sentence_of_the_same_words_are_two_texts() -> None:
    assert text_key("context", "a") != text_key("sentence", "a")


def test_a_tail_torn_at_any_byte_costs_one_record(tmp_path: Path) -> None:
    embedder = HashTokenEmbedder(8)
    filled(tmp_path / "j", embedder)
    raw = (tmp_path / "j").read_bytes()
    kept = []
    for size in range(len(raw) + 1):
        (tmp_path / "torn").write_bytes(raw[:size])
        kept.append(len(holds(tmp_path / "torn", embedder)))
    assert kept == sorted(kept)
    assert set(kept) == {0, 1, 2, 3, 4}


def test_a_journal_goes_on_after_a_torn_tail(tmp_path: Path) -> None:
    embedder = HashTokenEmbedder(8)
    filled(tmp_path / "j", embedder)
    with (tmp_path / "j").open("r+b") as file:
        file.truncate((tmp_path / "j").stat().st_size - 3)
    with Journal(tmp_path / "j", embedder) as journal:
        journal.append([(text_key("context", "new"), embedder.read(["new"])[0])])
    with Journal(tmp_path / "j", embedder) as journal:
        assert len(journal) == len(TEXTS)
        found = journal.reading(text_key("context", "new"))
    assert found.vector.tobytes() == embedder.embed_query("new").tobytes()


@pytest.mark.parametrize("place", [150, 300, -5])
def test_a_flipped_byte_is_never_handed_out(tmp_path: Path, place: int) -> None:
    embedder = HashTokenEmbedder(8)
    filled(tmp_path / "j", embedder)
    raw = bytearray((tmp_path / "j").read_bytes())
    raw[place] ^= 1
    (tmp_path / "j").write_bytes(raw)
    with Journal(tmp_path / "j", embedder) as journal:
        for text in (text for text in TEXTS if text_key("context", text) in journal):
            found = journal.reading(text_key("context", text))
            assert found.vector.tobytes() == embedder.embed_query(text).tobytes()
        assert len(journal) < len(TEXTS)


@pytest.mark.parametrize("other", [HashTokenEmbedder(8, "other"), HashEmbedder(8)])
def test_another_model_starts_anew(tmp_path: Path, other: Embedder) -> None:
    filled(tmp_path / "j", HashTokenEmbedder(8))
    assert holds(tmp_path / "j", other) == []


def test_rubbish_is_no_journal(tmp_path: Path) -> None:
    (tmp_path / "j").write_bytes(b"rubbish" * 99)
    assert holds(tmp_path / "j", HashEmbedder(8)) == []
