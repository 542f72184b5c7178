"""Duties over HTTP: notices handed out and brought back, marks, and counts without identifiers."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from server_app import CONCERN, DANGER, SMALL, anew, client_of, post

from handrail.domain.duties import DEFAULT_DUTIES
from handrail.domain.trace import Run, Trace
from handrail.engine import Engine
from handrail.server.app import create_app
from handrail.server.metrics import Metrics

NOW = 1_800_000_000


def app_of(engine: Engine, *, now: float = NOW, **duties: Any) -> FastAPI:
    """An app whose engine owes these duties at this time."""
    owed = replace(DEFAULT_DUTIES, **duties)
    front = replace(engine.front, duties=owed)
    discloser = replace(engine.discloser, duties=owed, clock=lambda: now)
    made = anew(engine, front=front, discloser=discloser)
    return create_app(made, collection=SMALL, host="127.0.0.1")


async def coached(engine: Engine, *, now: float = NOW, **body: Any) -> Any:
    async with client_of(app_of(engine, now=now)) as client:
        return await post(client, "/coach", **{"query": CONCERN, **body})


async def test_a_first_message_gets_the_notice_and_the_state_to_bring(engine: Engine) -> None:
    body = await coached(engine)
    assert [(n["id"], n["language"]) for n in body["notices"]] == [("ai-notice", "en")]
    assert body["notices"][0]["text"] == engine.content.notice("ai-notice").text
    assert body["notices_shown_at"] == {"ai": NOW, "minors": None}


async def test_what_was_shown_is_not_shown_again_until_it_is_due(engine: Engine) -> None:
    first = await coached(engine)
    state = first["notices_shown_at"]
    soon = await coached(engine, now=NOW + 60, notices_shown_at=state)
    late = await coached(engine, now=NOW + 7 * 86_400, notices_shown_at=state)
    assert soon["notices"] == []
    assert [n["id"] for n in late["notices"]] == ["ai-notice"]


async def test_a_known_minor_is_reminded(engine: Engine) -> None:
    state = {"ai": NOW - 1, "minors": NOW - 3 * 3600}
    body = await coached(engine, minor=True, notices_shown_at=state)
    assert [n["id"] for n in body["notices"]] == ["minors-reminder"]
    assert body["notices_shown_at"]["minors"] == NOW


async def test_whoever_asks_is_told_in_danger_too(engine: Engine) -> None:
    state = {"ai": NOW - 1}
    body = await coached(engine, query=f"{DANGER}. Are you a bot?", notices_shown_at=state)
    assert body["outcome"] == "safety"
    assert [n["id"] for n in body["notices"]] == ["ai-asked"]


@pytest.mark.parametrize(
    "sent",
    [
        {"minor": "yes"},
        {"notices_shown_at": {"ai": "today"}},
        {"notices_shown_at": {"ai": -1}},
        {"notices_shown_at": {"ai": 1.5}},
        {"notices_shown_at": {"other": 1}},
        {"notices_shown_at": None},
    ],
)
async def test_a_state_that_no_reply_gave_is_refused(engine: Engine, sent: Any) -> None:
    async with client_of(app_of(engine)) as client:
        await post(client, "/coach", 422, query=CONCERN, **sent)


async def test_a_body_says_that_software_put_it_together(engine: Engine) -> None:
    body = await coached(engine)
    ids = sorted(case["id"] for case in body["cases"])
    assert body["made_by"] == {
        "composed_by": "software",
        "wording": "selected",
        "synthetic_cases": ids,
    }
    async with client_of(app_of(engine, mark_synthetic=False)) as client:
        assert (await post(client, "/coach", query=CONCERN))["made_by"] is None


async def metrics_of(client: httpx.AsyncClient) -> tuple[Any, str]:
    text = await client.get("/metrics", headers={"Accept": "text/plain"})
    return (await client.get("/metrics")).json(), text.text


async def test_referral_counts_by_month_and_kind(engine: Engine) -> None:
    async with client_of(app_of(engine, referral_counts=True)) as client:
        for message in (DANGER, DANGER, CONCERN):
            await post(client, "/coach", query=message)
        body, text = await metrics_of(client)
    ((month, counted),) = body["referrals"].items()
    assert re.fullmatch(r"\d{4}-\d{2}", month)
    assert counted["total"] == 2
    assert set(counted["kinds"].values()) == {2}
    assert f'handrail_referrals_total{{month="{month}"}} 2.0' in text
    assert f'handrail_referral_kinds_total{{kind="{next(iter(counted["kinds"]))}"' in text


async def test_without_the_duty_no_referral_is_counted(engine: Engine) -> None:
    async with client_of(app_of(engine)) as client:
        await post(client, "/coach", query=DANGER)
        body, text = await metrics_of(client)
    assert (body["referrals"], body["crisis"]) == ({}, 1)
    assert "handrail_referrals_total{" not in text


def test_months_are_counted_apart_and_hold_no_identifier() -> None:
    days = iter([date(2027, 1, 31), date(2027, 2, 1), date(2027, 2, 1)])
    metrics = Metrics(today=lambda: next(days))
    for _ in range(3):
        metrics.observed(
            Run(flow="coach", outcome="safetyresponse", referral=("plan",), trace=Trace("t"))
        )
    counted = metrics.body().referrals
    assert {month: row.total for month, row in counted.items()} == {"2027-01": 1, "2027-02": 2}
    assert counted["2027-02"].kinds == {"plan": 2}
