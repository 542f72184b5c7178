"""Where entities are many: the nearest visible ones are looked at, each by its own words."""

from __future__ import annotations

import numpy as np
import pytest

from handrail.adapters.faiss import FaissMemory
from handrail.flows.guide.catalogue import COARSE, EXACT, Meaning
from handrail.flows.guide.words import EntityReading

COUNT, DIM = 4 * EXACT, 8
RANDOM = np.random.default_rng(5)


def reading(*pieces: int) -> EntityReading:
    """Two texts; each piece's vector is its number."""
    vectors = RANDOM.normal(size=(2, DIM)).astype(np.float32)
    ids = np.array(pieces, np.int32)
    tokens = np.repeat(ids[:, None], 4, axis=1) if pieces else np.empty((0, 1))
    return EntityReading(vectors, ids, np.ones(len(ids), np.int32), tokens.astype(np.int8))


@pytest.fixture(scope="module")
def meaning() -> Meaning:
    return Meaning.of([[reading() for _ in range(COUNT // 2)] for _ in range(2)], FaissMemory())


@pytest.mark.parametrize("one_in", [1, 2, 9, 40, COUNT])
@pytest.mark.parametrize("k", [5, COARSE + 9])
def test_h38_the_closer_look_goes_to_the_nearest_that_may_be_seen(
    meaning: Meaning, one_in: int, k: int
) -> None:
    visible = np.zeros(COUNT, bool)
    visible[::one_in] = True
    vector = meaning.pooled[7]
    nearest = sorted(np.flatnonzero(visible), key=lambda row: -float(meaning.pooled[row] @ vector))
    wanted = sorted(nearest[: max(COARSE, k)])
    assert meaning.near(vector, visible, k=k).tolist() == wanted


def test_h38_those_that_may_be_seen_may_all_lie_far_away(meaning: Meaning) -> None:
    vector = meaning.pooled[7]
    order = np.argsort(-(meaning.pooled @ vector), kind="stable")
    visible = np.zeros(COUNT, bool)
    visible[order[COUNT // 2 :]] = True
    nearest = np.sort(order[COUNT // 2 :][:COARSE])
    assert meaning.near(vector, visible, k=5).tolist() == nearest.tolist()


def test_h38_where_nobody_may_be_seen_nobody_is_looked_at(meaning: Meaning) -> None:
    assert not len(meaning.near(meaning.pooled[7], np.zeros(COUNT, bool), k=5))


def test_h9_likeness_belongs_to_the_entity_in_whatever_order_they_are_named() -> None:
    few = Meaning.of([[reading() for _ in range(5)]], FaissMemory())
    forward = few.likeness(few.pooled[0], np.arange(5))
    backward = few.likeness(few.pooled[0], np.arange(5)[::-1])
    np.testing.assert_allclose(backward[::-1], forward, atol=1e-6)
    assert len(np.unique(forward[:, 0])) == 5
    nearest = (few.rows @ few.pooled[0]).reshape(5, 2).max(axis=1)
    np.testing.assert_allclose(forward[:, 0], nearest, atol=1e-6)


def test_h9_each_entity_has_its_own_words_also_beside_one_without() -> None:
    words = Meaning.of(
        [[reading(3, 5), reading()], [reading(5)]], FaissMemory(), vocabulary=9
    ).words
    assert words is not None
    held = [words.block(row) for row in range(3)]
    assert [ids.tolist() for ids, _ in held] == [[3, 5], [], [5]]
    assert [tokens.tolist() for _, tokens in held] == [[[3] * 4, [5] * 4], [], [[5] * 4]]
    assert words.idf[0] > words.idf[3] > words.idf[5]


def test_h9_nobody_has_words_where_the_embedder_gives_none() -> None:
    assert Meaning.of([[reading()], [reading()]], FaissMemory(), vocabulary=9).words is None
    assert Meaning.of([[reading(1)]], FaissMemory()).words is None
