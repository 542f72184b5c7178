"""Whatever goes wrong, a person gets help and no model more than its bounds (C52, C59, C67)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

import httpx
from fastapi import FastAPI
from server_app import CONCERN, DANGER, OFF_TOPIC, SMALL, anew, client_of, configured, post

from handrail.engine import Engine
from handrail.rails.evidence import EvidenceGate
from handrail.server.app import create_app
from handrail.testing.scripted_model import Late, ScriptedModel


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
