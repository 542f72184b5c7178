"""Turns away whom the doors do not admit and what is too much, before a route runs."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from http import HTTPStatus

from fastapi.responses import JSONResponse
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from handrail.server.doors import Doors
from handrail.server.problems import BUSY, problem

BODY_SECONDS = 10.0  # a body of 64 kB that takes longer comes from a stalled or hostile client
OPEN_PATH = "/health"


class _Refused(Exception):
    """The request ends here, with this response."""

    def __init__(self, response: JSONResponse) -> None:
        self.response = response


class _Gone(Exception):
    """The client went away before it had sent its body."""


@dataclass(slots=True)
class Guard:
    """Doors, sizes, time and load.

    A body is read whole before its route runs, so that its size holds with or without a
    Content-Length, and the route's work is cancelled when the client goes away.
    """

    app: ASGIApp
    doors: Doors
    max_body_bytes: int
    max_in_flight: int
    body_seconds: float = BODY_SECONDS
    _in_flight: int = field(default=0, init=False)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or answer it here."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        try:
            body = await self._admitted(scope, receive)
        except _Refused as refused:
            await refused.response(scope, receive, send)
            return
        except _Gone:
            return
        self._in_flight += 1
        try:
            await _while_connected(self.app, scope, body, receive, send)
        finally:
            self._in_flight -= 1

    async def _admitted(self, scope: Scope, receive: Receive) -> bytes:
        """The body of a request that may go on."""
        headers = Headers(scope=scope)
        if not self.doors.knows_host(headers):
            raise _Refused(_wrong_host(scope))
        if scope["path"] != OPEN_PATH and not self.doors.admits(headers):
            raise _Refused(_no_key(scope))
        if scope["path"] != OPEN_PATH and self._in_flight >= self.max_in_flight:
            raise _Refused(_busy(scope))
        body = await self._body(scope, receive, headers)
        if body and not _is_json(headers):
            raise _Refused(_not_json(scope))
        return body

    async def _body(self, scope: Scope, receive: Receive, headers: Headers) -> bytes:
        declared = headers.get("content-length", "0")
        if declared.isdecimal() and int(declared[:20]) > self.max_body_bytes:
            raise _Refused(self._too_large(scope))
        found = bytearray()
        try:
            async with asyncio.timeout(self.body_seconds):
                async for part in _parts(receive):
                    found += part
                    if len(found) > self.max_body_bytes:
                        raise _Refused(self._too_large(scope))
        except TimeoutError:
            raise _Refused(_late(scope)) from None
        return bytes(found)

    def _too_large(self, scope: Scope) -> JSONResponse:
        detail = f"Send at most {self.max_body_bytes} bytes (HANDRAIL_SERVER__MAX_BODY_BYTES)"
        return problem(scope, HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "body-too-large", detail)


async def _parts(receive: Receive) -> AsyncIterator[bytes]:
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise _Gone
        yield message.get("body", b"")
        if not message.get("more_body", False):
            return


async def _while_connected(
    app: ASGIApp, scope: Scope, body: bytes, receive: Receive, send: Send
) -> None:
    """Run ``app`` over a body that was read already; cancel it when the client goes away."""
    gone = asyncio.create_task(_disconnect(receive))
    unread, ended = [body], False

    async def replay() -> Message:
        if unread:
            return {"type": "http.request", "body": unread.pop(), "more_body": False}
        await asyncio.shield(gone)
        return {"type": "http.disconnect"}

    async def watched(message: Message) -> None:
        nonlocal ended
        await send(message)
        ended = message["type"] == "http.response.body" and not message.get("more_body", False)

    serving = asyncio.ensure_future(app(scope, replay, watched))
    try:
        await asyncio.wait({serving, gone}, return_when=asyncio.FIRST_COMPLETED)
        if not ended:
            serving.cancel()
        await asyncio.wait({serving})
    finally:
        serving.cancel()
        gone.cancel()
    if not serving.cancelled():
        serving.result()  # raises what the route raised


async def _disconnect(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        continue


def _is_json(headers: Headers) -> bool:
    media_type = headers.get("content-type", "").partition(";")[0].strip().lower()
    return media_type == "application/json"


def _wrong_host(scope: Scope) -> JSONResponse:
    detail = "Without keys only localhost is answered. Set HANDRAIL_SERVER__API_KEYS for more"
    return problem(scope, HTTPStatus.MISDIRECTED_REQUEST, "unknown-host", detail)


def _no_key(scope: Scope) -> JSONResponse:
    detail = "Send a key as Authorization: Bearer KEY or as X-API-Key: KEY"
    headers = {"WWW-Authenticate": "Bearer"}
    return problem(scope, HTTPStatus.UNAUTHORIZED, "no-valid-key", detail, headers=headers)


def _busy(scope: Scope) -> JSONResponse:
    return problem(scope, HTTPStatus.SERVICE_UNAVAILABLE, "busy", BUSY)


def _late(scope: Scope) -> JSONResponse:
    detail = "The body did not arrive in time. Send it again"
    return problem(scope, HTTPStatus.REQUEST_TIMEOUT, "body-too-slow", detail)


def _not_json(scope: Scope) -> JSONResponse:
    detail = "Send JSON, with Content-Type: application/json"
    return problem(scope, HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "not-json", detail)
