"""Candidates, rankings and questions by hand."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from handrail.domain.ranking import Candidate, Pin, Ranking
from handrail.domain.scores import Score, ScoreKind
from handrail.domain.text import Passage, Span
from handrail.retrieval import Question
from handrail.retrieval.channel import ChannelRanking, Hit, ranked

NOWHERE = np.zeros(2, np.float32)
QUESTION = Question("invented", NOWHERE, NOWHERE)


def passage(name: str) -> Passage:
    return Passage(id=name, document_id=f"case-{name}", text=name, span=Span(0, len(name)))


def candidate(name: str, score: float = 0.5, *, pin: bool = False) -> Candidate:
    return Candidate(
        passage=passage(name),
        score=Score(ScoreKind.FUSION, score),
        pin=Pin("safety") if pin else None,
    )


def ranking(**scores: float) -> Ranking:
    return Ranking(candidates=tuple(candidate(name, score) for name, score in scores.items()))


def ids(of: Ranking) -> list[str]:
    return [c.passage.id for c in of.candidates]


def channel(name: str, scores: Mapping[str, float]) -> ChannelRanking:
    hits = (Hit(passage_id, value) for passage_id, value in scores.items())
    return ranked(name, ScoreKind.COSINE, hits)
