"""Sizes, time and load, before any route runs."""

from __future__ import annotations

import asyncio

import pytest
from asgi import Reply, send
from pydantic import SecretStr
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from handrail.server.doors import Doors
from handrail.server.limits import Guard
from handrail.settings import ServerSettings

LIMIT = 64
JSON = ("Content-Type", "application/json")


async def echo(scope: Scope, receive: Receive, send: Send) -> None:
    """Answers with the length of what arrived."""
    message = await receive()
    await JSONResponse(len(message["body"]))(scope, receive, send)


def guard(app: ASGIApp = echo, *, keys: tuple[str, ...] = (), in_flight: int = 8) -> Guard:
    settings = ServerSettings(api_keys=tuple(map(SecretStr, keys)))
    doors = Doors.of(settings, host="127.0.0.1")
    return Guard(app, doors, LIMIT, in_flight, body_seconds=0.2)


def problem_code(reply: Reply) -> str:
    assert reply.headers["content-type"] == "application/problem+json"
    code: str = reply.json()["code"]
    return code


async def test_a_body_of_the_limit_passes_and_arrives_whole() -> None:
    reply = await send(guard(), headers=[JSON], parts=[b"x" * 40, b"y" * 24])
    assert (reply.status, reply.json()) == (200, LIMIT)


@pytest.mark.parametrize("length", [LIMIT + 1, 10**7, 10**30])
async def test_a_declared_length_beyond_the_limit_is_refused_unread(length: int) -> None:
    reply = await send(guard(), headers=[JSON, ("Content-Length", str(length))])
    assert (reply.status, problem_code(reply)) == (413, "body-too-large")


async def test_chunks_beyond_the_limit_are_refused_without_a_length() -> None:
    reply = await send(guard(), headers=[JSON], parts=[b"x" * 32] * 3)
    assert (reply.status, problem_code(reply)) == (413, "body-too-large")


@pytest.mark.parametrize("length", ["-1", "abc", "1e9", ""])
async def test_a_nonsensical_length_changes_nothing(length: str) -> None:
    reply = await send(guard(), headers=[JSON, ("Content-Length", length)], parts=[b"x"])
    assert reply.json() == 1


async def test_a_body_that_stalls_is_given_up() -> None:
    async def stalled(scope: Scope, receive: Receive, send: Send) -> None:
        async def never() -> None:
            await asyncio.sleep(3600)

        await guard()(scope, never, send)  # type: ignore[arg-type]

    reply = await send(stalled, headers=[JSON])
    assert (reply.status, problem_code(reply)) == (408, "body-too-slow")


@pytest.mark.parametrize(
    "media_type", ["text/plain", "", "application/x-www-form-urlencoded", "application/jsonx"]
)
async def test_a_form_that_a_web_page_may_post_anywhere_is_refused(media_type: str) -> None:
    reply = await send(guard(), headers=[("Content-Type", media_type)], parts=[b"{}"])
    assert (reply.status, problem_code(reply)) == (415, "not-json")


async def test_c71_a_request_for_another_name_is_refused() -> None:
    reply = await send(guard(), headers=[("Host", "evil.example")])
    assert (reply.status, problem_code(reply)) == (421, "unknown-host")


async def test_c71_keys_are_asked_of_every_path_but_health() -> None:
    closed = guard(keys=("a-key-of-at-least-16",))
    reply = await send(closed)
    assert (reply.status, problem_code(reply)) == (401, "no-valid-key")
    assert reply.headers["www-authenticate"] == "Bearer"
    assert (await send(closed, path="/health", method="GET")).status == 200
    assert (await send(closed, headers=[("X-API-Key", "a-key-of-at-least-16")])).status == 200


async def test_beyond_the_load_limit_a_request_is_told_to_come_back() -> None:
    going, may_end = asyncio.Event(), asyncio.Event()

    async def slow(scope: Scope, receive: Receive, send: Send) -> None:
        going.set()
        await may_end.wait()
        await echo(scope, receive, send)

    busy = guard(slow, in_flight=1)
    first = asyncio.create_task(send(busy))
    await going.wait()
    second = await send(busy)
    may_end.set()
    assert (second.status, problem_code(second)) == (503, "busy")
    assert second.headers["retry-after"].isdecimal()
    assert (await first).status == 200
    assert (await send(busy)).status == 200


async def test_work_ends_when_the_client_goes_away() -> None:
    ended = asyncio.Event()

    async def slow(scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await asyncio.sleep(3600)
        finally:
            ended.set()

    async with asyncio.timeout(10):
        reply = await send(guard(slow), then={"type": "http.disconnect"})
    assert ended.is_set()
    assert reply.status == 0


async def test_a_client_that_leaves_before_its_body_costs_nothing() -> None:
    async def never(scope: Scope, receive: Receive, send: Send) -> None:
        raise AssertionError

    whole = guard(never)

    async def leaving(scope: Scope, receive: Receive, send: Send) -> None:
        async def gone() -> dict[str, str]:
            return {"type": "http.disconnect"}

        await whole(scope, gone, send)

    assert (await send(leaving)).status == 0


async def test_what_a_route_raises_is_passed_on() -> None:
    async def broken(scope: Scope, receive: Receive, send: Send) -> None:
        raise KeyError

    with pytest.raises(KeyError):
        await send(guard(broken))
