"""C15 for any rankings: the score, the ties, and what a channel that missed something adds."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from handrail.domain.scores import ScoreKind
from handrail.domain.text import Passage, Span
from handrail.retrieval import Question
from handrail.retrieval.channel import ChannelRanking, Hit, ranked
from handrail.retrieval.fusion import RRF_C, ReciprocalRank

NOWHERE = np.zeros(2, np.float32)
QUESTION = Question("invented", NOWHERE, NOWHERE)
CHANNELS = st.lists(
    st.dictionaries(st.sampled_from("abcdefgh"), st.sampled_from([0.1, 0.5, 0.9]), max_size=8),
    max_size=3,
)


def passage(name: str) -> Passage:
    return Passage(id=name, document_id=name, text="", span=Span(0, 0))


def channel(at: int, scores: dict[str, float]) -> ChannelRanking:
    return ranked(str(at), ScoreKind.COSINE, (Hit(n, value) for n, value in scores.items()))


@given(CHANNELS)
def test_c15_the_sum_is_exact_and_ties_fall_to_the_smaller_id(
    scores: list[dict[str, float]],
) -> None:
    channels = [channel(at, row) for at, row in enumerate(scores)]
    expected: dict[str, Fraction] = {}
    for row in scores:
        for rank, name in enumerate(sorted(row, key=lambda name: (-row[name], name)), start=1):
            expected[name] = expected.get(name, Fraction(0)) + Fraction(1, RRF_C + rank)
    fused = ReciprocalRank(passage).fuse(channels, QUESTION).candidates
    assert {c.passage.id: c.score.value for c in fused} == pytest.approx(
        {name: float(value) for name, value in expected.items()}
    )
    order = [(-c.score.value, c.passage.id) for c in fused]
    assert order == sorted(order)


@given(CHANNELS)
def test_c15_a_channel_that_found_nothing_changes_nothing(scores: list[dict[str, float]]) -> None:
    channels = [channel(at, row) for at, row in enumerate(scores)]
    empty = channel(9, {})
    rrf = ReciprocalRank(passage)
    assert rrf.fuse([*channels, empty], QUESTION) == rrf.fuse(channels, QUESTION)
