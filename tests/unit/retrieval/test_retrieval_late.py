"""Late interaction against a plain reference, and its edges."""

from __future__ import annotations

import numpy as np
import pytest
from plain_reference import Blocks, meeting

from handrail.ports import Reading
from handrail.retrieval.late import QUESTION_PIECES, meet

VOCABULARY = 50


def tokens(rng: np.random.Generator, count: int, dim: int = 8) -> np.ndarray:
    rows = rng.normal(size=(count, dim))
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return np.round(rows * 127).astype(np.int8)


def text(rng: np.random.Generator, count: int) -> tuple[np.ndarray, np.ndarray]:
    return rng.integers(0, VOCABULARY, count).astype(np.int32), tokens(rng, count)


def reading(rng: np.random.Generator, count: int) -> Reading:
    pieces, vectors = text(rng, count)
    return Reading(np.zeros(8, np.float32), pieces, vectors)


@pytest.mark.parametrize("seed", range(5))
def test_it_equals_the_plain_reference(seed: int) -> None:
    rng = np.random.default_rng(seed)
    idf = rng.uniform(0, 5, VOCABULARY).astype(np.float32)
    store = Blocks(idf, [text(rng, int(count)) for count in rng.integers(1, 12, 6)])
    asked = reading(rng, int(rng.integers(1, 10)))
    rows = [4, 0, 5, 2]
    met = meet(asked, store, rows)
    expected = [meeting(asked, store, row) for row in rows]
    assert list(zip(met.forward, met.backward, strict=True)) == [
        pytest.approx(pair, abs=1e-5) for pair in expected
    ]


def test_the_same_text_meets_itself_almost_fully() -> None:
    rng = np.random.default_rng(7)
    pieces, vectors = text(rng, 6)
    store = Blocks(np.ones(VOCABULARY, np.float32), [(pieces, vectors)])
    met = meet(Reading(np.zeros(8, np.float32), pieces, vectors), store, [0])
    assert met.forward[0] == pytest.approx(1, abs=0.02)
    assert met.backward[0] == pytest.approx(1, abs=0.02)


def test_a_piece_without_weight_is_not_heard() -> None:
    """Markers have no inverse document frequency, so a text's length in markers changes nothing."""
    rng = np.random.default_rng(3)
    idf = np.ones(VOCABULARY, np.float32)
    idf[0] = 0
    own, others = tokens(rng, 2), tokens(rng, 3)
    bare = Reading(np.zeros(8, np.float32), np.array([5], np.int32), own[:1])
    marked = Reading(np.zeros(8, np.float32), np.array([5, 0], np.int32), own)
    store = Blocks(idf, [(np.array([1, 2, 3], np.int32), others)])
    assert meet(bare, store, [0]).forward == pytest.approx(meet(marked, store, [0]).forward)


def test_a_question_without_any_weight_meets_nothing_and_divides_by_nothing() -> None:
    rng = np.random.default_rng(3)
    store = Blocks(np.zeros(VOCABULARY, np.float32), [text(rng, 3)])
    met = meet(reading(rng, 2), store, [0])
    assert (met.forward[0], met.backward[0]) == (0, 0)


def test_a_long_question_speaks_with_its_heaviest_pieces_in_their_order() -> None:
    rng = np.random.default_rng(11)
    idf = rng.uniform(1, 2, VOCABULARY).astype(np.float32)
    light = np.arange(VOCABULARY) % 2 == 0
    idf[light] /= 100
    long = reading(rng, 3 * QUESTION_PIECES)
    heavy = np.argsort(-idf[long.pieces], kind="stable")[:QUESTION_PIECES]
    kept = np.sort(heavy)
    short = Reading(long.vector, long.pieces[kept], long.tokens[kept])
    store = Blocks(idf, [text(rng, 5), text(rng, 9)])
    assert meet(long, store, [0, 1]).forward.tolist() == meet(short, store, [0, 1]).forward.tolist()
