"""The default fusion against a straightforward computation of the same formula."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from plain_reference import Blocks, fused_scores, meeting, unit
from ranking_sample import channel, ids, passage

from handrail.domain.ranking import Ranking
from handrail.domain.scores import ScoreKind
from handrail.ports import Reading
from handrail.retrieval import Question
from handrail.retrieval.evidence_fusion import EvidenceFusion, Weights

NAMES = "abcdef"
W = Weights()
RNG = np.random.default_rng(5)
VECTORS = np.array([unit(row) for row in RNG.normal(size=(6, 4))], np.float32)
EVIDENCE = RNG.uniform(0, 1, 6).astype(np.float32)
COVERAGE = np.array([0.0, 0.1, 0.2, 0.3, 0.8, 0.19], np.float32)
STORE = Blocks(
    RNG.uniform(0, 3, 30).astype(np.float32),
    [
        (
            RNG.integers(0, 30, count).astype(np.int32),
            RNG.integers(-60, 60, (count, 5)).astype(np.int8),
        )
        for count in (3, 1, 4, 2, 6, 5)
    ],
)
VECTOR = np.array(unit([1.0, 0.5, -0.2, 0.1]), np.float32)
INTENT = np.array(unit([0.9, 0.6, -0.1, 0.3]), np.float32)
READING = Reading(
    VECTOR, np.array([3, 9, 4], np.int32), RNG.integers(-60, 60, (3, 5)).astype(np.int8)
)
BARE = Question("invented words", VECTOR, INTENT)
READ = replace(BARE, reading=READING)
FOUND = [channel("dense", dict.fromkeys("abcd", 0.5)), channel("lexical", {"e": 4.0, "f": 1.0})]

FUSION = EvidenceFusion(
    passages=passage,
    rows=NAMES.index,
    vectors=lambda rows: VECTORS[list(rows)],
    tokens=STORE,
    coverage=lambda text, rows: COVERAGE[list(rows)],
    evidence=lambda names, question: EVIDENCE[[NAMES.index(name) for name in names]],
)


def scores(ranking: Ranking) -> dict[str, float]:
    return {c.passage.id: c.score.value for c in ranking.candidates}


def expected(question: Question) -> list[float]:
    late = [meeting(READING, STORE, row) for row in range(6)] if question.reading else [(0, 0)] * 6
    fixed = [
        W.evidence * float(EVIDENCE[row])
        + W.coverage * max(0.0, float(COVERAGE[row]) - W.coverage_floor)
        + W.forward * forward
        + W.backward * backward
        for row, (forward, backward) in enumerate(late)
    ]
    share = W.cosine if question.reading else 1.0
    return fused_scores(VECTORS.tolist(), INTENT.tolist(), fixed, share, W)


@pytest.mark.parametrize("question", [READ, BARE], ids=["with tokens", "without tokens"])
def test_it_equals_the_plain_reference(question: Question) -> None:
    fused = scores(FUSION.fuse(FOUND, question))
    plain = dict(zip(NAMES, expected(question), strict=True))
    assert fused == pytest.approx(plain, abs=1e-5)
    assert list(fused) == sorted(plain, key=lambda name: (-fused[name], name))


def test_a_store_without_tokens_gives_the_ranking_of_a_question_without_any() -> None:
    """Embedders that give no token vectors still rank."""
    bare_store = replace(FUSION, tokens=None)
    assert bare_store.fuse(FOUND, READ) == FUSION.fuse(FOUND, BARE)


def test_coverage_under_its_floor_is_noise_and_changes_nothing() -> None:
    noisy = replace(FUSION, coverage=lambda text, rows: np.full(len(rows), 0.2, np.float32))
    silent = replace(FUSION, coverage=lambda text, rows: np.zeros(len(rows), np.float32))
    assert scores(noisy.fuse(FOUND, READ)) == scores(silent.fuse(FOUND, READ))


def test_every_part_of_the_score_travels_with_the_candidate() -> None:
    best = FUSION.fuse(FOUND, READ).candidates[0]
    assert set(best.parts) == {"cosine", "evidence", "coverage", "forward", "backward"}
    assert best.score.kind is ScoreKind.FUSION
    row = NAMES.index(best.passage.id)
    assert best.similarity is not None
    assert best.similarity.value == pytest.approx(float(VECTORS[row] @ VECTOR), abs=1e-5)


def test_the_shown_similarity_is_to_the_question_and_not_to_where_it_was_moved() -> None:
    moved = replace(READ, intent=-READ.intent)
    for fused in (FUSION.fuse(FOUND, READ), FUSION.fuse(FOUND, moved)):
        for c in fused.candidates:
            cosine = float(VECTORS[NAMES.index(c.passage.id)] @ VECTOR)
            assert c.parts["cosine"] == pytest.approx(cosine, abs=1e-5)


def test_equal_passages_fall_to_the_smaller_id() -> None:
    same = replace(
        FUSION,
        vectors=lambda rows: np.tile(VECTORS[0], (len(rows), 1)),
        tokens=None,
        coverage=lambda text, rows: np.zeros(len(rows), np.float32),
        evidence=lambda names, question: np.zeros(len(names), np.float32),
    )
    assert ids(same.fuse(FOUND[::-1], BARE)) == list(NAMES)


def test_the_order_of_the_channels_does_not_change_the_score() -> None:
    assert scores(FUSION.fuse(FOUND, READ)) == scores(FUSION.fuse(FOUND[::-1], READ))


def test_nothing_found_fuses_to_nothing() -> None:
    assert FUSION.fuse([], READ) == Ranking()
