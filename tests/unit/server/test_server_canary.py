"""What people write and what a corpus says is in no log, metric, receipt, trace or problem."""

from __future__ import annotations

import io
import json
import logging
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
from server_app import client_of, logging_to

from handrail.engine import Engine
from handrail.server.app import create_app

SAID, STORED, CHOSEN, HEADER, ADDRESS = (
    f"canary{name}" for name in ("said", "stored", "chosen", "header", "address")
)
CANARIES = (SAID, STORED, CHOSEN, HEADER, ADDRESS)
ANSWERED = f"I lie awake worrying about {SAID} and feel anxious and worthless"
DANGER = f"I want to kill myself because of {SAID}"


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """Cases with a canary in every text, and two broken lines with one."""
    topics = ("sleep", "work", "exams", "family", "money", "moving house")
    cases = [
        {
            "title": f"{STORED} and {topic}",
            "Context": f"I lie awake and worry about {STORED} and my {topic}, and feel anxious.",
            "Response": (
                f"Worry about {topic} often grows at night, when {STORED} seems largest. "
                f"Writing {STORED} down on paper can take some of the weight off your mind. "
                f"A slow breath out tells the body that {STORED} is not here now. "
                f"A short walk in daylight can help with {topic} and with sleep."
            ),
            "note": STORED,
        }
        for topic in topics
    ]
    lines = [*map(json.dumps, cases), f"{STORED} is no JSON", json.dumps([STORED])]
    path = tmp_path / "canaries.ndjson"
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def without_quotes(body: dict[str, Any]) -> str:
    """A reply without the texts that it is there to show."""
    shown = {"answer", "refusal", "message", "cases"}
    return json.dumps({key: value for key, value in body.items() if key not in shown})


def found_in(text: str) -> list[str]:
    return [canary for canary in CANARIES if canary in text.lower()]


async def everything(client: httpx.AsyncClient, corpus: Path) -> list[str]:
    """Use every route with canaries in every place; what must be free of them."""
    replies: list[httpx.Response] = []

    async def post(where: str, /, **asked: Any) -> httpx.Response:
        reply = await client.post(where, json=asked)
        replies.append(reply)
        return reply

    indexed = await post("/index?wait=true", path=str(corpus))
    assert indexed.json()["records"] == 6
    free = [indexed.text]
    found = (await post("/search_cases", query=ANSWERED)).json()
    assert STORED in json.dumps(found["cases"])
    free += [without_quotes(found)]
    for query in (ANSWERED, DANGER, f"what is {SAID}", f"I feel a bit low about {SAID}"):
        body = (await post("/coach", query=query, case_ids=[])).json()
        free += [without_quotes(body)]
    stored = await client.get(f"/cases/{found['cases'][0]['id']}")
    assert STORED in stored.text
    assert SAID in (await post("/check", text=SAID)).request.content.decode()
    problems = [
        await post("/coach", query=ANSWERED, case_ids=[CHOSEN]),
        await post("/coach", query=ANSWERED, case_ids=["0" * 16]),
        await post("/coach", query=SAID * 1_000),
        await post("/coach", query=SAID, **{SAID: SAID}),
        await post("/search_cases", query={SAID: SAID}),
        await post("/check", text=[SAID]),
        await client.get(f"/cases/{ADDRESS}"),
        await client.get(f"/{ADDRESS}?{ADDRESS}={ADDRESS}"),
        await client.get(f"/index/{ADDRESS}"),
        await client.post("/coach", content=SAID, headers={"Content-Type": HEADER}),
    ]
    assert all(400 <= problem.status_code < 500 for problem in problems)
    free += [problem.text for problem in problems]
    free += [json.dumps(dict(reply.headers)) for reply in replies]
    for accept in ("application/json", "text/plain", "application/openmetrics-text"):
        free.append((await client.get("/metrics", headers={"Accept": accept})).text)
    return free


async def test_c48_no_canary_in_logs_metrics_receipts_traces_or_problems(
    engine: Engine,
    corpus: Path,
    capfd: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    log = io.StringIO()
    caplog.set_level(logging.DEBUG)
    app = create_app(logging_to(log, engine), collection="canaries", host="127.0.0.1")
    headers = {"X-Request-Id": HEADER, "Traceparent": HEADER, "User-Agent": HEADER}
    async with client_of(app, headers={**headers, "Authorization": f"Bearer {HEADER}"}) as client:
        free = await everything(client, corpus)
    printed = capfd.readouterr()
    ours = (record for record in caplog.records if record.name != "httpx")  # the test's own client
    records = [record.getMessage() + str(record.exc_info) for record in ours]
    for text in (*free, log.getvalue(), printed.out, printed.err, *records):
        assert found_in(text) == []


async def test_every_kind_of_outcome_was_among_them(engine: Engine, corpus: Path) -> None:
    log = io.StringIO()
    app = create_app(logging_to(log, engine), collection="canaries", host="127.0.0.1")
    async with client_of(app) as client:
        await everything(client, corpus)
    lines = [json.loads(line) for line in log.getvalue().splitlines()]
    outcomes = {(line["flow"], line["outcome"]) for line in lines}
    assert {("index", "done"), ("search", "found"), ("coach", "answer")} <= outcomes
    assert any(line["crisis"] for line in lines)
    assert all(len(line["trace_id"]) == 32 for line in lines)


class Broken:
    """A part that fails and says what it was given."""

    def check(self, message: str) -> None:
        raise RuntimeError(message)


async def test_c48_a_defect_names_its_place_and_not_the_message(
    engine: Engine, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    log = io.StringIO()
    caplog.set_level(logging.DEBUG)
    broken = logging_to(log, engine)
    broken.front = replace(broken.front, screen=Broken())  # type: ignore[arg-type]
    app = create_app(broken, collection="small", host="127.0.0.1")
    async with client_of(app) as client:
        reply = await client.post("/check", json={"text": SAID})
    assert (reply.status_code, reply.json()["code"]) == (500, "internal-error")
    line = json.loads(log.getvalue())
    assert (line["level"], line["outcome"]) == ("error", "error")
    assert line["reason"].startswith("RuntimeError at test_server_canary.py:")
    assert line["trace_id"] == reply.json()["trace_id"]
    printed = capfd.readouterr()
    seen = [reply.text, log.getvalue(), printed.out, printed.err, caplog.text]
    assert [text for text in seen if SAID in text] == []
