"""An outcome of the coach, with its proof and its trace."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, assert_never

from pydantic import Field

from handrail.domain.outcome import (
    Abstention,
    Answer,
    Citation,
    Outcome,
    Refusal,
    SafetyResponse,
)
from handrail.domain.trace import Trace
from handrail.wire.base import Body
from handrail.wire.beside import NoticeBody, ResourceBody, resource_body
from handrail.wire.risk import RiskBody, risk_body
from handrail.wire.search import CaseBody, case_body, is_synthetic

REFUSAL = "I can't provide coaching for this request."  # C44, fixed wording

OutcomeName = Literal["answer", "abstention", "refusal", "safety"]


class CitationBody(Body):
    """A quoted span of a case's response."""

    case_id: str
    sent_id: int
    start: int
    end: int


class StepBody(Body):
    """One stage of a run."""

    name: str
    ms: float
    facts: dict[str, Any] = {}


class TraceBody(Body):
    """How a reply came about; ids, counts and times, no text."""

    retrieval: dict[str, Any] = {}
    decider: dict[str, Any] = {}
    gate_alpha: float | None = None
    dropped_sentences: int = 0
    flags: dict[str, bool] = {}
    steps: list[StepBody] = []


class NoticesShown(Body):
    """When the person last saw which notice, in whole seconds since 1970 (UTC).

    A reply hands it out and the next message brings it back; nobody keeps it in between.
    """

    ai: int | None = Field(None, ge=0, le=2**53, description="That this is software.")
    minors: int | None = Field(None, ge=0, le=2**53, description="The reminder for minors.")


class MadeBy(Body):
    """The mark of synthetic text: who put the reply together, and which cases nobody lived."""

    composed_by: Literal["software"] = "software"
    wording: Literal["selected"] = "selected"
    synthetic_cases: list[str] = []


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
    match outcome:
        case Answer():
            spoken: Mapping[str, Any] = {"outcome": "answer", "answer": outcome.text}
        case Abstention():
            spoken = {"outcome": "abstention", "refusal": outcome.text, "reason": outcome.reason}
        case Refusal():
            spoken = {"outcome": "refusal", "refusal": outcome.text, "reason": outcome.reason}
        case SafetyResponse():
            spoken = {
                "outcome": "safety",
                "refusal": REFUSAL,
                "message": outcome.text,
                "reason": outcome.reason,
            }
        case _:
            assert_never(outcome)
    return CoachBody(
        **spoken,
        citations=[citation_body(citation) for citation in outcome.citations],
        resources=[resource_body(resource) for resource in outcome.resources],
        cases=[case_body(candidate, mark=marked) for candidate in outcome.cases],
        risk=risk_body(outcome.risk),
        notices=[NoticeBody(id=n.id, language=n.language, text=n.text) for n in outcome.notices],
        notices_shown_at=NoticesShown(
            ai=outcome.notice_state.ai, minors=outcome.notice_state.minors
        ),
        made_by=MadeBy(synthetic_cases=sorted(made_up)) if marked else None,
        trace=_trace_body(outcome),
        receipt=dict(outcome.receipt.body),
        trace_id=outcome.trace.trace_id,
        latency_ms=round(outcome.trace.ms, 3),
    )


def steps_body(trace: Trace) -> list[StepBody]:
    """The steps of a trace."""
    return [
        StepBody(name=step.name, ms=round(step.ms, 3), facts=dict(step.facts))
        for step in trace.steps
    ]


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
