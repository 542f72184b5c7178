"""`POST /chat` as events, and how a stream that broke is taken up."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import httpx
import pytest
from chat_app import DANGER, EXCHANGE, OPENER, STREAM, BrokenStore, SlowModel, chat_app, say
from server_app import client_of
from sse import body_of, events, frames
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from handrail.engine import Engine
from handrail.errors import ContentInvalid

ORDER = ["banner", "sentence", "resources", "control", "done"]


async def streamed(
    client: httpx.AsyncClient, asked: dict[str, object], last_id: str | None = None
) -> httpx.Response:
    headers = STREAM if last_id is None else {**STREAM, "Last-Event-ID": last_id}
    return await client.post("/chat", json=asked, headers=headers)


def asked_of(session_id: str, at: int, message: str) -> dict[str, object]:
    return {"session_id": session_id, "message_id": f"m-{at}", "message": message}


def after_comments(count: int, app: ASGIApp, then: Callable[[], None]) -> ASGIApp:
    """The app, which calls ``then`` once it has sent so many comments."""
    left = count

    async def watched(scope: Scope, receive: Receive, send: Send) -> None:
        async def counted(message: Message) -> None:
            nonlocal left
            left -= message.get("body", b"").startswith(b":")
            if left == 0:
                then()
            await send(message)

        await app(scope, receive, counted)

    return watched


async def test_a28_events_come_in_order_and_join_to_the_body(client: httpx.AsyncClient) -> None:
    seen = set()
    for at, message in enumerate(EXCHANGE):
        asked = asked_of("stream-order", at, message)
        reply = await streamed(client, asked)
        found = list(events(reply.content))
        names = [event.name for event in found]
        seen.update(names)
        assert names == sorted(names, key=ORDER.index)
        assert [event.last_id for event in found] == [
            f"{at + 1}.{n}" for n in range(1, len(found) + 1)
        ]
        whole = (await client.post("/chat", json=asked)).json()
        assert body_of(found) == whole
    assert seen == set(ORDER)


async def test_a_stream_passes_proxies(client: httpx.AsyncClient) -> None:
    reply = await streamed(client, asked_of("stream-proxy", 1, OPENER))
    assert reply.headers["content-type"].startswith("text/event-stream")
    assert "no-cache" in reply.headers["cache-control"]
    assert reply.headers["x-accel-buffering"] == "no"
    assert reply.headers["x-session-id"] == "stream-proxy"
    assert "Accept" in reply.headers["vary"]
    assert reply.content.count(b"retry: ") == 1


async def test_a_stream_cut_after_any_event_goes_on_byte_for_byte(
    client: httpx.AsyncClient,
) -> None:
    for at, message in enumerate(EXCHANGE):
        asked = asked_of("stream-cut", at, message)
        whole = (await streamed(client, asked)).content
        parts, found = frames(whole), list(events(whole))
        for come in range(len(parts)):
            last_id = found[come - 1].last_id if come else ""
            rest = await streamed(client, asked, last_id)
            again = await client.get(
                "/sessions/stream-cut/events", headers={"Last-Event-ID": last_id}
            )
            before = b"".join(parts[:come])
            assert before + rest.content == whole
            assert before + again.content == whole


async def test_where_nothing_is_left_a_browser_is_told_to_ask_no_more(
    client: httpx.AsyncClient,
) -> None:
    asked = asked_of("stream-end", 1, OPENER)
    last = list(events((await streamed(client, asked)).content))[-1].last_id
    assert (await streamed(client, asked, last)).status_code == 204
    reply = await client.get("/sessions/stream-end/events", headers={"Last-Event-ID": last})
    assert (reply.status_code, reply.content) == (204, b"")


@pytest.mark.parametrize(
    "last_id", ["", "x", "1", "1.", ".1", "1.999", "9.1", "-1.1", "1.1.1", "١.١", "9" * 40]
)
async def test_an_id_that_is_none_of_this_turn_gets_all_of_it(
    client: httpx.AsyncClient, last_id: str
) -> None:
    asked = asked_of("stream-odd", 1, OPENER)
    whole = (await streamed(client, asked)).content
    headers = [("Accept", "text/event-stream"), ("Last-Event-ID", last_id.encode())]
    reply = await client.post("/chat", json=asked, headers=headers)
    assert reply.content == whole


async def test_the_id_of_an_earlier_turn_gets_all_of_the_last(client: httpx.AsyncClient) -> None:
    await say(client, "stream-late", OPENER)
    asked = asked_of("stream-late", 2, "everyone will judge me")
    whole = (await streamed(client, asked)).content
    assert (await streamed(client, asked, "1.2")).content == whole


async def test_silence_is_filled_with_comments_until_the_turn_is_there(engine: Engine) -> None:
    model = SlowModel()
    app = chat_app(engine, sessions={"model": model}, heartbeat_seconds=0.01)
    asked = asked_of("stream-slow", 1, OPENER)
    async with client_of(after_comments(2, app, model.go.set)) as client:
        content = (await streamed(client, asked)).content
        again = (await streamed(client, asked)).content
    assert len([frame for frame in frames(content) if frame.startswith(b":")]) >= 2
    assert [event.raw for event in events(content)] == [event.raw for event in events(again)]


async def test_a_problem_before_the_first_event_keeps_its_status(engine: Engine) -> None:
    app = chat_app(engine, sessions={"store": BrokenStore()})
    async with client_of(app) as client:
        reply = await streamed(client, {"message": OPENER})
    assert (reply.status_code, reply.json()["code"]) == (503, "store-failed")


async def test_a_problem_after_a_comment_comes_as_an_event(engine: Engine) -> None:
    model = SlowModel()
    app = chat_app(
        engine, sessions={"store": BrokenStore(), "model": model}, heartbeat_seconds=0.01
    )
    async with client_of(after_comments(1, app, model.go.set)) as client:
        content = (await streamed(client, asked_of("stream-fault", 1, OPENER))).content
    (event,) = events(content)
    assert (event.name, event.last_id) == ("problem", "")
    assert event.json["code"] == "store-failed"
    assert event.json["resources"]


class BrokenReader:
    """A reader whose content cannot be read any more."""

    def __getattr__(self, name: str) -> object:
        raise ContentInvalid("reading.en.yaml: gone")


async def test_a_turn_that_was_not_stored_carries_no_ids(engine: Engine) -> None:
    broken = replace(engine.sessions.orchestrator, reader=BrokenReader())
    app = chat_app(engine, sessions={"orchestrator": broken})
    asked = asked_of("stream-unstored", 1, OPENER)
    async with client_of(app) as client:
        found = list(events((await streamed(client, asked, "1.1")).content))
    assert {event.last_id for event in found} == {""}
    body = body_of(found)
    assert (body["outcome"], body["reason"]) == ("abstention", "part-failed")
    assert body["resources"]
    async with client_of(chat_app(engine)) as client:  # mended: the same message makes its turn
        assert (await client.post("/chat", json=asked)).json()["turn"] == 1


async def test_danger_streams_people_before_the_stream_ends(client: httpx.AsyncClient) -> None:
    reply = await streamed(client, asked_of("stream-danger", 1, DANGER))
    found = list(events(reply.content))
    assert "resources" in [event.name for event in found]
    assert body_of(found)["outcome"] == "safety"
