"""Every error as RFC 9457 problem details, from one table; nothing that was sent comes back."""

from __future__ import annotations

from collections.abc import Sequence
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.types import Scope

from handrail.domain.outcome import Resource
from handrail.errors import (
    CollectionBusy,
    EntityConflict,
    HandrailError,
    IndexUnusable,
    InvalidInput,
    NotFound,
    ReceiptInvalid,
    SessionBusy,
    SessionConflict,
    SessionUnreadable,
    StoreFailed,
    TimedOut,
    UnreadableFile,
)
from handrail.server.bodies import FaultBody, ProblemBody
from handrail.wire import resource_body

MEDIA_TYPE = "application/problem+json"
TRACE_ID = "handrail.trace_id"
RETRY_SECONDS = 2
# Where somebody in distress may be the one who reads a problem.
HELPING = ("/coach", "/chat", "/guide", "/guide/retrieve")

# The first class that fits decides; whatever is not here is our fault and not the caller's.
STATUS: tuple[tuple[type[HandrailError], HTTPStatus], ...] = (
    (InvalidInput, HTTPStatus.UNPROCESSABLE_ENTITY),
    (UnreadableFile, HTTPStatus.UNPROCESSABLE_ENTITY),
    (ReceiptInvalid, HTTPStatus.UNPROCESSABLE_ENTITY),
    (NotFound, HTTPStatus.NOT_FOUND),
    (CollectionBusy, HTTPStatus.CONFLICT),
    (IndexUnusable, HTTPStatus.SERVICE_UNAVAILABLE),
    (TimedOut, HTTPStatus.SERVICE_UNAVAILABLE),
    (SessionBusy, HTTPStatus.CONFLICT),
    (SessionConflict, HTTPStatus.CONFLICT),
    (SessionUnreadable, HTTPStatus.CONFLICT),  # DELETE resolves it, as with any conflict
    (EntityConflict, HTTPStatus.CONFLICT),
    (StoreFailed, HTTPStatus.SERVICE_UNAVAILABLE),
    (HandrailError, HTTPStatus.INTERNAL_SERVER_ERROR),
)

BUSY = "Too many requests are waiting. Try again in a few seconds"
_HTTP = {
    HTTPStatus.BAD_REQUEST: ("malformed-body", "The body is not JSON. Send one JSON object"),
    HTTPStatus.NOT_FOUND: ("no-such-route", "Nothing lives here. See /openapi.json"),
    HTTPStatus.METHOD_NOT_ALLOWED: ("method-not-allowed", "Use one of the methods in Allow"),
    HTTPStatus.FORBIDDEN: (
        "no-admin-key",
        "Send one of HANDRAIL_SERVER__ADMIN_KEYS as X-API-Key; without such keys nobody may",
    ),
    HTTPStatus.SERVICE_UNAVAILABLE: ("busy", BUSY),
}


def problem(
    scope: Scope,
    status: HTTPStatus,
    code: str,
    detail: str,
    *,
    errors: list[FaultBody] | None = None,
    headers: dict[str, str] | None = None,
) -> JSONResponse:
    """A problem response; on a path of `HELPING` it names people to turn to (C67)."""
    body = ProblemBody(
        title=status.phrase,
        status=status,
        code=code,
        detail=detail,
        trace_id=scope.get(TRACE_ID, ""),
        errors=errors,
        resources=[resource_body(resource) for resource in _resources(scope)] or None,
    )
    if status is HTTPStatus.SERVICE_UNAVAILABLE:
        headers = {"Retry-After": str(RETRY_SECONDS), **(headers or {})}
    return JSONResponse(
        body.model_dump(mode="json", exclude_none=True),
        status_code=status,
        headers=headers,
        media_type=MEDIA_TYPE,
    )


def of_error(scope: Scope, error: Exception) -> JSONResponse:
    """The problem of an exception; only a deliberate error may speak for itself."""
    if not isinstance(error, HandrailError):
        detail = "This is a defect. Report it with the trace id; the message itself was not kept"
        return problem(scope, HTTPStatus.INTERNAL_SERVER_ERROR, "internal-error", detail)
    status = next(status for kind, status in STATUS if isinstance(error, kind))
    headers = {"Retry-After": str(RETRY_SECONDS)} if isinstance(error, SessionBusy) else None
    return problem(scope, status, error.code, str(error), headers=headers)


def _resources(scope: Scope) -> Sequence[Resource]:
    if scope["path"] not in HELPING or "app" not in scope:
        return ()
    found: Sequence[Resource] = scope["app"].state.service.resources()
    return found


async def _handrail_error(request: Request, error: Exception) -> JSONResponse:
    return of_error(request.scope, error)


async def _http_error(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    status = HTTPStatus(error.status_code)
    code, detail = _HTTP.get(status, (status.phrase.lower().replace(" ", "-"), status.description))
    return problem(request.scope, status, code, detail, headers=dict(error.headers or {}))


async def _invalid(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    errors = [_fault(item) for item in error.errors()]
    if any(fault.code == "json_invalid" for fault in errors):
        code, detail = _HTTP[HTTPStatus.BAD_REQUEST]
        return problem(request.scope, HTTPStatus.BAD_REQUEST, code, detail)
    detail = "; ".join(f"{fault.at}: {fault.message}" for fault in errors[:5])
    return problem(
        request.scope,
        HTTPStatus.UNPROCESSABLE_ENTITY,
        InvalidInput.code,
        f"{detail}. See /openapi.json",
        errors=errors,
    )


def _fault(item: dict[str, Any]) -> FaultBody:
    """Place, code and message; the last name of an unknown field is the caller's own text."""
    where = [str(part) for part in item["loc"]]
    if item["type"] == "extra_forbidden":
        where[-1] = "?"
    return FaultBody(at=".".join(where), code=item["type"], message=item["msg"])


def install(app: FastAPI) -> None:
    """Answer every error of ``app`` as a problem."""
    app.add_exception_handler(HandrailError, _handrail_error)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http_error)
