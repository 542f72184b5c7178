"""What operators and browsers see: metrics, log, health, origins, schema (C45, C46, C66, C71)."""

from __future__ import annotations

import io
import json

import httpx
import pytest
from fastapi import FastAPI
from server_app import CONCERN, DANGER, OFF_TOPIC, SMALL, client_of, configured, post

from handrail.engine import Engine
from handrail.server.app import create_app


async def test_c66_metrics_count_each_reply_once(client: httpx.AsyncClient) -> None:
    for query in (CONCERN, DANGER, OFF_TOPIC):
        await post(client, "/coach", query=query)
    await post(client, "/coach", 422, query="")
    body = (await client.get("/metrics")).json()
    assert body["coach_requests"] == 3
    assert body["refusal_rate"] == round(2 / 3, 4)
    assert body["gate_pass_rate"] == 1.0
    assert body["hit_at_3"] is None
    assert body["p50_ms"] <= body["p95_ms"]
    assert body["crisis"] == 1
    assert body["requests"] == {"POST /coach": {"200": 3, "422": 1}}
    assert {"embed_ms", "search_dense_ms", "search_lex_ms", "fuse_ms", "probe_ms"} <= set(
        body["stages"]
    )
    assert {"decider_ms", "assemble_ms", "gate_ms"} <= set(body["stages"])


@pytest.mark.parametrize(
    ("accept", "media_type"),
    [
        ("*/*", "application/json"),
        ("application/json", "application/json"),
        ("text/html,application/xhtml+xml,*/*;q=0.8", "application/json"),
        ("text/plain;version=0.0.4;q=0.5,*/*;q=0.1", "text/plain"),
        ("application/openmetrics-text;version=1.0.0,text/plain;q=0.5", "application/openmetrics-"),
    ],
)
async def test_c45_metrics_come_in_the_form_that_is_accepted(
    client: httpx.AsyncClient, accept: str, media_type: str
) -> None:
    await client.get("/health")
    reply = await client.get("/metrics", headers={"Accept": accept})
    assert reply.headers["content-type"].startswith(media_type)
    assert "GET /health" in reply.text


async def test_c46_a_run_is_logged_under_the_trace_id_of_its_reply(
    client: httpx.AsyncClient, log: io.StringIO
) -> None:
    body = await post(client, "/coach", query=CONCERN)
    found = await post(client, "/search_cases", query=CONCERN)
    lines = [json.loads(line) for line in log.getvalue().splitlines()]
    assert [line["trace_id"] for line in lines] == [body["trace_id"], found["trace_id"]]
    assert [line["flow"] for line in lines] == ["coach", "search"]
    assert not lines[0]["refused"]


async def test_health_is_there_and_ready_says_why_not(engine: Engine) -> None:
    app = create_app(engine, collection="absent", host="127.0.0.1")
    async with client_of(app) as client, app.router.lifespan_context(app):
        app.state.service.opening.join()
        assert (await client.get("/health")).json() == {"status": "ok", "initialized": False}
        reply = await client.get("/ready")
        assert (reply.status_code, reply.json()["code"]) == (404, "not-found")


async def test_a_first_question_opens_the_collection(client: httpx.AsyncClient) -> None:
    assert (await client.get("/health")).json()["initialized"] is False
    await post(client, "/search_cases", query=CONCERN)
    assert (await client.get("/health")).json()["initialized"] is True


async def test_ready_once_the_collection_is_open(app: FastAPI) -> None:
    async with client_of(app) as client, app.router.lifespan_context(app):
        app.state.service.opening.join()
        assert (await client.get("/ready")).json() == {"status": "ready"}
        assert (await client.get("/health")).json()["initialized"] is True


async def test_c71_pages_elsewhere_may_read_nothing(client: httpx.AsyncClient) -> None:
    origin = {"Origin": "https://elsewhere.example"}
    asked = {**origin, "Access-Control-Request-Method": "POST"}
    assert (
        "access-control-allow-origin" not in (await client.get("/health", headers=origin)).headers
    )
    preflight = await client.options("/coach", headers=asked)
    assert preflight.status_code == 400
    assert "access-control-allow-origin" not in preflight.headers


async def test_c71_a_named_origin_may_without_credentials(engine: Engine) -> None:
    known = "https://app.example"
    app = create_app(configured(engine, cors_origins=(known,)), collection=SMALL, host="localhost")
    async with client_of(app) as client:
        asked = {"Origin": known, "Access-Control-Request-Method": "POST"}
        preflight = await client.options("/coach", headers=asked)
        assert preflight.headers["access-control-allow-origin"] == known
        assert "access-control-allow-credentials" not in preflight.headers


async def test_the_schema_is_served_and_names_every_route(client: httpx.AsyncClient) -> None:
    paths = (await client.get("/openapi.json")).json()["paths"]
    assert sorted(paths) == [
        "/cases/{case_id}",
        "/chat",
        "/check",
        "/coach",
        "/guide",
        "/guide/entities",
        "/guide/entities/dry-run",
        "/guide/entities/{entity_id}",
        "/guide/entities/{entity_id}/history",
        "/guide/retrieve",
        "/health",
        "/index",
        "/index/{build_id}",
        "/metrics",
        "/ready",
        "/search_cases",
        "/sessions/{session_id}",
        "/sessions/{session_id}/events",
    ]
