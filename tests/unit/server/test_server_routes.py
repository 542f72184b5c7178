"""What the routes answer, over the real engine (C39-C45, C51, C53, C67)."""

from __future__ import annotations

import asyncio
import io
import json
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

import httpx
import pytest
from fastapi import FastAPI
from server_app import CASES, SMALL, anew, client_of, configured

from handrail.engine import Engine
from handrail.rails.evidence import EvidenceGate
from handrail.server.app import create_app
from handrail.testing.scripted_model import Late, ScriptedModel
from handrail.wire import CoachBody, RiskBody, SearchBody, StoredCaseBody

CONCERN = "I stay in bed until noon, everything is grey and I skip my lectures"
DANGER = "I want to kill myself tonight"
OFF_TOPIC = "what is the capital of Mongolia and how many people live there"


async def post(client: httpx.AsyncClient, path: str, status: int = 200, **body: Any) -> Any:
    reply = await client.post(path, json=body)
    assert reply.status_code == status, reply.text
    return reply.json()


async def test_c40_three_cases_best_first_with_quotes_that_are_where_they_say(
    client: httpx.AsyncClient,
) -> None:
    found = SearchBody.model_validate(await post(client, "/search_cases", query=CONCERN))
    assert len(found.cases) == 3
    assert found.latency_ms > 0
    for case in found.cases:
        stored = StoredCaseBody.model_validate((await client.get(f"/cases/{case.id}")).json())
        assert case.highlights
        for quote in case.highlights:
            assert stored.response[quote.start : quote.end] == quote.text
            assert stored.response_sentences[quote.sent_id].text == quote.text


async def test_c40_k_is_how_many(client: httpx.AsyncClient) -> None:
    assert len((await post(client, "/search_cases", query=CONCERN, k=1))["cases"]) == 1


async def test_k_has_a_limit_that_names_its_setting(client: httpx.AsyncClient) -> None:
    body = await post(client, "/search_cases", 422, query=CONCERN, k=21)
    assert "HANDRAIL_SERVER__MAX_K" in body["detail"]


async def test_c42_an_answer_has_citations_trace_resources_and_receipt(
    client: httpx.AsyncClient,
) -> None:
    reply = await client.post("/coach", json={"query": CONCERN})
    body = CoachBody.model_validate(reply.json())
    assert (reply.status_code, body.outcome) == (200, "answer")
    assert body.citations
    assert body.resources
    retrieval = body.trace.retrieval
    wanted = {"rrf_c": 60, "mmr_lambda": 0.7, "k1": 30, "n": 10, "m": 3}
    assert {key: retrieval[key] for key in wanted} == wanted
    assert body.trace.gate_alpha == 0.6
    assert body.trace_id == reply.headers["x-trace-id"]


async def test_c43_an_answer_validates_then_lists_what_to_try_then_names_a_goal(
    client: httpx.AsyncClient,
) -> None:
    answer = (await post(client, "/coach", query=CONCERN))["answer"]
    opening, _, rest = answer.partition("Try today:")
    assert opening.strip()
    assert rest.lstrip().startswith("1)")
    assert "Goal: " in rest


async def test_c41_chosen_cases_are_the_only_ones_cited(client: httpx.AsyncClient) -> None:
    found = await post(client, "/search_cases", query=CONCERN)
    chosen = found["cases"][0]["id"]
    body = await post(client, "/coach", query=CONCERN, case_ids=[chosen])
    assert {citation["case_id"] for citation in body["citations"]} <= {chosen}
    assert [case["id"] for case in body["cases"]] == [chosen]


async def test_resolution_11_unknown_cases_are_listed(client: httpx.AsyncClient) -> None:
    body = await post(client, "/coach", 404, query=CONCERN, case_ids=["0" * 16])
    assert (body["code"], "0" * 16 in body["detail"]) == ("not-found", True)


async def test_c44_danger_gets_people_and_no_coaching(client: httpx.AsyncClient) -> None:
    body = await post(client, "/coach", query=DANGER, country="US")
    assert (body["outcome"], body["refusal"]) == (
        "safety",
        "I can't provide coaching for this request.",
    )
    assert body["answer"] is None
    assert {"911", "988"} <= {resource["value"] for resource in body["resources"]}


