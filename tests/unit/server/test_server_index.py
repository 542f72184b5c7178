"""Indexing over HTTP: at once or behind, and what cannot be indexed (C39)."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import httpx
import pytest
from server_app import CASES, client_of, post

from handrail.engine import Engine
from handrail.server.app import create_app


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


async def test_ready_as_soon_as_another_process_has_made_the_index(
    engine: Engine, small_file: Path
) -> None:
    app = create_app(engine, collection="later", host="127.0.0.1")
    async with client_of(app) as client, app.router.lifespan_context(app):
        app.state.service.opening.join()
        assert (await client.get("/ready")).status_code == 404
        engine.library.add([small_file], "later")
        assert (await client.get("/ready")).status_code == 200
