"""The routes of the reframing session: a turn as JSON or as a stream, and the session itself."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from http import HTTPStatus
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import APIRouter, Depends, Header, Request, Response
from fastapi.sse import KEEPALIVE_COMMENT, EventSourceResponse, format_sse_event

from handrail.errors import HandrailError, NotFound
from handrail.server import stream
from handrail.server.bodies import ChatAsked, LimitsAsked
from handrail.server.problems import of_error
from handrail.server.service import Service
from handrail.server.using import PROBLEMS, Traced, Using, require_admin
from handrail.wire import ChatBody, SessionBody, chat_body, session_body

if TYPE_CHECKING:
    from handrail.flows.reframe import Told

router = APIRouter()

SESSION_HEADER = "X-Session-Id"

LastEventId = Annotated[
    str | None, Header(description="Id of the last event that came; the rest of its turn follows.")
]

_STREAM: dict[str, Any] = {
    "schema": {"type": "string"},
    "example": 'event: sentence\ndata: {"text":"…"}\nid: 1.1\nretry: 2000\n\n',
}
_NOTHING_LEFT: dict[str, Any] = {"description": "Every event of the turn has come."}
_TURN: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The turn: JSON, or events where `text/event-stream` is accepted.",
        "content": {"text/event-stream": _STREAM},
        "headers": {
            SESSION_HEADER: {"description": "Id of the session.", "schema": {"type": "string"}}
        },
    },
    204: _NOTHING_LEFT,
    **PROBLEMS,
}
_EVENTS: dict[int | str, dict[str, Any]] = {
    200: {"description": "Events of the last turn.", "content": {"text/event-stream": _STREAM}},
    204: _NOTHING_LEFT,
    **PROBLEMS,
}


@router.post("/chat", response_model=ChatBody, responses=_TURN)
async def chat(
    asked: ChatAsked,
    request: Request,
    service: Using,
    tracer: Traced,
    accept: Annotated[str, Header(include_in_schema=False)] = "",
    last_event_id: LastEventId = None,
) -> Response:
    """The next turn of a reframing session (A28); a ``message_id`` sent again gives it again.

    A turn that began goes on to its end when the caller leaves; the same ``message_id`` fetches it,
    and with ``Last-Event-ID`` the events that are missing.
    """
    await service.require_readable(asked.message)
    session_id = asked.session_id or service.engine.new_id()
    turn = service.turns.begin(session_id, lambda: _told(service, session_id, asked, tracer))
    headers = {SESSION_HEADER: session_id, "Vary": "Accept"}
    if EventSourceResponse.media_type not in accept:
        told = await asyncio.shield(turn)
        return _json(chat_body(told.record), headers)
    heartbeat = service.engine.settings.server.heartbeat_seconds
    done, _ = await asyncio.wait({turn}, timeout=heartbeat)
    if done:
        return _streamed(_left(turn.result(), last_event_id), headers)
    late = _late(request, turn, last_event_id, heartbeat)
    return EventSourceResponse(late, headers={**stream.HEADERS, **headers})


async def _told(service: Service, session_id: str, asked: ChatAsked, tracer: Traced) -> Told:
    from handrail.flows.reframe import Opening  # the flow is loaded when somebody asks for it

    opening = Opening(
        language=asked.language,
        country=asked.country,
        max_turns=asked.max_turns,
        followups=asked.followups,
        minor=asked.minor,
    )
    return await service.engine.chat(
        session_id,
        asked.message,
        message_id=asked.message_id or "",
        opening=opening,
        trace_id=tracer.trace_id,
        offload=service.chatted,
    )


def _left(told: Told, last_event_id: str | None) -> Sequence[bytes]:
    """The events that are still to come; a turn that was not stored is sent whole."""
    body = chat_body(told.record)
    if _stored(told):
        return stream.remaining(body, last_event_id)
    return stream.events_of(body, stored=False)


def _stored(told: Told) -> bool:
    """Whether the turn stands; a fault leaves the session as it was."""
    number = told.record["receipt"]["session"]["number"]
    return told.result is None or told.result.state.messages == number


def _json(body: ChatBody | SessionBody, headers: dict[str, str] | None = None) -> Response:
    return Response(body.model_dump_json(), headers=headers, media_type="application/json")


def _streamed(events: Sequence[bytes], headers: dict[str, str] | None = None) -> Response:
    """The events; 204, after which a browser asks no more, where none is left."""
    headers = {**stream.HEADERS, **(headers or {})}
    if not events:
        return Response(status_code=HTTPStatus.NO_CONTENT, headers=headers)
    return EventSourceResponse(_sent(events), headers=headers)


async def _sent(events: Sequence[bytes]) -> AsyncIterator[bytes]:
    for event in events:
        yield event


async def _late(
    request: Request, turn: asyncio.Task[Told], last_event_id: str | None, heartbeat: float
) -> AsyncIterator[bytes]:
    """Comments until the turn is there, then its events; the status has gone out, so a problem
    comes as an event of that name."""
    while not turn.done():
        yield KEEPALIVE_COMMENT
        await asyncio.wait({turn}, timeout=heartbeat)
    try:
        events = _left(turn.result(), last_event_id)
    except Exception as error:
        problem = bytes(of_error(request.scope, error).body).decode()
        yield format_sse_event(event="problem", data_str=problem)
        if not isinstance(error, HandrailError):
            raise
        return
    for event in events:
        yield event


@router.get("/sessions/{session_id}", responses=PROBLEMS)
async def session(session_id: str, service: Using) -> SessionBody:
    """Where a session stands, and its last turn."""
    return await _shown(service, session_id)


@router.get("/sessions/{session_id}/events", responses=_EVENTS, response_class=Response)
async def session_events(
    session_id: str, service: Using, last_event_id: LastEventId = None
) -> Response:
    """The last turn as events again, from ``Last-Event-ID`` on: what a browser asks by itself."""
    body = (await _shown(service, session_id)).last
    return _streamed(stream.remaining(body, last_event_id) if body else ())


@router.patch("/sessions/{session_id}", responses=PROBLEMS, dependencies=[Depends(require_admin)])
async def session_limits(session_id: str, asked: LimitsAsked, service: Using) -> SessionBody:
    """Set the limits of a session under way, with an admin key (A50)."""

    async def override() -> dict[str, Any]:
        return await service.chatted(
            lambda: service.engine.sessions.override(
                session_id, by=asked.by, max_turns=asked.max_turns, followups=asked.followups
            )
        )

    return session_body(await service.turns.alone(session_id, override))


@router.delete("/sessions/{session_id}", status_code=HTTPStatus.NO_CONTENT, responses=PROBLEMS)
async def session_delete(session_id: str, service: Using) -> None:
    """Forget a session and all that was said in it."""

    async def delete() -> bool:
        return await service.chatted(lambda: service.engine.sessions.delete(session_id))

    if not await service.turns.alone(session_id, delete):
        raise NotFound("no such session: it ended, expired, or never was")


async def _shown(service: Service, session_id: str) -> SessionBody:
    return session_body(await service.chatted(lambda: service.engine.sessions.show(session_id)))
