"""A parent's message over HTTP: the reply with its final set, or that set alone, explained."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import httpx
import pytest
from guide_app import BrokenEntities, guide_app
from server_app import client_of, post

from guide_sample import DANGER, EDITOR, LATE, small_store
from handrail.domain.entity import ChatType
from handrail.engine import Engine
from handrail.wire.guide import GuideBody, RetrieveBody

FIRST = {"is_first_conversation": True}
SECONDS = 30


@pytest.fixture
async def client(guiding: Engine) -> AsyncIterator[httpx.AsyncClient]:
    """A client of an app that has a guide and no collection."""
    async with client_of(guide_app(guiding)) as client:
        yield client


async def test_h26_a_reply_has_its_entities_citations_people_and_receipt(
    client: httpx.AsyncClient, guiding: Engine
) -> None:
    reply = await client.post("/guide", json={"message": LATE, "user_state": FIRST})
    body = GuideBody.model_validate(reply.json())
    assert (reply.status_code, body.outcome) == (200, "answer")
    assert [one.entity_id for one in body.entities][:2] == [
        "handler_first_conversation",
        "late_pickups",
    ]
    assert body.citations
    assert body.resources
    assert body.trace_id == reply.headers["x-trace-id"]
    assert guiding.verify(reply.json(), message=LATE).ok


async def test_h31_danger_gets_people_and_the_crisis_entity(client: httpx.AsyncClient) -> None:
    body = await post(client, "/guide", message=DANGER, country="US", user_state={"mood": 3})
    assert (body["outcome"], body["answer"], body["refusal"]) == ("safety", None, None)
    assert [one["entity_id"] for one in body["entities"]] == ["handler_crisis"]
    assert {"911", "988"} <= {resource["value"] for resource in body["resources"]}
    assert body["warnings"] == ["user_state.mood is not known and was not used"]


async def test_h40_what_was_shown_is_passed_over(client: httpx.AsyncClient) -> None:
    body = await post(client, "/guide/retrieve", message=LATE, shown=["late_pickups"])
    assert "late_pickups" not in [one["entity_id"] for one in body["final"]]


async def test_h38_other_kinds_of_conversation_are_filtered_before_anything_is_scored(
    client: httpx.AsyncClient, guiding: Engine
) -> None:
    late = guiding.desk.record("late_pickups").entity
    store = small_store()
    store.put([replace(late, chat_types=(ChatType.COURT_PREP,))], by=EDITOR, at=1.0)
    async with client_of(guide_app(guiding, store)) as client:
        for chat_type, found in (("COURT_PREP", True), ("PARENT_CHILD", False)):
            body = await post(
                client, "/guide/retrieve", message=LATE, chat_type=chat_type, explain=True
            )
            ids = [one["entity_id"] for one in body["candidates"]]
            assert ("late_pickups" in ids) is found


async def test_h26_a_search_explains_itself_when_it_is_asked(client: httpx.AsyncClient) -> None:
    plain = await post(client, "/guide/retrieve", message=LATE)
    body = await post(client, "/guide/retrieve", message=LATE, explain=True)
    assert RetrieveBody.model_validate(plain).candidates is None
    assert plain["final"] == body["final"]
    late = next(one for one in body["candidates"] if one["entity_id"] == "late_pickups")
    assert {hit["channel"] for hit in late["channels"]} >= {"semantic", "pattern"}
    assert {"search_keyword", "merge"} <= {step["name"] for step in body["steps"]}


async def test_h37_what_is_no_field_of_a_state_is_told_and_not_used(
    client: httpx.AsyncClient,
) -> None:
    state = {"profile": {"deep": [1, "x"]}, "last_rating": "high", "user_type": None}
    body = await post(client, "/guide", message=LATE, user_state=state)
    assert [warning.split()[0] for warning in body["warnings"]] == [
        "user_state.last_rating",
        "user_state.profile",
    ]


@pytest.mark.parametrize(
    "more",
    [
        {"user_state": {"session_type": "\ud800"}},
        {"user_state": {"profile": [{"\x00": 1}]}},
        {"user_state": {str(number): number for number in range(101)}},
        {"user_state": [1]},
        {"shown": ["Not An Id"]},
        {"chat_type": "GOSSIP"},
        {"country": "Ireland"},
        {"minor": "yes"},
        {"explain": True},
        {"message": "x" * 4_001},
        {"message": " "},
    ],
    ids=lambda more: next(iter(more)),
)
async def test_a_request_that_cannot_be_used_is_a_problem_with_people_to_turn_to(
    client: httpx.AsyncClient, more: dict[str, Any]
) -> None:
    sent = json.dumps({"message": LATE, **more})
    reply = await client.post("/guide", content=sent, headers={"Content-Type": "application/json"})
    assert (reply.status_code, reply.json()["code"]) == (422, "invalid-input")
    assert reply.json()["resources"]


async def test_danger_in_a_message_of_any_length_gets_help(client: httpx.AsyncClient) -> None:
    body = await post(client, "/guide", message=f"{DANGER}. " + "and so on " * 1_000)
    assert body["outcome"] == "safety"


async def test_a_store_that_fails_is_a_problem_and_danger_gets_help_all_the_same(
    guiding: Engine,
) -> None:
    async with client_of(guide_app(guiding, BrokenEntities())) as client:
        for path in ("/guide", "/guide/retrieve"):
            body = await post(client, path, 503, message=LATE)
            assert (body["code"], bool(body["resources"])) == ("store-failed", True)
        helped = await post(client, "/guide", message=DANGER)
    assert helped["outcome"] == "safety"
    assert {one["entity_id"] for one in helped["entities"]} <= {"handler_crisis"}
    assert helped["message"]


class Gate:
    """What waits until it is told to go on."""

    def __init__(self) -> None:
        self.entered, self.go = threading.Event(), threading.Event()

    def __call__(self) -> None:
        self.entered.set()
        self.go.wait(SECONDS)


async def test_c44_danger_waits_neither_for_a_collection_nor_for_the_catalogues_vectors(
    guiding: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    app, gate = guide_app(guiding), Gate()
    desk = app.state.service.engine.desk
    build = desk.live.build

    def waiting(*given: Any) -> Any:
        catalogue = build(*given)
        find = catalogue.find_meaning

        def find_later() -> Any:
            gate()
            return find()

        return replace(catalogue, find_meaning=find_later)

    monkeypatch.setattr(desk.live, "build", waiting)
    async with client_of(app) as client, app.router.lifespan_context(app):
        assert await asyncio.to_thread(gate.entered.wait, SECONDS)  # warmed behind the collection
        assert not app.state.service.opening.is_alive()
        body = await post(client, "/guide", message=DANGER)
        assert [one["entity_id"] for one in body["entities"]] == ["handler_crisis"]
        gate.go.set()
        assert (await post(client, "/guide", message=LATE))["outcome"] == "answer"


async def test_the_guide_is_warm_once_its_thread_has_ended(guiding: Engine) -> None:
    app = guide_app(guiding)
    service = app.state.service
    async with app.router.lifespan_context(app):
        await asyncio.to_thread(service.warming.join, SECONDS)
        assert "meaning" in vars(service.engine.desk.live())  # what is asked for is kept


async def test_a_server_that_ends_does_not_warm_on(guiding: Engine) -> None:
    app = guide_app(guiding)
    service = app.state.service
    async with app.router.lifespan_context(app):
        pass
    assert not service.warming.is_alive()


async def test_metrics_count_runs_of_the_guide(client: httpx.AsyncClient) -> None:
    await post(client, "/guide", message=LATE)
    await post(client, "/guide/retrieve", message=LATE)
    text = (await client.get("/metrics", headers={"Accept": "text/plain"})).text
    assert 'handrail_runs_total{flow="guide",outcome="answer"} 1.0' in text
    assert 'handrail_runs_total{flow="guide_retrieve",outcome="found"} 1.0' in text
