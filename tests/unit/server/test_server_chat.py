"""`POST /chat` as JSON: the turn, its limits, and what is said where there is none."""

from __future__ import annotations

import asyncio
import io
import json
from dataclasses import replace

import httpx
import pytest
from chat_app import (
    DANGER,
    OPENER,
    STREAM,
    BrokenStore,
    GatedStore,
    SlowModel,
    Told,
    chat_app,
    say,
)
from fastapi import FastAPI
from server_app import client_of, logging_to, post

from handrail.engine import Engine
from handrail.flows.reframe.phases import Phase
from handrail.wire import ChatBody


async def test_a28_a29_a_session_begins_with_its_first_message(client: httpx.AsyncClient) -> None:
    body = await say(client, "chat-a29", "I'm anxious")
    assert body["phase"] in {"warmup", "clarify"}
    assert body["ui_text"]
    assert body["session_id"] == "chat-a29"


async def test_a16_the_body_has_every_field_of_the_contract_and_no_other(
    client: httpx.AsyncClient,
) -> None:
    body = await say(client, "chat-a16", OPENER)
    assert list(body) == list(ChatBody.model_fields)
    assert body["phase"] in {phase.value for phase in Phase}
    assert "".join(body["sentences"]) == body["ui_text"]


async def test_without_an_id_the_session_gets_one_that_nobody_can_guess(
    client: httpx.AsyncClient,
) -> None:
    replies = [await client.post("/chat", json={"message": OPENER}) for _ in range(2)]
    found = [reply.json()["session_id"] for reply in replies]
    assert [reply.headers["x-session-id"] for reply in replies] == found
    assert len(set(found)) == 2
    assert all(len(session_id) == 32 for session_id in found)


async def test_a63_a_message_id_sent_again_gives_the_same_bytes(client: httpx.AsyncClient) -> None:
    asked = {"session_id": "chat-again", "message_id": "m-1", "message": OPENER}
    first, again = [await client.post("/chat", json=asked) for _ in range(2)]
    assert first.content == again.content
    assert first.headers["x-trace-id"] != again.headers["x-trace-id"]
    assert (await say(client, "chat-again", "everyone will judge me"))["turn"] == 2


async def test_without_a_message_id_a_message_sent_twice_is_two_turns(
    client: httpx.AsyncClient,
) -> None:
    turns = [(await say(client, "chat-twice", OPENER))["turn"] for _ in range(2)]
    assert turns == [1, 2]


async def test_a_message_id_of_another_message_is_a_mistake(client: httpx.AsyncClient) -> None:
    await say(client, "chat-mixed", OPENER, message_id="m-1")
    asked = {"session_id": "chat-mixed", "message_id": "m-1", "message": "another one"}
    body = await post(client, "/chat", 422, **asked)
    assert body["code"] == "invalid-input"


async def test_a50_a_person_may_ask_for_less_and_for_a_language(client: httpx.AsyncClient) -> None:
    body = await say(client, "chat-less", "hola", language="es", max_turns=8, followups=1)
    assert body["state"]["user_language"] == "es"
    assert (body["state"]["max_turns"], body["followups_left"]) == (8, 1)
    more = await say(client, "chat-more", "hi", max_turns=40, followups=10)
    assert (more["state"]["max_turns"], more["followups_left"]) == (14, 3)


async def test_a33_danger_is_answered_with_people_and_never_ends_the_session_silently(
    client: httpx.AsyncClient,
) -> None:
    await say(client, "chat-danger", OPENER)
    body = await say(client, "chat-danger", DANGER, country="IE")
    assert (body["outcome"], body["phase"], body["writer"]) == ("safety", "summary", "protocol")
    assert body["resources"]
    later = await say(client, "chat-danger", "what now?")
    assert later["outcome"] == "safety"


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"message": 1},
        {"message": "x", "unknown": 1},
        {"message": "x", "session_id": "a b"},
        {"message": "x", "session_id": "a" * 65},
        {"message": "x", "message_id": ""},
        {"message": "x", "language": "fr"},
        {"message": "x", "max_turns": 5},
        {"message": "x", "followups": 11},
        {"message": "x", "country": "ie"},
        {"message": "a\x00b"},
    ],
    ids=str,
)
async def test_what_cannot_be_meant_is_refused_with_people_to_turn_to(
    client: httpx.AsyncClient, asked: dict[str, object]
) -> None:
    body = await post(client, "/chat", 422, **asked)
    assert body["code"] == "invalid-input"
    assert body["resources"]


async def test_a_long_message_is_refused_unless_there_is_danger_in_it(engine: Engine) -> None:
    async with client_of(chat_app(engine, max_query_chars=200)) as client:
        refused = await post(client, "/chat", 422, message="a long day " * 40)
        assert "200 characters" in refused["detail"]
        body = await post(client, "/chat", 200, message="a long day " * 40 + DANGER)
    assert body["outcome"] == "safety"


async def test_a_store_that_fails_is_told_of_with_people_to_turn_to(engine: Engine) -> None:
    app = chat_app(engine, sessions={"store": BrokenStore()})
    async with client_of(app) as client:
        reply = await client.post("/chat", json={"message": OPENER})
    assert (reply.status_code, reply.json()["code"]) == (503, "store-failed")
    assert reply.json()["resources"]
    assert reply.headers["retry-after"].isdecimal()


