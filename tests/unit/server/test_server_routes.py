"""What a question gets: cases, an answer, or an outcome that says why not (C40-C44, C53)."""

from __future__ import annotations

import httpx
import pytest
from server_app import CONCERN, DANGER, OFF_TOPIC, post

from handrail.wire import CoachBody, RiskBody, SearchBody, StoredCaseBody


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