async def test_c53_nothing_similar_is_an_outcome_and_no_error(client: httpx.AsyncClient) -> None:
    body = await post(client, "/coach", query=OFF_TOPIC)
    assert body["outcome"] == "abstention"
    assert body["refusal"]


async def test_a_long_message_is_refused_with_people_to_turn_to(engine: Engine) -> None:
    app = create_app(configured(engine, max_query_chars=50), collection=SMALL, host="localhost")
    async with client_of(app) as client:
        body = await post(client, "/coach", 422, query="I feel a little low today. " * 3)
        assert "HANDRAIL_SERVER__MAX_QUERY_CHARS" in body["detail"]
        assert body["resources"]
        assert "resources" not in await post(client, "/search_cases", 422, query="low " * 20)


async def test_a_long_message_with_danger_in_it_is_never_refused_for_its_length(
    engine: Engine,
) -> None:
    app = create_app(configured(engine, max_query_chars=50), collection=SMALL, host="localhost")
    async with client_of(app) as client:
        body = await post(client, "/coach", query=f"{'It was a day like any other. ' * 3}{DANGER}.")
        assert body["outcome"] == "safety"


async def test_c67_every_problem_of_coach_names_people(client: httpx.AsyncClient) -> None:
    replies = [
        await client.post("/coach", json={"query": ""}),
        await client.post("/coach", json={}),
        await client.post("/coach", content=b"{", headers={"Content-Type": "application/json"}),
        await client.post("/coach", json={"query": "x" * 70_000}),
        await client.get("/coach"),
    ]
    assert [reply.status_code for reply in replies] == [422, 422, 400, 413, 405]
    assert all(reply.json()["resources"] for reply in replies)


async def test_check_says_what_the_screen_says(client: httpx.AsyncClient) -> None:
    risk = RiskBody.model_validate(await post(client, "/check", text=DANGER))
    assert risk.level == "high"
    assert risk.signals
    assert (await post(client, "/check", text="cutting onions"))["level"] == "none"


@pytest.mark.parametrize("case_id", ["0" * 16, "abc", "..", "0" * 17, "%00", "A" * 16])
async def test_an_unknown_case_is_not_found(client: httpx.AsyncClient, case_id: str) -> None:
    reply = await client.get(f"/cases/{case_id}")
    assert reply.status_code == 404
    assert reply.headers["content-type"] == "application/problem+json"


async def test_c39_indexing_waits_where_that_is_asked(
    client: httpx.AsyncClient, small_file: Path
) -> None:
    reply = await client.post(
        "/index?wait=true", json={"path": str(small_file), "collection": "waited"}
    )
    body = reply.json()
    assert (reply.status_code, sorted(body)) == (200, ["build_ms", "dim", "model", "records"])
    assert (body["records"], body["dim"]) == (CASES, 384)
    assert body["model"] == "sentence-transformers/all-MiniLM-L6-v2"


async def test_c39_indexing_runs_in_the_background(
    client: httpx.AsyncClient, small_file: Path
) -> None:
    reply = await client.post(
        "/index", json={"dataset_path": str(small_file), "collection": "behind"}
    )
    assert reply.status_code == 202
    body = reply.json()
    where = reply.headers["location"]
    while body["state"] == "running":
        await asyncio.sleep(0.02)
        body = (await client.get(where)).json()
    assert (body["state"], body["result"]["records"]) == ("done", CASES)
    assert body["progress"]["done"] == body["progress"]["total"]


async def test_columns_can_be_named(client: httpx.AsyncClient, tmp_path: Path) -> None:
    file = tmp_path / "mine.ndjson"
    record = {"worry": "I cannot sleep at all", "reply": "Keep the same hour each morning."}
    file.write_text(json.dumps(record))
    columns = {"context": "worry", "response": "reply"}
    asked = {"path": str(file), "collection": "mine", "columns": columns}
    assert (await client.post("/index?wait=true", json=asked)).json()["records"] == 1


@pytest.mark.parametrize(
    ("name", "text", "status", "code"),
    [
        ("absent.ndjson", None, 404, "not-found"),
        ("strange.xyz", "{}", 422, "invalid-input"),
        ("broken.ndjson", "not json at all\n", 422, "unreadable-file"),
        ("empty.ndjson", "", 422, "unreadable-file"),
    ],
)
async def test_a_file_that_cannot_be_indexed_says_why(
    client: httpx.AsyncClient, tmp_path: Path, name: str, text: str | None, status: int, code: str
) -> None:
    path = tmp_path / name
    if text is not None:
        path.write_text(text)
    asked = {"path": str(path), "collection": "broken"}
    reply = await client.post("/index?wait=true", json=asked)
    assert (reply.status_code, reply.json()["code"]) == (status, code)


