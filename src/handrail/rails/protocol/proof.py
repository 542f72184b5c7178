"""Check a receipt of the protocol, or the reply that holds it, against the reviewed lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from handrail.content import content_hash
from handrail.domain.outcome import Receipt, Resource
from handrail.errors import ReceiptInvalid
from handrail.rails.helplines import Helplines
from handrail.rails.protocol.lines import packaged_lines
from handrail.rails.protocol.protocol import PIN, shown
from handrail.rails.protocol.state import Track
from handrail.rails.protocol.turn import Shows
from handrail.rails.verification import Check, Lines, check_fragments, check_pins, check_reply


def is_protocol(receipt: Receipt) -> bool:
    """Whether the protocol made the reply, in whichever flow."""
    return PIN in receipt.body


def checks(
    receipt: Receipt,
    reply: Mapping[str, Any] | None,
    *,
    message: str | None,
    helplines: Helplines,
    fixed: Sequence[str] = (),
    lines: Lines | None = None,
    earlier: Mapping[int, str] | None = None,
) -> tuple[Check, ...]:
    """Every check of ``receipt``, and of ``reply`` where there is one.

    ``fixed`` are wordings that a face may put beside any outcome; ``lines`` has what a flow says
    before, and ``earlier`` the messages that it quotes. A replay needs the session's
    state, which no receipt holds; that check says so.
    """
    text = reply.get("message") if reply is not None else None
    found = check_pins(receipt, content=content_hash(), collection=None)
    found += check_fragments(
        receipt,
        text=text if isinstance(text, str) or reply is None else "",
        message=message,
        cases=_no_case,
        lines=lines or packaged_lines().piece,
        earlier=earlier,
    )
    if reply is not None:
        beside = _resources(receipt, helplines)
        found.append(check_reply(receipt, reply, fixed=fixed, resources=beside, cases=_no_case))
    if message is not None:
        found.append(Check("replay", None, "a turn of a conversation is replayed with its session"))
    return tuple(found)


def _no_case(_case_id: str) -> None:
    return None


def _resources(receipt: Receipt, helplines: Helplines) -> tuple[Resource, ...]:
    """What stood beside the turn; raises `ReceiptInvalid` when the receipt does not say."""
    try:
        pinned: Any = receipt.body[PIN]
        country: Any = receipt.body["country"]
        track = Track(pinned["track"]) if pinned["track"] else None
        shows = Shows(pinned["shows"])
    except (KeyError, TypeError, ValueError):
        raise ReceiptInvalid("the receipt does not say how its reply came about") from None
    return shown(helplines, country=country, track=track, shows=shows)