async def test_a63_a_session_that_is_busy_too_long_is_a_conflict(engine: Engine) -> None:
    model = SlowModel()
    settings = engine.settings.model_copy(
        update={"sessions": engine.settings.sessions.model_copy(update={"wait_seconds": 0.05})}
    )
    app = chat_app(replace(engine, settings=settings), sessions={"model": model})
    async with client_of(app) as client:
        first = asyncio.create_task(say(client, "chat-busy", OPENER))
        await model.asked.wait()
        reply = await client.post("/chat", json={"session_id": "chat-busy", "message": "and?"})
        assert (reply.status_code, reply.json()["code"]) == (409, "session-busy")
        assert reply.headers["retry-after"].isdecimal()
        assert reply.json()["resources"]
        other = asyncio.create_task(say(client, "chat-idle", OPENER))
        model.go.set()
        assert {(await first)["turn"], (await other)["turn"]} == {1}


async def test_messages_of_one_session_are_answered_one_after_the_other(
    client: httpx.AsyncClient,
) -> None:
    bodies = await asyncio.gather(
        *(say(client, "chat-rush", OPENER, message_id=f"m-{at}") for at in range(6))
    )
    numbers = [body["receipt"]["session"]["number"] for body in bodies]
    assert sorted(numbers) == [1, 2, 3, 4, 5, 6]


async def test_a_caller_that_leaves_loses_no_turn_and_nobody_in_danger(engine: Engine) -> None:
    hook, store = Told(), GatedStore(engine.sessions.store)
    app = chat_app(replace(engine, handoff=hook), sessions={"store": store})
    asked = {"session_id": "chat-left", "message_id": "m-1", "message": DANGER}
    async with client_of(app) as client:
        left = asyncio.create_task(client.post("/chat", json=asked))
        await asyncio.to_thread(store.entered.wait)
        left.cancel()
        await asyncio.wait({left})
        assert hook.referrals == []
        store.go.set()
        reply = await client.post("/chat", json=asked)
    body = reply.json()
    assert (body["turn"], body["outcome"]) == (1, "safety")
    assert body["receipt"]["session"]["number"] == 1
    assert len(hook.referrals) == 1


async def test_too_many_turns_at_once_are_turned_away(engine: Engine) -> None:
    app = chat_app(engine)
    app.state.service.turns._most = 0
    async with client_of(app) as client:
        reply = await client.post("/chat", json={"message": OPENER})
    assert (reply.status_code, reply.json()["code"]) == (503, "busy")
    assert reply.json()["resources"]


async def test_turns_are_counted_by_outcome_and_crises_with_those_of_the_coach(
    app: FastAPI, client: httpx.AsyncClient
) -> None:
    await say(client, "chat-counted", OPENER)
    await say(client, "chat-counted", DANGER)
    body = (await client.get("/metrics")).json()
    assert body["reframe"]["turns"] == 2
    assert body["reframe"]["outcomes"] == {"answer": 1, "safetyresponse": 1}
    assert body["reframe"]["p95_ms"] > 0
    assert (body["crisis"], body["coach_requests"]) == (1, 0)
    text = (await client.get("/metrics", headers={"Accept": "text/plain"})).text
    assert 'handrail_runs_total{flow="reframe",outcome="answer"} 1' in text
    assert 'handrail_run_milliseconds_count{flow="reframe"} 2' in text


CANARY = "canarychatted"


async def test_a63_no_word_of_a_person_is_in_logs_metrics_problems_or_the_stored_bytes(
    engine: Engine, log: io.StringIO, capfd: pytest.CaptureFixture[str]
) -> None:
    app = chat_app(logging_to(log, engine))
    async with client_of(app) as client:
        said = [
            f"I'm anxious about {CANARY}",
            f"everyone will laugh at {CANARY}",
            f"{CANARY} makes me feel fear and shame",
            "About 8",
            f"I want to hurt myself because of {CANARY}",
        ]
        bodies = [await say(client, "chat-canary", message) for message in said]
        assert CANARY in json.dumps(bodies)  # the person's own words come back to the person
        streamed = await client.post(
            "/chat", json={"session_id": "chat-canary", "message": CANARY}, headers=STREAM
        )
        problems = [
            await client.post("/chat", json={"message": CANARY, CANARY: CANARY}),
            await client.post("/chat", json={"message": CANARY * 1_000}),
            await client.post("/chat", json={"message": CANARY, "session_id": f"{CANARY}!"}),
            await client.get(f"/sessions/{CANARY}!"),
            await client.get(f"/sessions/{CANARY}"),
            await client.delete(f"/sessions/{CANARY}"),
            await client.patch(f"/sessions/{CANARY}", json={"by": CANARY}),
        ]
        metrics = [
            (await client.get("/metrics", headers={"Accept": kind})).text
            for kind in ("application/json", "text/plain")
        ]
    assert [p.status_code for p in problems] == [422, 422, 422, 422, 404, 404, 403]
    free = [problem.text for problem in problems]
    receipts = [json.dumps(body["receipt"]) for body in bodies]
    headers = [json.dumps(dict(streamed.headers))]
    printed = capfd.readouterr()
    for text in (*free, *receipts, *metrics, *headers, log.getvalue(), printed.out, printed.err):
        assert CANARY not in text
    stored = [path for path in (engine.settings.home / "sessions").rglob("*") if path.is_file()]
    assert any(path.suffix == ".sqlite3" for path in stored)
    assert [path.name for path in stored if CANARY.encode() in path.read_bytes()] == []
