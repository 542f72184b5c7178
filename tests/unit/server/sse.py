"""Server-sent events read as a browser reads them, by the HTML standard."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Event:
    """One dispatched event; ``last_id`` is what a browser would send to go on behind it."""

    name: str
    data: str
    last_id: str
    raw: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.data)


def frames(stream: bytes) -> list[bytes]:
    """The bytes of each block, comments among them; joined they are the stream."""
    return [block + b"\n\n" for block in stream.split(b"\n\n") if block]


def events(stream: bytes) -> Iterator[Event]:
    """The events of a stream; blocks without data, such as comments, dispatch none."""
    last_id = ""
    for raw in frames(stream):
        fields: dict[str, list[str]] = {}
        for line in raw.decode().strip("\n").split("\n"):
            name, _, value = line.partition(":")
            fields.setdefault(name, []).append(value.removeprefix(" "))
        last_id = fields.get("id", [last_id])[-1]
        if "data" in fields:
            name = fields.get("event", ["message"])[-1]
            yield Event(name, "\n".join(fields["data"]), last_id, raw)


def body_of(found: list[Event]) -> dict[str, Any]:
    """The turn put together from its events, as a client does it."""
    by_name = {event.name: event for event in found}
    sentences = [event.json["text"] for event in found if event.name == "sentence"]
    return {
        **by_name["done"].json,
        "banner": by_name["banner"].json["text"] if "banner" in by_name else None,
        "sentences": sentences,
        "ui_text": "".join(sentences),
        "resources": by_name["resources"].json if "resources" in by_name else [],
        "control": by_name["control"].json,
    }
