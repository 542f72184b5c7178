"""A turn as server-sent events: they join to its body, and can be taken up in the middle.

A stream begins after the rails passed the whole reply, so that nothing is ever taken back. The
events of a turn are ``banner`` (if there is one), one ``sentence`` or more, ``resources`` (if there
are any), ``control`` and ``done``; the id ``4.2`` is the second event of the answer to the person's
fourth message.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence

from fastapi.sse import format_sse_event

from handrail.wire import ChatBody

RETRY_MS = 2_000  # how long a browser waits before it takes up a stream that broke
HEADERS = {
    "Cache-Control": "no-cache, no-store, no-transform",
    "X-Accel-Buffering": "no",  # nginx and its kin would hold events back
    "Vary": "Accept",
}

_ID = re.compile(r"([0-9]{1,9})\.([0-9]{1,9})")
_ELSEWHERE = {"banner", "ui_text", "sentences", "resources", "control"}


def events_of(body: ChatBody, *, stored: bool = True) -> list[bytes]:
    """The events of a turn, as bytes.

    Those of a turn that was not stored carry no ids: the next attempt makes another turn, and the
    halves of two turns must not be put together.
    """
    number = _number(body)
    return [
        format_sse_event(
            event=name,
            data_str=data,
            id=f"{number}.{at}" if stored else None,
            retry=RETRY_MS if at == 1 else None,
        )
        for at, (name, data) in enumerate(_parts(body), start=1)
    ]


def remaining(body: ChatBody, last_id: str | None) -> Sequence[bytes]:
    """The events after the one that came last; all of them for an id that is none of this turn."""
    events = events_of(body)
    found = _ID.fullmatch(last_id or "")
    if found is None or int(found[1]) != _number(body) or int(found[2]) > len(events):
        return events
    return events[int(found[2]) :]


def _number(body: ChatBody) -> int:
    return int(body.receipt["session"]["number"])


def _parts(body: ChatBody) -> Iterator[tuple[str, str]]:
    """Names and data; ``done`` has every field that no other event has."""
    if body.banner is not None:
        yield "banner", _json({"text": body.banner})
    for sentence in body.sentences:
        yield "sentence", _json({"text": sentence})
    if body.resources:
        yield "resources", _json([resource.model_dump() for resource in body.resources])
    yield "control", body.control.model_dump_json()
    yield "done", body.model_dump_json(exclude=_ELSEWHERE)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
