"""Check a guide's receipt, or the reply that holds it, against the entities and by replay."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from pydantic import BaseModel, ValidationError

from handrail.content import content_hash
from handrail.domain.entity import ChatType, Entity, LoadMode
from handrail.domain.outcome import FAULTS, Receipt
from handrail.domain.reply import Layout, Vetted
from handrail.domain.risk import Level, Risk
from handrail.domain.trace import Tracer
from handrail.errors import ReceiptInvalid, UsageError
from handrail.flows.guide.flow import Guide, GuideAsked, Guided
from handrail.flows.guide.lines import as_it_stood, cited, is_entity_line
from handrail.flows.guide.ranker import RankerOutput
from handrail.rails import escalation
from handrail.rails.receipt import provenance
from handrail.rails.verification import (
    SPOKEN,
    Check,
    check_beside,
    check_fragments,
    check_pins,
)

_NAMED = ("entity_id", "version", "title")
_CITED = ("entity_id", "version", "field", "index", "start", "end")


class _Asked(BaseModel):
    user_state: dict[str, Any] = {}
    chat_type: ChatType | None = None
    shown: tuple[str, ...] = ()


class _Ranked(BaseModel):
    model: str | None = None
    order: tuple[str, ...] | None = None


class _Pinned(BaseModel):
    sha256: str


class _Heard(BaseModel):
    level: Literal["none", "mild", "moderate", "high"]
    kinds: tuple[str, ...]


class _Recorded(BaseModel):
    country: str | None
    outcome: str
    risk: _Heard
    asked: _Asked = _Asked()
    ranker: _Ranked | None = None
    catalogue: _Pinned | None = None
    final: tuple[tuple[str, int], ...] = ()
    part_failed: bool = False


def checks(
    guide: Guide, receipt: Receipt, value: Any, *, message: str | None, tracer: Tracer
) -> tuple[Check, ...]:
    """Every check of ``receipt``; of the reply too where ``value`` is one; by replay with the
    ``message``. Raises `ReceiptInvalid` for a receipt that is no guide's."""
    run = _recorded(receipt)
    reply = value if "outcome" in value and "receipt" in value else None
    found = check_pins(receipt, content=content_hash(), collection=None)
    found.append(_catalogue(guide, run))
    found += check_fragments(
        receipt,
        text=_said(receipt, reply),
        message=message,
        cases=lambda _case_id: None,
        lines=guide.piece,
    )
    if reply is not None and all(check.ok is not False for check in found):
        found.append(_reply(guide, receipt, run, reply))
    if message is not None:
        found.append(_replayed(guide, receipt, run, message, tracer))
    return tuple(found)


def _recorded(receipt: Receipt) -> _Recorded:
    try:
        return _Recorded.model_validate(dict(receipt.body))
    except ValidationError:
        raise ReceiptInvalid("the receipt does not say how its reply came about") from None


def _said(receipt: Receipt, reply: Mapping[str, Any] | None) -> str | None:
    if reply is None:
        return None
    said = reply.get(SPOKEN.get(str(receipt.body.get("outcome")).partition(":")[0], ""))
    return said if isinstance(said, str) else ""


def _catalogue(guide: Guide, run: _Recorded) -> Check:
    if run.catalogue is None:
        return Check("catalogue", None, "no entity had a part in this reply")
    if guide.search.catalogue().sha256 == run.catalogue.sha256:
        return Check("catalogue", True, "the same entities")
    detail = "the entities have changed since; each line is still looked up by its version"
    return Check("catalogue", None, detail)


def _reply(guide: Guide, receipt: Receipt, run: _Recorded, reply: Mapping[str, Any]) -> Check:
    """Whether what stands beside the words is what the receipt lists."""
    risk = Risk(level=Level[run.risk.level.upper()], kinds=run.risk.kinds)
    resources = guide.front.helplines.resources(run.country, topics=escalation.topics(risk))
    more = {
        "entities": _columns(reply, "entities", _NAMED)
        == [_named(as_it_stood(*pair, guide.by_version)) for pair in run.final],
        "always": all(_is_always(guide, *row) for row in _columns(reply, "always", _NAMED)),
        "citations": _columns(reply, "citations", _CITED) == _spoken(guide, receipt),
    }
    return check_beside(
        receipt, reply, fixed=(), resources=resources, lines=guide.content.piece, more=more
    )


def _columns(reply: Mapping[str, Any], name: str, keys: Sequence[str]) -> list[list[Any]]:
    """Those fields of each row; what is no row has none."""
    rows = reply.get(name)
    return [
        [row.get(key) if isinstance(row, Mapping) else None for key in keys]
        for row in (rows if isinstance(rows, list) else [])
    ]


def _named(entity: Entity | None) -> list[Any]:
    return [entity.entity_id, entity.version, entity.title] if entity else []


def _is_always(guide: Guide, name: Any, version: Any, title: Any) -> bool:
    """Whether a row beside the set names an entity that was always loaded, by its title."""
    if not isinstance(name, str) or not isinstance(version, int):
        return False
    entity = as_it_stood(name, version, guide.by_version)
    return entity is not None and entity.load_mode is LoadMode.ALWAYS and entity.title == title


def _spoken(guide: Guide, receipt: Receipt) -> list[list[Any]]:
    """Every line of an entity that the receipt lists, with its place in the rebuilt text."""
    found: list[list[Any]] = []
    at = 0
    rows: Any = receipt.body.get("fragments")
    for row in rows:
        made = provenance(row)
        if isinstance(made, Layout):
            at += len(str(row[1]))
        elif isinstance(made, Vetted):
            end = at + len(guide.piece(made.item_id, made.piece))
            if is_entity_line(made.item_id):
                found.append([*cited(made.item_id), made.piece, at, end])
            at = end
    return found


def _replayed(
    guide: Guide, receipt: Receipt, run: _Recorded, message: str, tracer: Tracer
) -> Check:
    if run.part_failed or run.outcome.partition(":")[2] in FAULTS:
        return Check("replay", None, "it tells of a defect, which a replay need not meet")
    if run.catalogue and guide.search.catalogue().sha256 != run.catalogue.sha256:
        return Check("replay", None, "the entities have changed since, so it cannot be made again")
    try:
        again = _again(guide, run, message, tracer)
    except UsageError as error:
        return Check("replay", False, str(error))
    same = again.outcome.receipt.id == receipt.id
    return Check("replay", same, "the same receipt" if same else "another receipt")


def _again(guide: Guide, run: _Recorded, message: str, tracer: Tracer) -> Guided:
    ranked = run.ranker or _Ranked()
    order = RankerOutput(entity_ids=ranked.order) if ranked.order is not None else None
    return guide.replay(
        message,
        GuideAsked(
            user_state=run.asked.user_state,
            chat_type=run.asked.chat_type,
            shown=run.asked.shown,
        ),
        tracer=tracer,
        order=order,
        model=ranked.model,
        country=run.country,
    )