@pytest.mark.parametrize("path", ["/dev/zero", "/dev/stdin", "/", "."])
async def test_only_plain_files_are_read(client: httpx.AsyncClient, path: str) -> None:
    assert (await client.post("/index", json={"path": path})).json()["code"] == "not-found"


async def test_an_index_needs_a_file_unless_it_is_the_packaged_one(
    client: httpx.AsyncClient,
) -> None:
    assert "path" in (await post(client, "/index", 422))["detail"]


async def test_an_unknown_build_is_not_found(client: httpx.AsyncClient) -> None:
    for method in ("GET", "DELETE"):
        assert (await client.request(method, "/index/unknown")).status_code == 404


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


async def test_ready_as_soon_as_another_process_has_made_the_index(
    engine: Engine, small_file: Path
) -> None:
    app = create_app(engine, collection="later", host="127.0.0.1")
    async with client_of(app) as client, app.router.lifespan_context(app):
        app.state.service.opening.join()
        assert (await client.get("/ready")).status_code == 404
        engine.library.add([small_file], "later")
        assert (await client.get("/ready")).status_code == 200


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
        "/check",
        "/coach",
        "/health",
        "/index",
        "/index/{build_id}",
        "/metrics",
        "/ready",
        "/search_cases",
    ]


def with_model(engine: Engine, model: ScriptedModel) -> FastAPI:
    """An app whose decider asks ``model`` and gives it a tenth of a second."""
    coach = replace(engine.coach_for(SMALL), model=model, timeout_seconds=0.1)
    asking = anew(engine, coach_over=lambda _: coach)
    return create_app(asking, collection=SMALL, host="127.0.0.1")


async def test_c52_a_model_that_runs_out_of_time_is_replaced_and_counted(engine: Engine) -> None:
    model = ScriptedModel(Late())
    async with client_of(with_model(engine, model)) as client:
        body = await post(client, "/coach", query=CONCERN)
        counted = (await client.get("/metrics")).json()
    assert (body["outcome"], body["trace"]["decider"]["by"]) == ("answer", "fallback")
    assert body["trace"]["flags"]["fallback_used"]
    assert counted["decider"] == {"by_model": 0, "by_fallback": 1, "timeouts": 1}
    assert model.cancelled == 1


async def test_danger_reaches_no_model(engine: Engine) -> None:
    model = ScriptedModel("{}")
    async with client_of(with_model(engine, model)) as client:
        assert (await post(client, "/coach", query=DANGER))["outcome"] == "safety"
    assert model.requests == []


class Shut:
    """A gate that breaks."""

    def __init__(self, gate: EvidenceGate) -> None:
        self._gate = gate

    def __getattr__(self, name: str) -> Any:
        return getattr(self._gate, name)

    def judge(self, *given: Any, **named: Any) -> NoReturn:
        raise RuntimeError


async def test_c52_a_gate_that_breaks_is_a_refusal_with_people_and_cases(engine: Engine) -> None:
    coach = engine.coach_for(SMALL)
    broken = replace(coach, gate=Shut(coach.gate))  # type: ignore[arg-type]
    shut = anew(engine, coach_over=lambda _: broken)
    async with client_of(create_app(shut, collection=SMALL, host="localhost")) as client:
        body = await post(client, "/coach", query=CONCERN)
        counted = (await client.get("/metrics")).json()
    assert (body["outcome"], body["reason"]) == ("abstention", "gate-failed")
    assert body["resources"]
    assert (counted["gate_pass_rate"], counted["refusal_rate"]) == (0.0, 1.0)


async def test_c59_nothing_about_a_person_is_kept(
    client: httpx.AsyncClient, engine: Engine
) -> None:
    await post(client, "/coach", query=CONCERN)
    home = engine.settings.home

    def files() -> dict[Path, float]:
        return {path: path.stat().st_mtime for path in home.rglob("*") if path.is_file()}

    before = files()
    for query in (CONCERN, DANGER, OFF_TOPIC):
        await post(client, "/coach", query=query)
        await post(client, "/search_cases", query=query)
    assert files() == before
