"""The guide's reply with the final set that it was made from, and that set alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field

from handrail.domain.entity import Entity, EntityType
from handrail.domain.outcome import Outcome
from handrail.domain.ranking import Candidate, ChannelHit, Pin
from handrail.domain.reply import Vetted
from handrail.domain.trace import Trace
from handrail.flows.guide.lines import cited, is_entity_line
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
from handrail.wire.risk import RiskBody, risk_body

if TYPE_CHECKING:
    from handrail.flows.guide.flow import Guided
    from handrail.flows.guide.found import Chosen, Found

ChatTypeName = Literal["FAMILY_HISTORY", "PARENT_CHILD", "CO_PARENT", "COURT_PREP", "MISCELLANEOUS"]


class HitBody(Body):
    """Where one channel found an entity; values of two kinds are never compared."""

    channel: str
    rank: int
    value: float
    kind: str


class FoundEntityBody(Body):
    """An entity that was found; ``pin`` says why no ranking may take it away."""

    entity_id: str
    version: int
    entity_type: EntityType
    title: str
    pin: str | None = None
    score: float = Field(description="A fusion score, never a similarity.")
    channels: list[HitBody] = []


class AlwaysBody(Body):
    """An entity that is always loaded, beside the final set."""

    entity_id: str
    version: int
    title: str


class LineBody(Body):
    """A line of an entity in the reply: the words ``[start:end]``, in code points."""

    entity_id: str
    version: int
    field: str
    index: int
    start: int
    end: int


class GuideTraceBody(Body):
    """How a reply came about; ids, counts and times, no text."""

    catalogue: str | None = Field(None, description="SHA-256 of all active entities.")
    merge: str | None = None
    ranker: dict[str, Any] = {}
    flags: dict[str, bool] = {}
    steps: list[StepBody] = []


class GuideBody(Body):
    """An outcome of the guide with the entities that it was made from, pins first."""

    outcome: OutcomeName
    answer: str | None = None
    refusal: str | None = None
    message: str | None = Field(
        None, description="Safety lines for the person, when outcome=safety"
    )
    reason: str | None = None
    entities: list[FoundEntityBody] = []
    always: list[AlwaysBody] = []
    citations: list[LineBody] = []
    resources: list[ResourceBody] = Field(min_length=1)
    risk: RiskBody
    notices: list[NoticeBody] = []
    notices_shown_at: NoticesShown = NoticesShown()
    made_by: MadeBy | None = None
    warnings: list[str] = Field([], description="Fields of user_state that were not used.")
    trace: GuideTraceBody
    receipt: dict[str, Any]
    trace_id: str
    latency_ms: float


class LeftBody(Body):
    """A candidate that left the ranking."""

    entity_id: str
    stage: str
    reason: str


class PinBody(Body):
    """An entity that stands outside the ranking, and why."""

    entity_id: str
    reason: str


class RetrieveBody(Body):
    """The final set alone; how it came about only where that was asked."""

    final: list[FoundEntityBody]
    always: list[AlwaysBody] = []
    risk: RiskBody
    warnings: list[str] = []
    candidates: list[FoundEntityBody] | None = Field(
        None, description="With explain: at most 15, in the order of the merge."
    )
    dropped: list[LeftBody] | None = None
    pins: list[PinBody] | None = None
    steps: list[StepBody] | None = None
    latency_ms: float
    trace_id: str


def guide_body(guided: Guided) -> GuideBody:
    """A reply of the guide as a body, marked as synthetic where a duty asks for it."""
    outcome, found = guided.outcome, guided.found
    return GuideBody(
        **spoken(outcome),
        **beside(outcome),
        entities=[_chosen(one) for one in found.final] if found else [],
        always=_always(found.always) if found else [],
        citations=list(lines_of(outcome)),
        made_by=MadeBy() if outcome.marked else None,
        warnings=list(found.warnings) if found else [],
        trace=_trace(outcome),
    )


def retrieve_body(found: Found, trace: Trace, *, explain: bool = False) -> RetrieveBody:
    """What a search found as a body; with ``explain`` the whole way there."""
    body = RetrieveBody(
        final=[_chosen(one) for one in found.final],
        always=_always(found.always),
        risk=risk_body(found.risk),
        warnings=list(found.warnings),
        latency_ms=round(trace.ms, 3),
        trace_id=trace.trace_id,
    )
    if explain:
        ranking = found.ranking
        body.candidates = [_candidate(one) for one in ranking.candidates]
        body.dropped = [
            LeftBody(entity_id=one.passage_id, stage=one.stage, reason=one.reason)
            for one in ranking.dropped
        ]
        body.pins = [
            PinBody(entity_id=one.entity.entity_id, reason=one.pin.reason)
            for one in found.final
            if one.pin
        ]
        body.steps = steps_body(trace)
    return body


def _chosen(one: Chosen) -> FoundEntityBody:
    return FoundEntityBody(
        entity_id=one.entity.entity_id,
        version=one.entity.version,
        entity_type=one.entity.entity_type,
        title=one.entity.title,
        pin=_reason(one.pin),
        score=round(one.score, 6),
        channels=_hits(one.hits),
    )


def _candidate(one: Candidate) -> FoundEntityBody:
    return FoundEntityBody(
        entity_id=one.passage.id,
        version=int(one.passage.metadata["version"]),
        entity_type=EntityType(one.passage.metadata["entity_type"]),
        title=one.passage.text,
        pin=_reason(one.pin),
        score=round(one.score.value, 6),
        channels=_hits(one.hits),
    )


def _reason(pin: Pin | None) -> str | None:
    return pin.reason if pin else None


def _hits(hits: Sequence[ChannelHit]) -> list[HitBody]:
    return [
        HitBody(
            channel=hit.channel,
            rank=hit.rank,
            value=round(hit.score.value, 6),
            kind=hit.score.kind.value,
        )
        for hit in hits
    ]


def _always(entities: Sequence[Entity]) -> list[AlwaysBody]:
    return [
        AlwaysBody(entity_id=one.entity_id, version=one.version, title=one.title)
        for one in entities
    ]


def lines_of(outcome: Outcome) -> Iterator[LineBody]:
    """The entities' lines among the fragments, which join to the words of the reply."""
    at = 0
    for fragment in outcome.fragments:
        end = at + len(fragment.text)
        made = fragment.provenance
        if isinstance(made, Vetted) and is_entity_line(made.item_id):
            name, version, field = cited(made.item_id)
            yield LineBody(
                entity_id=name,
                version=version,
                field=field,
                index=made.piece,
                start=at,
                end=end,
            )
        at = end


def _trace(outcome: Outcome) -> GuideTraceBody:
    catalogue: Any = outcome.receipt.body.get("catalogue") or {}
    ranker: Any = outcome.receipt.body.get("ranker") or {}
    return GuideTraceBody(
        catalogue=catalogue.get("sha256"),
        merge=catalogue.get("merge"),
        ranker={"by": ranker["by"], "model": ranker["model"] or "twin"} if ranker else {},
        flags=dict(outcome.trace.flags),
        steps=steps_body(outcome.trace),
    )
