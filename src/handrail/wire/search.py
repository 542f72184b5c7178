"""Cases: found, stored, and why a candidate left."""

from __future__ import annotations

from typing import TYPE_CHECKING

from handrail.domain.ranking import Candidate
from handrail.domain.text import Case
from handrail.domain.trace import Trace
from handrail.wire.base import Body

if TYPE_CHECKING:
    from handrail.retrieval import Found


class HighlightBody(Body):
    """A sentence of a case's response: ``response[start:end] == text``, score a cosine."""

    sent_id: int
    text: str
    start: int
    end: int
    score: float


class ChannelBody(Body):
    """Where one channel found a case."""

    channel: str
    rank: int
    score: float
    kind: str


class CaseBody(Body):
    """A similar case; ``score`` is the cosine of its context to the question."""

    id: str
    title: str = ""
    context: str
    score: float
    fused_score: float
    evidence_score: float | None = None
    highlights: list[HighlightBody] = []
    channels: list[ChannelBody] = []
    synthetic: bool | None = None


class DropBody(Body):
    """A candidate that left the ranking."""

    case_id: str
    stage: str
    reason: str


class SearchBody(Body):
    """The most similar cases, best first."""

    cases: list[CaseBody]
    dropped: list[DropBody] = []
    latency_ms: float
    trace_id: str


class SentenceBody(Body):
    """A sentence of a stored response."""

    sent_id: int
    text: str
    start: int
    end: int


class StoredCaseBody(Body):
    """A stored case with every sentence that may be cited."""

    id: str
    title: str = ""
    context: str
    response: str
    response_sentences: list[SentenceBody]
    source_id: str = ""
    metadata: dict[str, str] = {}


def case_body(candidate: Candidate, *, mark: bool = False) -> CaseBody:
    """A candidate as a body; with ``mark`` it says whether anybody lived it."""
    passage = candidate.passage
    similarity = candidate.similarity or candidate.score
    return CaseBody(
        id=passage.document_id,
        title=passage.metadata.get("title", ""),
        context=passage.text,
        score=round(similarity.value, 6),
        fused_score=round(candidate.score.value, 6),
        evidence_score=round(candidate.evidence.value, 6) if candidate.evidence else None,
        highlights=[
            HighlightBody(
                sent_id=int(support.passage.metadata["sent_id"]),
                text=support.passage.text,
                start=support.passage.span.start,
                end=support.passage.span.end,
                score=round(support.score.value, 6),
            )
            for support in candidate.support
        ],
        channels=[
            ChannelBody(
                channel=hit.channel,
                rank=hit.rank,
                score=round(hit.score.value, 6),
                kind=hit.score.kind.value,
            )
            for hit in candidate.hits
        ],
        synthetic=is_synthetic(candidate) if mark else None,
    )


def is_synthetic(candidate: Candidate) -> bool:
    """Whether its record says that nobody lived it."""
    return candidate.passage.metadata.get("synthetic") == "true"


def search_body(found: Found, trace: Trace) -> SearchBody:
    """What a search found as a body."""
    dropped = found.ranking.dropped
    return SearchBody(
        cases=[case_body(candidate) for candidate in found.ranking.candidates],
        dropped=[DropBody(case_id=d.passage_id, stage=d.stage, reason=d.reason) for d in dropped],
        latency_ms=round(trace.ms, 3),
        trace_id=trace.trace_id,
    )


def stored_case_body(case: Case) -> StoredCaseBody:
    """A stored case as a body."""
    return StoredCaseBody(
        id=case.id,
        title=case.title,
        context=case.context,
        response=case.response,
        response_sentences=[
            SentenceBody(sent_id=at, text=span.of(case.response), start=span.start, end=span.end)
            for at, span in enumerate(case.sentences)
        ],
        source_id=case.source_id,
        metadata=dict(case.metadata),
    )
