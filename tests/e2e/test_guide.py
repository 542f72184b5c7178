"""The guide as parents and editors meet it: packaged entities, the real model, a real server."""

from __future__ import annotations

import json
import re
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
import uvicorn
import yaml
from pydantic import SecretStr

from handrail.bootstrap import build_engine
from handrail.cli.entity_files import read_entities
from handrail.content.entities import packaged_entities
from handrail.flows.guide.conditions import FIELDS
from handrail.server.app import create_app
from handrail.server.guide_bodies import GuideAsked, RetrieveAsked
from handrail.settings import ServerSettings, Settings
from handrail.wire.guide import GuideBody, RetrieveBody

HOWTO = Path(__file__).parents[2] / "docs" / "howto"
GUIDE = (HOWTO / "guide-parents.md").read_text("utf-8")
EDIT = (HOWTO / "edit-entities.md").read_text("utf-8")
LATE = "He was 40 minutes late for pickup again and she sat on the stairs with her coat on"
ADMIN = "an-admin-key-of-some-length"
SECONDS = 120


def blocks(page: str, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", page, re.DOTALL)


def first_column(page: str, heading: str) -> list[str]:
    """The names in the first column of the table under ``heading``."""
    table = page.partition(f"| {heading} |")[2].partition("\n\n")[0]
    return re.findall(r"`(\w+)`", "\n".join(row.split("|")[1] for row in table.split("\n")[2:]))


@pytest.fixture(scope="module")
def url(engine_home: Path) -> Iterator[str]:
    """A server without a collection, with an admin key, once its guide is warm."""
    server = ServerSettings(admin_keys=(SecretStr(ADMIN),))
    engine = build_engine(Settings(home=engine_home, server=server))
    app = create_app(engine, collection="absent", host="127.0.0.1")
    running = uvicorn.Server(uvicorn.Config(app, port=0, log_level="error"))
    thread = threading.Thread(target=running.run, daemon=True)
    thread.start()
    while not running.started:
        assert thread.is_alive()
    port = running.servers[0].sockets[0].getsockname()[1]
    app.state.service.warming.join(SECONDS)
    yield f"http://127.0.0.1:{port}"
    running.should_exit = True
    thread.join(SECONDS)


@pytest.mark.sockets
def test_h26_a_parent_asks_and_an_editor_changes_what_is_said(url: str) -> None:
    with httpx.Client(base_url=url, timeout=SECONDS) as client:
        danger = client.post("/guide", json={"message": "I want to kill myself"}).json()
        assert [one["entity_id"] for one in danger["entities"]] == ["handler_crisis"]
        body = GuideBody.model_validate(client.post("/guide", json={"message": LATE}).json())
        assert body.outcome == "answer"
        assert "late_pickups" in [one.entity_id for one in body.entities]
        client.headers["X-API-Key"] = ADMIN
        path = "/guide/entities/late_pickups"
        entity = client.get(path).json()["entity"]
        said = "Waiting with her coat on is hard on a child."
        changed = {**entity, "acknowledgement": [said]}
        match = {"If-Match": f'"{entity["version"]}"'}
        for status in (200, 409):
            reply = client.put(path, params={"by": "anna"}, json=changed, headers=match)
            assert reply.status_code == status
        assert said in client.post("/guide", json={"message": LATE}).json()["answer"]
        assert client.put(path, params={"by": "anna"}, json=entity).status_code == 200


@pytest.mark.slow
def test_the_python_runs_as_it_stands(
    engine_home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "mkdtemp", lambda: str(engine_home))  # where it is embedded
    (code,) = blocks(GUIDE, "python")
    exec(compile(code, "guide-parents.md", "exec"), {})
    said = capsys.readouterr().out.splitlines()
    assert "late_pickups" in said[-2]
    assert "late_pickups" not in said[-1]


def test_the_tables_of_the_page_are_the_request_the_state_and_the_reply() -> None:
    assert sorted(first_column(GUIDE, "field of the request")) == sorted(GuideAsked.model_fields)
    assert sorted(first_column(GUIDE, "field of `user_state`")) == sorted(FIELDS)
    assert sorted(first_column(GUIDE, "field of the reply")) == sorted(GuideBody.model_fields)


def test_the_requests_that_are_shown_are_requests() -> None:
    typed = "\n".join(blocks(GUIDE, "console"))
    shown = re.findall(r"-d '(.*?)'", typed)
    assert [RetrieveAsked.model_validate(json.loads(body)).explain for body in shown] == [
        False,
        True,
    ]
    named = set(re.findall(r"`(\w+)`", GUIDE.partition("### Only the final set")[2]))
    assert {*RetrieveBody.model_fields} - named == {"latency_ms", "trace_id"}


def test_h13_the_file_that_is_shown_is_an_entity(tmp_path: Path) -> None:
    (text,) = blocks(EDIT, "yaml")
    (tmp_path / "one.yaml").write_text(text, encoding="utf-8")
    (entity,) = read_entities([tmp_path / "one.yaml"])
    assert entity.entity_id in {one.entity_id for one in packaged_entities()}
    assert set(yaml.safe_load(text)) <= {*first_column(EDIT, "field"), "version"}
