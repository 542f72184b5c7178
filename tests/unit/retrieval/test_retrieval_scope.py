"""C53, resolution 1: whether a question belongs here, by thresholds that can be met and missed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from ranking_sample import candidate

from handrail.domain.outcome import Reason
from handrail.domain.ranking import Ranking
from handrail.domain.scores import Score, ScoreKind, Threshold
from handrail.errors import UnreachableThreshold
from handrail.retrieval import Question, ScopeTest
from handrail.retrieval.scope import MINIMUM, load_anchors
from handrail.settings import CoachSettings

EAST, NORTH, WEST = (np.array(v, np.float32) for v in ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0)))
SCOPE = ScopeTest(
    floor=Threshold(ScoreKind.COSINE, 0.15),
    inside=np.tile(EAST, (12, 1)),
    concerns=np.tile(NORTH, (12, 1)),
    outside=np.tile(WEST, (6, 1)),
)


def asked(vector: np.ndarray) -> Question:
    return Question("invented", vector, vector)


def found(*cosines: float) -> Ranking:
    return Ranking(
        candidates=tuple(
            replace(candidate(str(at)), similarity=Score(ScoreKind.COSINE, cosine))
            for at, cosine in enumerate(cosines)
        )
    )


def test_the_score_is_nearness_to_concerns_less_half_of_that_to_other_requests() -> None:
    assert SCOPE.score(EAST).value == pytest.approx(1 + 0.5)
    assert SCOPE.score(NORTH).value == pytest.approx(0)
    assert SCOPE.score(WEST).value == pytest.approx(-1 - 0.5)


def test_c53_nothing_found_is_an_abstention() -> None:
    assert SCOPE.judge(asked(EAST), Ranking()).refusal is Reason.NOTHING_SIMILAR


def test_c53_the_floor_is_on_the_cosine_of_the_best_case_and_inclusive() -> None:
    assert SCOPE.judge(asked(EAST), found(0.0, 0.15, -0.2)).refusal is None
    assert SCOPE.judge(asked(EAST), found(0.149, 0.0)).refusal is Reason.NOTHING_SIMILAR


def test_a_request_that_is_no_concern_is_out_of_scope_however_similar() -> None:
    assert SCOPE.judge(asked(WEST), found(0.9)).refusal is Reason.OUT_OF_SCOPE
    assert SCOPE.judge(asked(NORTH), found(0.9)).refusal is Reason.OUT_OF_SCOPE


def test_the_verdict_says_what_it_was_made_of() -> None:
    facts = SCOPE.judge(asked(EAST), found(0.4)).facts
    assert facts == {
        "scope": 1.5,
        "scope_floor": MINIMUM,
        "top1_similarity": 0.4,
        "top1_floor": 0.15,
    }


def test_a_concern_is_moved_towards_its_plain_words_and_stays_at_unit_length() -> None:
    intent = SCOPE.intent(EAST)
    assert np.linalg.norm(intent) == pytest.approx(1)
    assert intent @ NORTH == pytest.approx(0.8 / np.hypot(1, 0.8), abs=1e-6)


def test_any_other_request_stays_where_it_is() -> None:
    assert SCOPE.intent(WEST).tolist() == WEST.tolist()


def test_c53_the_default_floor_is_a_cosine_and_no_other_floor_is_accepted() -> None:
    assert CoachSettings().min_top1_similarity == 0.15
    with pytest.raises(UnreachableThreshold):
        Threshold(ScoreKind.COSINE, 1.01)
    with pytest.raises(UnreachableThreshold):
        Threshold(ScoreKind.COSINE, -1.0)


def test_every_inside_anchor_has_its_concern_row_by_row() -> None:
    anchors = load_anchors()
    assert len(anchors.inside) == len(anchors.concerns) >= 100
    assert len(anchors.outside) >= 20
    assert len({item.id for item in anchors.items}) == len(anchors.items)
