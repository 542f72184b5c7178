"""What a reply of any flow shows: its words by outcome, notices, the mark of software, steps."""

from __future__ import annotations

from typing import Any, Literal, assert_never

from pydantic import Field

from handrail.domain.outcome import Abstention, Answer, Outcome, Refusal, SafetyResponse
from handrail.domain.trace import Trace
from handrail.wire.base import Body
from handrail.wire.beside import NoticeBody, resource_body
from handrail.wire.risk import risk_body

OutcomeName = Literal["answer", "abstention", "refusal", "safety"]


class StepBody(Body):
    """One stage of a run."""

    name: str
    ms: float
    facts: dict[str, Any] = {}


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


def spoken(outcome: Outcome) -> dict[str, Any]:
    """The outcome's name with its words, in the field that belongs to it, and the reason."""
    match outcome:
        case Answer():
            return {"outcome": "answer", "answer": outcome.text}
        case Abstention():
            return {"outcome": "abstention", "refusal": outcome.text, "reason": outcome.reason}
        case Refusal():
            return {"outcome": "refusal", "refusal": outcome.text, "reason": outcome.reason}
        case SafetyResponse():
            return {"outcome": "safety", "message": outcome.text, "reason": outcome.reason}
        case _:
            assert_never(outcome)


def beside(outcome: Outcome) -> dict[str, Any]:
    """What stands beside the words, whatever the flow."""
    seen = outcome.notice_state
    return {
        "resources": [resource_body(resource) for resource in outcome.resources],
        "risk": risk_body(outcome.risk),
        "notices": [NoticeBody(id=n.id, language=n.language, text=n.text) for n in outcome.notices],
        "notices_shown_at": NoticesShown(ai=seen.ai, minors=seen.minors),
        "receipt": dict(outcome.receipt.body),
        "trace_id": outcome.trace.trace_id,
        "latency_ms": round(outcome.trace.ms, 3),
    }


def steps_body(trace: Trace) -> list[StepBody]:
    """The steps of a trace."""
    return [
        StepBody(name=step.name, ms=round(step.ms, 3), facts=dict(step.facts))
        for step in trace.steps
    ]
