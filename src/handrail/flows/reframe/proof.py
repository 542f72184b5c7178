"""Check a turn's receipt, or the record that holds it, and replay the session up to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ValidationError

from handrail.content import CoachContent, content_hash
from handrail.domain.outcome import Receipt
from handrail.domain.text import digest
from handrail.domain.trace import Tracer
from handrail.errors import HandrailError, InvalidInput, ReceiptInvalid
from handrail.flows.reframe import emit
from handrail.flows.reframe.compose.lines import PREFIX, packaged_lines
from handrail.flows.reframe.emit import Ready
from handrail.flows.reframe.limits import Limits
from handrail.flows.reframe.orchestrator import Orchestrator
from handrail.flows.reframe.result import TurnResult
from handrail.flows.reframe.state import Opened, SessionState
from handrail.flows.reframe.writing import CONTRACT
from handrail.rails.protocol import lines as protocol
from handrail.rails.verification import Check, check_fragments, check_pins

_TOPICS: Sequence[tuple[str, ...]] = (
    (),
    ("suicide", "emotional-support"),
    ("domestic-violence",),
    ("child-abuse", "domestic-violence"),
)
"""Every choice of helplines that a turn may show."""


class _Opened(BaseModel):
    seed: int
    arm: str
    limits: dict[str, Any]
    language: str
    fixed: bool
    country: str | None


class _Session(BaseModel):
    phase: str
    turn: int
    number: int
    state: str
    modelled: bool
    opened: _Opened


class Recorded(BaseModel):
    """What a receipt says of the turn, as far as a check needs it."""

    outcome: str
    banner: str | None
    session: _Session
    said: dict[int, str]
    message: dict[str, Any]
    resources: tuple[str, ...]
    country: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Lines:
    """Every reviewed line that a turn may hold, by the id's prefix."""

    content: CoachContent

    def piece(self, item_id: str, piece: int) -> str:
        """The text behind an id; raises `ContentInvalid` if unknown."""
        if item_id.startswith(PREFIX):
            return packaged_lines().piece(item_id, piece)
        if item_id.startswith(protocol.PREFIX):
            return protocol.packaged_lines().piece(item_id, piece)
        return self.content.piece(item_id, piece)


def is_session(receipt: Receipt) -> bool:
    """Whether a turn of a session made the reply."""
    return receipt.body.get("flow") == emit.FLOW


def checks(
    orchestrator: Orchestrator,
    receipt: Receipt,
    value: Any,
    *,
    messages: Sequence[str] | None,
) -> tuple[Check, ...]:
    """Every check of ``receipt``; of the record too where ``value`` is one.

    With ``messages``, all that the person wrote in the session up to this turn, the session is
    replayed and must give the same receipt. Raises `ReceiptInvalid` for a receipt that is no turn.
    """
    turn = _recorded(receipt)
    record = value if isinstance(value, Mapping) and "ui_text" in value else None
    lines = Lines(content=orchestrator.content)
    said = _numbered(messages)
    found = check_pins(receipt, content=content_hash(), collection=None)
    found += check_fragments(
        receipt,
        text=str(record["ui_text"]) if record is not None else None,
        message=said.get(turn.session.number),
        cases=_no_case,
        lines=lines.piece,
        earlier=said,
        keeps=lambda contract, _text: contract == CONTRACT,
    )
    if messages is not None:
        found.append(_messages_check(turn, said))
    if record is not None:
        found.append(_record_check(orchestrator, turn, record, lines))
    if messages is not None:
        found.append(_replayed(orchestrator, receipt, turn, messages))
    return tuple(found)


def _recorded(receipt: Receipt) -> Recorded:
    try:
        return Recorded.model_validate(dict(receipt.body))
    except ValidationError:
        raise ReceiptInvalid("the receipt does not say how its turn came about") from None


def _no_case(_case_id: str) -> None:
    return None


def _numbered(messages: Sequence[str] | None) -> dict[int, str]:
    return dict(enumerate(messages or (), start=1))


