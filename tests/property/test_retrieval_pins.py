"""Pins survive every stage, in any order; every candidate is kept, or dropped with a reason."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from handrail.domain.ranking import Candidate, Pin, Ranking, Support
from handrail.domain.scores import Score, ScoreKind, Threshold
from handrail.domain.text import Passage, Span
from handrail.retrieval import Question
from handrail.retrieval.stage import (
    Distinct,
    Diversify,
    Floor,
    Probe,
    Settle,
    Stage,
    Top,
    supported,
)

NOWHERE = np.zeros(3, np.float32)
QUESTION = Question("invented", NOWHERE, NOWHERE)


def candidate(at: int, score: float, pinned: bool) -> Candidate:
    return Candidate(
        passage=Passage(id=f"p{at:02}", document_id=f"c{at}", text="", span=Span(0, 0)),
        score=Score(ScoreKind.FUSION, score),
        pin=Pin("safety") if pinned else None,
    )


def vectors(candidates: Sequence[Candidate]) -> np.ndarray:
    """A direction for each id, several of them shared."""
    angles = [int(c.passage.id[1:]) % 5 for c in candidates]
    return np.array([[np.cos(a), np.sin(a), 0] for a in angles], np.float32)


def looked(of: Candidate, question: Question) -> Candidate:
    cosine = Score(ScoreKind.COSINE, of.score.value)
    return supported(of, [Support(passage=of.passage, score=cosine)])


RANKINGS = st.lists(st.tuples(st.floats(0, 1), st.booleans()), max_size=14).map(
    lambda rows: Ranking(
        candidates=tuple(candidate(at, score, pinned) for at, (score, pinned) in enumerate(rows))
    )
)
STAGES = st.one_of(
    st.integers(0, 5).map(Top),
    st.floats(0.01, 1).map(lambda m: Floor(Threshold(ScoreKind.FUSION, m), lambda c: c.score)),
    st.integers(1, 4).map(lambda groups: Distinct(lambda c: str(int(c.passage.id[1:]) % groups))),
    st.integers(0, 4).map(lambda k: Diversify(vectors, k=k)),
    st.just(Probe(looked)),
    st.just(Settle()),
)


def names(of: Sequence[Candidate]) -> list[str]:
    return [c.passage.id for c in of]


@given(RANKINGS, st.lists(STAGES, max_size=6))
def test_no_stage_loses_a_pin_or_a_candidate_without_a_word(
    ranking: Ranking, stages: list[Stage]
) -> None:
    after = ranking
    for stage in stages:
        after = stage.apply(after, QUESTION)
    kept, dropped = names(after.candidates), [drop.passage_id for drop in after.dropped]
    pinned = {c.passage.id for c in ranking.candidates if c.pin}
    assert pinned <= set(kept)
    assert sorted(kept + dropped) == sorted(names(ranking.candidates))
    assert all(drop.stage and drop.reason for drop in after.dropped)


@given(RANKINGS, STAGES)
def test_a_stage_is_a_function_of_its_input(ranking: Ranking, stage: Stage) -> None:
    assert stage.apply(ranking, QUESTION) == stage.apply(ranking, QUESTION)


@given(RANKINGS, st.integers(0, 5))
def test_top_holds_its_limit_for_all_but_pins(ranking: Ranking, n: int) -> None:
    kept = Top(n).apply(ranking, QUESTION).candidates
    assert len([c for c in kept if not c.pin]) <= n


@given(RANKINGS, st.integers(0, 4))
def test_diversify_chooses_the_most_relevant_first_and_at_most_k(ranking: Ranking, k: int) -> None:
    settled = Settle().apply(ranking, QUESTION)
    kept = Diversify(vectors, k=k).apply(settled, QUESTION).candidates
    assert len([c for c in kept if not c.pin]) <= k
    if k and settled.candidates:
        assert kept[0] == settled.candidates[0]
