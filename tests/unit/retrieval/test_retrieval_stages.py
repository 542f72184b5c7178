"""C18, C19, C55, resolutions 2 and 8: every stage after fusion, by hand-worked values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from ranking_sample import QUESTION, candidate, ids, passage, ranking

from handrail.domain.ranking import Candidate, Drop, Ranking, Support
from handrail.domain.scores import Score, ScoreKind, Threshold
from handrail.errors import KindMismatch
from handrail.retrieval.stage import (
    Distinct,
    Diversify,
    Floor,
    Probe,
    Settle,
    Top,
    supported,
)

FUSION_FLOOR = Threshold(ScoreKind.FUSION, 0.5)


def own_score(of: Candidate) -> Score:
    return of.score


def vectors_of(table: dict[str, Sequence[float]]):  # type: ignore[no-untyped-def]
    return lambda candidates: np.array([table[c.passage.id] for c in candidates], np.float32)


def support(*cosines: float) -> list[Support]:
    return [
        Support(passage=passage(str(at)), score=Score(ScoreKind.COSINE, value))
        for at, value in enumerate(cosines)
    ]


def test_top_keeps_the_first_and_names_itself_in_every_drop() -> None:
    kept = Top(2).apply(ranking(a=0.9, b=0.8, c=0.7), QUESTION)
    assert ids(kept) == ["a", "b"]
    assert kept.dropped == (Drop(passage_id="c", stage="top", reason="below 2"),)


def test_c53_a_floor_passes_its_own_value_and_drops_what_is_under_it() -> None:
    kept = Floor(FUSION_FLOOR, own_score).apply(ranking(a=0.6, b=0.5, c=0.49), QUESTION)
    assert ids(kept) == ["a", "b"]
    assert kept.dropped == (Drop(passage_id="c", stage="floor", reason="under 0.5"),)


def test_c53_a_floor_on_another_kind_of_score_is_an_error_and_no_pass() -> None:
    floor = Floor(Threshold(ScoreKind.COSINE, 0.1), own_score)
    with pytest.raises(KindMismatch):
        floor.apply(ranking(a=0.6), QUESTION)


def test_c18_the_evidence_score_is_the_mean_over_the_support() -> None:
    probe = Probe(lambda c, question: supported(c, support(0.9, 0.6, 0.3)))
    looked = probe.apply(ranking(b=0.1, a=0.2), QUESTION)
    assert ids(looked) == ["b", "a"]
    assert [c.evidence for c in looked.candidates] == [
        Score(ScoreKind.COSINE, pytest.approx(0.6))
    ] * 2


def test_c18_without_support_there_is_no_evidence_score() -> None:
    assert supported(candidate("a"), []).evidence is None


def test_equal_scores_are_settled_by_evidence_and_then_by_id() -> None:
    """Resolution 8: the evidence score breaks ties after fusion."""
    found = [
        supported(candidate(name, 0.5), support(cosine))
        for name, cosine in zip("cba", (0.2, 0.4, 0.2), strict=True)
    ]
    better = supported(candidate("z", 0.6), support(0.1))
    settled = Settle().apply(Ranking(candidates=(candidate("0"), *found, better)), QUESTION)
    assert ids(settled) == ["z", "b", "a", "c", "0"]
    assert settled.dropped == ()


def test_c55_of_each_group_the_first_candidate_stays() -> None:
    distinct = Distinct(lambda c: c.passage.id[0])
    kept = distinct.apply(ranking(a1=0.9, b1=0.8, a2=0.7, b2=0.6, c1=0.5), QUESTION)
    assert ids(kept) == ["a1", "b1", "c1"]
    assert {drop.passage_id for drop in kept.dropped} == {"a2", "b2"}


def test_c19_relevance_is_normalised_before_it_is_weighed_against_diversity() -> None:
    """Resolution 2, by hand, with scores as narrow as reciprocal ranks.

    Normalised relevance: a 1, b 0.75, c 0.5, d 0. a is first. Then b, which is a's twin, is worth
    0.7 x 0.75 - 0.3 x 1 = 0.225, c 0.7 x 0.5 - 0 = 0.35 and d 0: c is second. Then b is worth
    0.225 and d, which is c's twin, 0 - 0.3: b is third.
    """
    table = {"a": (1, 0, 0), "b": (1, 0, 0), "c": (0, 1, 0), "d": (0, 1, 0)}
    narrow = ranking(a=0.0164, b=0.0163, c=0.0162, d=0.0160)
    diverse = Diversify(vectors_of(table), k=3, weight=0.7).apply(narrow, QUESTION)
    assert ids(diverse) == ["a", "c", "b"]
    assert diverse.dropped == (
        Drop(passage_id="d", stage="mmr", reason="less relevant or redundant"),
    )


def test_c19_without_normalising_diversity_would_decide_everything() -> None:
    """Resolution 2: raw scores that span 0.001 would lose to any difference in cosine."""
    table = {"a": (1, 0), "b": (0.8, 0.6), "c": (0, 1)}
    narrow = ranking(a=0.0164, b=0.0163, c=0.0154)
    assert ids(Diversify(vectors_of(table), k=2).apply(narrow, QUESTION)) == ["a", "b"]


def test_c19_redundancy_is_the_largest_cosine_to_any_that_was_chosen() -> None:
    """c is far from b but a copy of a; d is close to nobody."""
    table = {"a": (1, 0, 0), "b": (0, 1, 0), "c": (1, 0, 0), "d": (0, 0, 1)}
    found = ranking(a=1.0, b=0.9, c=0.6, d=0.4)
    assert ids(Diversify(vectors_of(table), k=3).apply(found, QUESTION)) == ["a", "b", "d"]


def test_equal_scores_are_all_fully_relevant_and_come_in_order() -> None:
    table = {name: np.eye(3)[at] for at, name in enumerate("abc")}
    same = ranking(a=0.4, b=0.4, c=0.4)
    assert ids(Diversify(vectors_of(table), k=2).apply(same, QUESTION)) == ["a", "b"]


def test_an_empty_ranking_passes_every_stage() -> None:
    stages = (
        Top(3),
        Floor(FUSION_FLOOR, own_score),
        Probe(lambda c, q: c),
        Settle(),
        Distinct(lambda c: ""),
        Diversify(vectors_of({})),
    )
    for stage in stages:
        assert stage.apply(Ranking(), QUESTION) == Ranking()


def test_earlier_drops_stay_on_record() -> None:
    before = Drop(passage_id="x", stage="floor", reason="under 0.5")
    kept = Top(1).apply(replace(ranking(a=0.9, b=0.1), dropped=(before,)), QUESTION)
    assert [drop.stage for drop in kept.dropped] == ["floor", "top"]