def _messages_check(turn: Recorded, said: Mapping[int, str]) -> Check:
    """Whether the messages are those that were answered and quoted."""
    wanted = {**turn.said, turn.session.number: turn.message.get("sha256")}
    others = [n for n, sha in wanted.items() if n in said and digest(said[n]) != sha]
    if others:
        return Check("messages", False, f"other words than were sent: {sorted(others)}")
    missing = sorted(n for n in wanted if n not in said)
    return Check(
        "messages", None if missing else True, f"not given: {missing}" if missing else "as sent"
    )


def _record_check(
    orchestrator: Orchestrator, turn: Recorded, record: Mapping[str, Any], lines: Lines
) -> Check:
    """Whether what stands beside the words is what the receipt lists."""
    kind, _, reason = turn.outcome.partition(":")
    held = {
        "phase": record.get("phase") == turn.session.phase,
        "turn": record.get("turn") == turn.session.turn,
        "banner": record.get("banner") == _line(turn.banner),
        "outcome": record.get("outcome") == kind,
        "reason": not reason or record.get("reason") == reason,
        "sentences": "".join(map(str, record.get("sentences", ()))) == record.get("ui_text"),
        "resources": _resources(orchestrator, turn.country, record) == list(turn.resources),
        "notices": all(_is_notice(row, lines) for row in record.get("notices", ())),
    }
    faults = [name for name, holds in held.items() if not holds]
    if faults:
        return Check("reply", False, f"not what the receipt lists: {', '.join(faults)}")
    return Check("reply", True, "phase, banner, resources and notices as the receipt lists them")


def _line(item_id: str | None) -> str | None:
    if item_id is None:
        return None
    return "".join(fragment.text for fragment in packaged_lines().fragments(item_id))


def _resources(
    orchestrator: Orchestrator, country: str | None, record: Mapping[str, Any]
) -> list[str] | None:
    """The ids of the shown resources; None where one says what the directory does not."""
    found = (orchestrator.helplines.resources(country, topics=topics) for topics in _TOPICS)
    known = {each.id: (each.label, each.value) for listed in found for each in listed}
    ids = []
    for row in record.get("resources", ()):
        if known.get(str(row.get("id"))) != (row.get("label"), row.get("value")):
            return None
        ids.append(str(row["id"]))
    return ids


def _is_notice(row: Any, lines: Lines) -> bool:
    try:
        return bool(lines.piece(f"{row['id']}.{row['language']}", 0) == row["text"])
    except (HandrailError, KeyError, TypeError):
        return False


def _replayed(
    orchestrator: Orchestrator, receipt: Receipt, turn: Recorded, messages: Sequence[str]
) -> Check:
    if turn.outcome.startswith("abstention"):
        return Check("replay", None, "it tells of a defect, which a replay need not meet")
    if len(messages) < turn.session.number:
        return Check("replay", None, "a replay needs every message of the session")
    result = _again(orchestrator, turn, messages[: turn.session.number])
    if result is not None and result.outcome.receipt.id == receipt.id:
        return Check("replay", True, "the same receipt")
    if turn.session.modelled or turn.session.opened.limits.get("by") or _is_written(receipt):
        return Check("replay", None, "a model or a person took part, whom no replay can repeat")
    return Check("replay", False, "another receipt")


def _is_written(receipt: Receipt) -> bool:
    rows: Any = receipt.body.get("fragments", ())
    return "contracted" in {row[0] for row in rows}


def _again(
    orchestrator: Orchestrator, turn: Recorded, messages: Sequence[str]
) -> TurnResult | None:
    """The last turn of the session, made again from its first message."""
    opened = turn.session.opened
    try:
        state = SessionState.begun(
            Opened(language=opened.language, fixed=opened.fixed, country=opened.country),
            limits=Limits.from_json(opened.limits),
            seed=opened.seed,
            arm=opened.arm,
        )
    except (TypeError, InvalidInput):
        raise ReceiptInvalid("the receipt does not say how its session began") from None
    result: TurnResult | None = None
    for message in messages:
        ready = orchestrator.begin(state, message, Tracer("replay"))
        result = orchestrator.finish(ready) if isinstance(ready, Ready) else ready
        state = result.state
    return result
