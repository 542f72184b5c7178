"""The bodies that every face shows: the HTTP responses and the CLI's ``--json`` are the same."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, assert_never

from pydantic import BaseModel, ConfigDict, Field

from handrail.domain.outcome import (
    Abstention,
    Answer,
    Citation,
    Outcome,
    Refusal,
    Resource,
    SafetyResponse,
)
from handrail.domain.ranking import Candidate
from handrail.domain.risk import Risk, Subject
from handrail.domain.text import Case
from handrail.domain.trace import Trace

if TYPE_CHECKING:
    from handrail.retrieval import Found

REFUSAL = "I can't provide coaching for this request."  # C44, fixed wording

OutcomeName = Literal["answer", "abstention", "refusal", "safety"]


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid")


class HighlightBody(_Body):
    """A sentence of a case's response: ``response[start:end] == text``, score a cosine."""

    sent_id: int
    text: str
    start: int
    end: int
    score: float


class ChannelBody(_Body):
    """Where one channel found a case."""

    channel: str
    rank: int
    score: float
    kind: str


class CaseBody(_Body):
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


class DropBody(_Body):
    """A candidate that left the ranking."""

    case_id: str
    stage: str
    reason: str


class SearchBody(_Body):
    """The most similar cases, best first."""

    cases: list[CaseBody]
    dropped: list[DropBody] = []
    latency_ms: float
    trace_id: str


class SentenceBody(_Body):
    """A sentence of a stored response."""

    sent_id: int
    text: str
    start: int
    end: int


class StoredCaseBody(_Body):
    """A stored case with every sentence that may be cited."""

    id: str
    title: str = ""
    context: str
    response: str
    response_sentences: list[SentenceBody]
    source_id: str = ""
    metadata: dict[str, str] = {}


class CitationBody(_Body):
    """A quoted span of a case's response."""

    case_id: str
    sent_id: int
    start: int
    end: int


class ResourceBody(_Body):
    """One way to reach people; ``value`` as dialled inside ``country``, or a URL."""

    id: str
    label: str
    value: str
    kind: str
    country: str | None = None
    hours: str | None = None
    note: str | None = None
    source: str = ""
    confirmed: str = ""


class SignalBody(_Body):
    """A rule of the crisis screen that fired; offsets count code points of the message."""

    rule: str
    kind: str
    level: str
    start: int
    end: int
    language: str
    subject: str
    notes: list[str] = []


class DismissalBody(_Body):
    """A rule that matched and was set aside, and why."""

    rule: str
    kind: str
    start: int
    end: int
    reason: str


class RiskBody(_Body):
    """What the crisis screen says; ``subjects`` has the level for self, other and third."""

    level: str
    subjects: dict[str, str] = {}
    kinds: list[str] = []
    signals: list[SignalBody] = []
    dismissed: list[DismissalBody] = []


class StepBody(_Body):
    """One stage of a run."""

    name: str
    ms: float
    facts: dict[str, Any] = {}


class TraceBody(_Body):
    """How a reply came about; ids, counts and times, no text."""

    retrieval: dict[str, Any] = {}
    decider: dict[str, Any] = {}
    gate_alpha: float | None = None
    dropped_sentences: int = 0
    flags: dict[str, bool] = {}
    steps: list[StepBody] = []


class NoticeBody(_Body):
    """A notice to show beside the reply, in reviewed words."""

    id: str
    language: str
    text: str


class NoticesShown(_Body):
    """When the person last saw which notice, in whole seconds since 1970 (UTC).

    A reply hands it out and the next message brings it back; nobody keeps it in between.
    """

    ai: int | None = Field(None, ge=0, le=2**53, description="That this is software.")
    minors: int | None = Field(None, ge=0, le=2**53, description="The reminder for minors.")


class MadeBy(_Body):
    """The mark of synthetic text: who put the reply together, and which cases nobody lived."""

    composed_by: Literal["software"] = "software"
    wording: Literal["selected"] = "selected"
    synthetic_cases: list[str] = []


class CoachBody(_Body):
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


def risk_body(risk: Risk) -> RiskBody:
    """The screen's verdict as a body."""
    return RiskBody(
        level=risk.level.label,
        subjects={subject.value: risk.level_for(subject).label for subject in Subject},
        kinds=list(risk.kinds),
        signals=[
            SignalBody(
                rule=signal.rule,
                kind=signal.kind,
                level=signal.level.label,
                start=signal.span.start,
                end=signal.span.end,
                language=signal.language,
                subject=signal.subject.value,
                notes=list(signal.notes),
            )
            for signal in risk.signals
        ],
        dismissed=[
            DismissalBody(
                rule=item.rule,
                kind=item.kind,
                start=item.span.start,
                end=item.span.end,
                reason=item.reason,
            )
            for item in risk.dismissed
        ],
    )


def resource_body(resource: Resource) -> ResourceBody:
    """A resource as a body."""
    return ResourceBody(
        id=resource.id,
        label=resource.label,
        value=resource.value,
        kind=resource.kind,
        country=resource.country,
        hours=resource.hours,
        note=resource.note,
        source=resource.source,
        confirmed=resource.confirmed,
    )


def citation_body(citation: Citation) -> CitationBody:
    """A citation as a body."""
    return CitationBody(
        case_id=citation.case_id,
        sent_id=citation.sent_id,
        start=citation.start,
        end=citation.end,
    )


def steps_body(trace: Trace) -> list[StepBody]:
    """The steps of a trace."""
    return [
        StepBody(name=step.name, ms=round(step.ms, 3), facts=dict(step.facts))
        for step in trace.steps
    ]


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
