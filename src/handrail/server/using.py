"""What routes take: the service, a tracer under the request's id, and the shape of problems."""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated, Any

from fastapi import Depends, Request
from fastapi.exceptions import HTTPException

from handrail.domain.trace import Tracer
from handrail.server.bodies import ProblemBody
from handrail.server.doors import Doors
from handrail.server.problems import TRACE_ID
from handrail.server.service import Service

PROBLEMS: dict[int | str, dict[str, Any]] = {
    "default": {"model": ProblemBody, "description": "A problem (RFC 9457)"}
}


def _service(request: Request) -> Service:
    service: Service = request.app.state.service
    return service


def _tracer(request: Request) -> Tracer:
    return Tracer(request.scope[TRACE_ID])


def require_admin(request: Request) -> None:
    """Refuse a caller without an admin key, before what was sent is looked at."""
    doors: Doors = request.app.state.doors
    if not doors.admits_admin(request.headers):
        raise HTTPException(HTTPStatus.FORBIDDEN)


Using = Annotated[Service, Depends(_service)]
Traced = Annotated[Tracer, Depends(_tracer)]
