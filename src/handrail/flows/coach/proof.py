"""Check a coach's receipt, or the reply that holds it, against the stored text and by replay."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ValidationError

from handrail.content import content_hash
from handrail.domain.outcome import FAULTS, Outcome, Receipt, Resource
from handrail.domain.risk import Level, Risk
from handrail.domain.trace import Tracer
from handrail.errors import ReceiptInvalid, UsageError
from handrail.flows.coach.decider import DeciderOutput
from handrail.flows.coach.flow import Coach
from handrail.rails import escalation
from handrail.rails.front import Front
from handrail.rails.protocol import proof as protocol
from handrail.rails.release import Context
from handrail.rails.verification import (
    SPOKEN,
    Check,
    check_fragments,
    check_pins,
    check_reply,
)


class _Pinned(BaseModel):
    name: str


class _Risk(BaseModel):
    level: Level
    kinds: tuple[str, ...]


class _Decided(BaseModel):
    model: str | None
    choice: DeciderOutput


class Recorded(BaseModel):
    """What a receipt says of the run that made the reply, as far as a replay needs it."""

    country: str | None
    collection: _Pinned | None = None
    risk: _Risk
    chosen: tuple[str, ...] = ()
    decider: _Decided | None = None


def recorded(receipt: Receipt) -> Recorded:
    """Read it; raises `ReceiptInvalid` for a receipt that is no coach's."""
    body: Any = dict(receipt.body)
    try:
        body["risk"] = {**body["risk"], "level": Level[body["risk"]["level"].upper()]}
        return Recorded.model_validate(body)
    except (ValidationError, KeyError, TypeError, AttributeError):
        raise ReceiptInvalid("the receipt does not say how its reply came about") from None


def checks(
    front: Front,
    coach: Coach | None,
    receipt: Receipt,
    value: Any,
    *,
    message: str | None,
    tracer: Tracer,
) -> tuple[Check, ...]:
    """Every check of ``receipt``; of the reply too where ``value`` is one; by replay with the
    ``message``. ``coach`` is None for an outcome of the front gate, which no corpus stands behind.
    """
    run = recorded(receipt)
    reply = value if _is_reply(value) else None
    if protocol.is_protocol(receipt):
        fixed = (front.content.notice("refusal-policy").text,)
        return protocol.checks(
            receipt, reply, message=message, helplines=front.helplines, fixed=fixed
        )
    pin = coach.search.collection.pin() if coach else None
    cases = coach.search.collection.by_id if coach else _no_case
    found = check_pins(receipt, content=content_hash(), collection=pin)
    found += check_fragments(
        receipt,
        text=_said(receipt, reply),
        message=message,
        cases=cases,
        lines=front.content.piece,
    )
    if reply is not None:
        fixed = (front.content.notice("refusal-policy").text,)
        beside = _help(front, run)
        lines = front.content.piece
        found.append(
            check_reply(receipt, reply, fixed=fixed, resources=beside, cases=cases, lines=lines)
        )
    if message is not None:
        found.append(_replayed(coach or front, receipt, run, message, tracer))
    return tuple(found)


def _no_case(_case_id: str) -> None:
    return None


def _is_reply(value: Any) -> bool:
    """Whether it is more than a receipt, alone or in an envelope."""
    return "receipt" in value and any(key in value for key in ("outcome", *SPOKEN.values()))


def _said(receipt: Receipt, reply: Mapping[str, Any] | None) -> str | None:
    """The words of the reply, by the outcome that the receipt names; none are an empty text."""
    if reply is None:
        return None
    said = reply.get(SPOKEN.get(str(receipt.body.get("outcome")).partition(":")[0], ""))
    return said if isinstance(said, str) else ""


def _help(front: Front, run: Recorded) -> tuple[Resource, ...]:
    risk = Risk(level=run.risk.level, kinds=run.risk.kinds)
    return front.helplines.resources(run.country, topics=escalation.topics(risk))


def _replayed(
    flow: Coach | Front, receipt: Receipt, run: Recorded, message: str, tracer: Tracer
) -> Check:
    if str(receipt.body.get("outcome")).partition(":")[2] in FAULTS:
        return Check("replay", None, "it tells of a defect, which a replay need not meet")
    try:
        outcome = _again(flow, run, message, tracer)
    except UsageError as error:
        return Check("replay", False, str(error))
    if outcome is None:
        return Check("replay", False, "the front gate lets this message pass")
    same = outcome.receipt.id == receipt.id
    detail = "the same receipt" if same else f"another receipt: {outcome.receipt.id}"
    return Check("replay", same, detail)


def _again(flow: Coach | Front, run: Recorded, message: str, tracer: Tracer) -> Outcome | None:
    if isinstance(flow, Front):
        admitted = flow.admit(message, tracer, country=run.country)
        return None if isinstance(admitted, Context) else admitted
    return flow.replay(
        message,
        tracer=tracer,
        country=run.country,
        case_ids=run.chosen,
        choice=run.decider.choice if run.decider else None,
        model=run.decider.model if run.decider else None,
    )
