"""Check a coach's receipt, or the reply that holds it, against the stored text and by replay."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ValidationError

from handrail.content import content_hash
from handrail.domain.outcome import Receipt, Resource
from handrail.domain.risk import Level, Risk
from handrail.domain.trace import Tracer
from handrail.errors import ReceiptInvalid, UsageError
from handrail.flows.coach import policy
from handrail.flows.coach.decider import DeciderOutput
from handrail.flows.coach.flow import Coach
from handrail.rails.verification import (
    SPOKEN,
    Check,
    check_fragments,
    check_pins,
    check_reply,
)


class _Pinned(BaseModel):
    name: str


class _Policy(BaseModel):
    country: str | None


class _Risk(BaseModel):
    level: Level
    kinds: tuple[str, ...]


class _Decided(BaseModel):
    model: str | None
    choice: DeciderOutput


class Recorded(BaseModel):
    """What a receipt says of the run that made the reply, as far as a replay needs it."""

    collection: _Pinned
    policy: _Policy
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
    coach: Coach, receipt: Receipt, value: Any, *, message: str | None, tracer: Tracer
) -> tuple[Check, ...]:
    """Every check of ``receipt``; of the reply too where ``value`` is one; by replay with the
    ``message``."""
    run = recorded(receipt)
    store = coach.search.collection
    reply = value if _is_reply(value) else None
    found = check_pins(receipt, content=content_hash(), collection=store.pin())
    found += check_fragments(
        receipt,
        text=_said(receipt, reply),
        message=message,
        cases=store.by_id,
        lines=coach.content.piece,
    )
    if reply is not None:
        fixed = (coach.content.notice("refusal-policy").text,)
        found.append(check_reply(receipt, reply, fixed=fixed, resources=_help(coach, run)))
    if message is not None:
        found.append(_replayed(coach, receipt, run, message, tracer))
    return tuple(found)


def _is_reply(value: Any) -> bool:
    """Whether it is more than a receipt, alone or in an envelope."""
    return "receipt" in value and any(key in value for key in ("outcome", *SPOKEN.values()))


def _said(receipt: Receipt, reply: Mapping[str, Any] | None) -> str | None:
    """The words of the reply, by the outcome that the receipt names; none are an empty text."""
    if reply is None:
        return None
    said = reply.get(SPOKEN.get(str(receipt.body.get("outcome")).partition(":")[0], ""))
    return said if isinstance(said, str) else ""


def _help(coach: Coach, run: Recorded) -> tuple[Resource, ...]:
    risk = Risk(level=run.risk.level, kinds=run.risk.kinds)
    return coach.helplines.resources(run.policy.country, topics=policy.topics(risk))


def _replayed(coach: Coach, receipt: Receipt, run: Recorded, message: str, tracer: Tracer) -> Check:
    try:
        outcome = coach.replay(
            message,
            tracer=tracer,
            country=run.policy.country,
            case_ids=run.chosen,
            choice=run.decider.choice if run.decider else None,
            model=run.decider.model if run.decider else None,
        )
    except UsageError as error:
        return Check("replay", False, str(error))
    same = outcome.receipt.id == receipt.id
    detail = "the same receipt" if same else f"another receipt: {outcome.receipt.id}"
    return Check("replay", same, detail)
