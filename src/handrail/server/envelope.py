"""Outermost: what every request gets and every reply carries, and the end of every exception."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePath

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from handrail.domain.trace import Run, Trace
from handrail.server.problems import TRACE_ID, of_error

CLIENT_GONE = 499  # nobody reads this status; it is for the counts
UNMATCHED = "unmatched"
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
}


@dataclass(frozen=True, slots=True)
class Envelope:
    """A trace id and one count for every request, headers for every reply.

    An exception's message and traceback may hold what a person wrote, so neither gets as far as
    the web server's own log: observers learn the type and the place.
    """

    app: ASGIApp
    new_id: Callable[[], str]
    requested: Callable[[str, int], None]
    observe: Callable[[Run], None]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        scope[TRACE_ID] = self.new_id()
        status = CLIENT_GONE

        async def sealed(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                _stamp(MutableHeaders(scope=message), scope)
            await send(message)

        try:
            await self.app(scope, receive, sealed)
        except Exception as error:  # noqa: BLE001  see above
            self.observe(_defect(scope, error))
            if status == CLIENT_GONE:
                await of_error(scope, error)(scope, receive, sealed)
        finally:
            self.requested(_endpoint(scope), status)


def _stamp(headers: MutableHeaders, scope: Scope) -> None:
    for name, value in HEADERS.items():
        headers.setdefault(name, value)
    headers["X-Trace-Id"] = scope[TRACE_ID]


def _endpoint(scope: Scope) -> str:
    """Method and route; addresses that fit no route are counted under one name."""
    path = getattr(scope.get("route"), "path", None)
    return f"{scope['method']} {path}" if path else UNMATCHED


def _defect(scope: Scope, error: Exception) -> Run:
    last = traceback.extract_tb(error.__traceback__)[-1]
    place = f"{PurePath(last.filename).name}:{last.lineno}"
    return Run(
        flow="http",
        outcome="error",
        reason=f"{type(error).__name__} at {place}",
        trace=Trace(scope[TRACE_ID]),
    )
