"""Drive an ASGI app by hand: what HTTP clients do not send, such as chunks without a length."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from starlette.types import ASGIApp, Message


@dataclass
class Reply:
    """What came back; ``status`` 0 when nothing did."""

    status: int = 0
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""

    def json(self) -> Any:
        return json.loads(self.body)


async def send(
    app: ASGIApp,
    *,
    path: str = "/thing",
    method: str = "POST",
    headers: Sequence[tuple[str, str]] = (),
    parts: Sequence[bytes] = (b"",),
    then: Message | None = None,
) -> Reply:
    """One request in ``parts``; after them ``then``, or silence until the reply is complete."""
    waiting = [
        {"type": "http.request", "body": part, "more_body": at < len(parts) - 1}
        for at, part in enumerate(parts)
    ]
    reply, complete = Reply(), asyncio.Event()
    lowered = [(name.lower().encode(), value.encode("latin-1")) for name, value in headers]
    if not any(name == b"host" for name, _ in lowered):
        lowered.append((b"host", b"127.0.0.1:8000"))

    async def receive() -> Message:
        if waiting:
            return waiting.pop(0)
        if then is None:
            await complete.wait()
            return {"type": "http.disconnect"}
        return then

    async def take(message: Message) -> None:
        if message["type"] == "http.response.start":
            reply.status = message["status"]
            reply.headers = {k.decode(): v.decode() for k, v in message["headers"]}
        else:
            reply.body += message.get("body", b"")
            if not message.get("more_body", False):
                complete.set()

    scope = {
        "type": "http",
        "method": method,
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "headers": lowered,
        "scheme": "http",
        "root_path": "",
    }
    await app(scope, receive, take)
    return reply
