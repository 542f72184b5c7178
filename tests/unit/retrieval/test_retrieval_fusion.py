"""C15, resolution 1: reciprocal rank fusion by hand-worked values."""

from __future__ import annotations

import pytest
from ranking_sample import QUESTION, channel, ids, passage

from handrail.domain.scores import ScoreKind, Threshold
from handrail.errors import UnreachableThreshold
from handrail.retrieval.fusion import RRF_C, ReciprocalRank

RRF = ReciprocalRank(passage)
DENSE = channel("dense", {"a": 0.9, "b": 0.8, "c": 0.7})
LEXICAL = channel("lexical", {"c": 12.0, "d": 3.0})


def test_c15_the_score_is_the_sum_of_one_over_sixty_plus_rank() -> None:
    fused = RRF.fuse([DENSE, LEXICAL], QUESTION)
    scores = {c.passage.id: c.score.value for c in fused.candidates}
    assert RRF_C == 60
    assert scores == pytest.approx(
        {"c": 1 / 63 + 1 / 61, "a": 1 / 61, "b": 1 / 62, "d": 1 / 62}, abs=1e-15
    )
    assert ids(fused) == ["c", "a", "b", "d"]  # b and d tie, and b is the smaller id


def test_c15_a_channel_that_missed_a_passage_adds_nothing() -> None:
    alone = RRF.fuse([DENSE], QUESTION)
    beside = RRF.fuse([DENSE, channel("lexical", {"z": 1.0})], QUESTION)
    assert alone.candidates == beside.candidates[:1] + beside.candidates[2:]
    assert beside.candidates[1].passage.id == "z"


def test_c15_two_channels_reach_two_sixty_firsts_and_a_floor_above_is_refused() -> None:
    best = RRF.fuse([DENSE, channel("lexical", {"a": 1.0})], QUESTION).candidates[0]
    assert best.score.value == pytest.approx(2 / 61)
    with pytest.raises(UnreachableThreshold):
        Threshold(ScoreKind.RRF, 0.15, ceiling=2 / 61)


def test_every_candidate_carries_its_rank_and_score_in_each_channel() -> None:
    fused = RRF.fuse([DENSE, LEXICAL], QUESTION)
    found = {
        c.passage.id: [(h.channel, h.rank, h.score.value) for h in c.hits] for c in fused.candidates
    }
    assert found == {
        "a": [("dense", 1, 0.9)],
        "b": [("dense", 2, 0.8)],
        "c": [("dense", 3, 0.7), ("lexical", 1, 12.0)],
        "d": [("lexical", 2, 3.0)],
    }


def test_equal_scores_in_a_channel_are_ranked_by_id() -> None:
    assert [hit.passage_id for hit in channel("dense", {"b": 0.5, "c": 0.9, "a": 0.5}).hits] == [
        "c",
        "a",
        "b",
    ]


def test_nothing_found_fuses_to_nothing() -> None:
    assert RRF.fuse([], QUESTION).candidates == ()
    assert RRF.fuse([channel("dense", {})], QUESTION).candidates == ()
