"""An outcome of the coach, with its proof and its trace."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from handrail.domain.outcome import Citation, Outcome, SafetyResponse
from handrail.wire.base import Body
from handrail.wire.beside import NoticeBody, ResourceBody
from handrail.wire.reply import (
    MadeBy,
    NoticesShown,
    OutcomeName,
    StepBody,
    beside,
    spoken,
    steps_body,
)
from handrail.wire.risk import RiskBody
from handrail.wire.search import CaseBody, case_body, is_synthetic

REFUSAL = "I can't provide coaching for this request."  # C44, fixed wording


class CitationBody(Body):
    """A quoted span of a case's response."""

    case_id: str
    sent_id: int
    start: int
    end: int


class TraceBody(Body):
    """How a reply came about; ids, counts and times, no text."""

    retrieval: dict[str, Any] = {}
    decider: dict[str, Any] = {}
    gate_alpha: float | None = None
    dropped_sentences: int = 0
    flags: dict[str, bool] = {}
    steps: list[StepBody] = []


class CoachBody(Body):
    """An outcome of the coach: ``answer`` with citations, or ``refusal`` with the reason."""

    outcome: OutcomeName
    answer: str | None = None
    refusal: str | None = None
    message: str | None = Field(
        None, description="Safety lines for the person, when outcome=safety"
    )
    reason: str | None = None
    citations: list[CitationBody] = []
    resources: list[ResourceBody] = Field(min_length=1)
    cases: list[CaseBody] = []
    risk: RiskBody
    notices: list[NoticeBody] = []
    notices_shown_at: NoticesShown = NoticesShown()
    made_by: MadeBy | None = None
    trace: TraceBody
    receipt: dict[str, Any]
    trace_id: str
    latency_ms: float


def citation_body(citation: Citation) -> CitationBody:
    """A citation as a body."""
    return CitationBody(
        case_id=citation.case_id,
        sent_id=citation.sent_id,
        start=citation.start,
        end=citation.end,
    )


def coach_body(outcome: Outcome) -> CoachBody:
    """Any outcome of the coach as a body, marked as synthetic where a duty asks for it."""
    marked = outcome.marked
    made_up = {c.passage.document_id for c in outcome.cases if is_synthetic(c)}
    words = spoken(outcome)
    if isinstance(outcome, SafetyResponse):
        words["refusal"] = REFUSAL
    return CoachBody(
        **words,
        **beside(outcome),
        citations=[citation_body(citation) for citation in outcome.citations],
        cases=[case_body(candidate, mark=marked) for candidate in outcome.cases],
        made_by=MadeBy(synthetic_cases=sorted(made_up)) if marked else None,
        trace=_trace_body(outcome),
    )


def _trace_body(outcome: Outcome) -> TraceBody:
    body = outcome.receipt.body
    policy: Any = body.get("policy", {})
    decided: Any = body.get("decider", {})
    step = outcome.trace.step("decider")
    return TraceBody(
        retrieval=dict(policy.get("pipeline", {})),
        decider={
            "by": decided.get("by"),
            "model": decided.get("model") or ("twin" if decided else None),
            "latency_ms": round(step.ms, 3) if step else None,
        },
        gate_alpha=policy.get("gate_alpha"),
        dropped_sentences=outcome.dropped_sentences,
        flags=dict(outcome.trace.flags),
        steps=steps_body(outcome.trace),
    )
