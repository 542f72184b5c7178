"""Editors over HTTP: entities are read, tried, written and taken back, with an admin key."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from guide_app import ABSENT, ADMIN, AS_ADMIN, CALLER, BrokenEntities, guide_app
from pydantic import SecretStr
from server_app import client_of, post

from guide_sample import EDITOR, IDS, LATE
from handrail.engine import Engine
from handrail.server.app import create_app
from handrail.wire.entities import DryRunBody, EntityRecordBody, HistoryBody

ONE = "/guide/entities/late_pickups"
WRITE = {"by": EDITOR}
ROUTES = [
    ("GET", "/guide/entities"),
    ("GET", ONE),
    ("GET", f"{ONE}/history"),
    ("PUT", ONE),
    ("DELETE", ONE),
    ("POST", "/guide/entities/dry-run"),
]


@pytest.fixture
async def client(guiding: Engine) -> AsyncIterator[httpx.AsyncClient]:
    """An editor's client, over a store of its own."""
    async with client_of(guide_app(guiding), headers=AS_ADMIN) as client:
        yield client


async def late(client: httpx.AsyncClient) -> dict[str, Any]:
    """The standing entity, ready to be changed."""
    return (await client.get(ONE)).json()["entity"]  # type: ignore[no-any-return]


@pytest.mark.parametrize(("method", "path"), ROUTES)
async def test_without_an_admin_key_nobody_sees_or_writes_entities(
    guiding: Engine, method: str, path: str
) -> None:
    app = guide_app(guiding, api_keys=(SecretStr(CALLER),))
    async with client_of(app) as client:
        for key, status in ((CALLER, 403), ("", 401), ("x" * 30, 401)):
            reply = await client.request(method, path, headers={"X-API-Key": key}, json={"a": 1})
            assert reply.status_code == status
    bare = create_app(guiding, collection=ABSENT, host="127.0.0.1")
    async with client_of(bare, headers={"X-API-Key": ADMIN}) as client:
        reply = await client.request(method, path, json={"a": 1})
        assert (reply.status_code, reply.json()["code"]) == (403, "no-admin-key")


async def test_h13_entities_are_listed_and_each_is_whole(client: httpx.AsyncClient) -> None:
    rows = (await client.get("/guide/entities")).json()["entities"]
    assert [row["entity_id"] for row in rows] == sorted(IDS)
    reply = await client.get(ONE)
    body = EntityRecordBody.model_validate(reply.json())
    assert (body.entity.title, body.by) == (rows[-2]["title"], "handrail")
    assert reply.headers["etag"] == f'"{body.entity.version}"'


async def test_h13_a_written_entity_is_in_use_at_once_and_its_versions_stay(
    client: httpx.AsyncClient,
) -> None:
    entity = await late(client)
    first = entity["version"]
    entity["trigger_patterns"] = [{"phrase": "coat on"}]
    reply = await client.put(ONE, params=WRITE, json=entity)
    assert (reply.status_code, reply.headers["etag"]) == (200, f'"{first + 1}"')
    assert (reply.json()["by"], reply.json()["entity"]["version"]) == (EDITOR, first + 1)
    found = await post(client, "/guide/retrieve", message="with her coat on", explain=True)
    hits = {one["entity_id"]: one["channels"] for one in found["candidates"]}
    assert "pattern" in [hit["channel"] for hit in hits["late_pickups"]]
    old = (await client.get(ONE, params={"version": first})).json()
    assert len(old["entity"]["trigger_patterns"]) > 1
    told = HistoryBody.model_validate((await client.get(f"{ONE}/history")).json())
    assert [(one.by, one.changed) for one in told.versions] == [
        ("handrail", []),
        (EDITOR, ["trigger_patterns"]),
    ]


async def test_an_equal_entity_changes_nothing(client: httpx.AsyncClient) -> None:
    entity = await late(client)
    reply = await client.put(ONE, params=WRITE, json=entity)
    assert reply.json()["entity"] == entity
    assert len((await client.get(f"{ONE}/history")).json()["versions"]) == 1


@pytest.mark.parametrize("method", ["PUT", "DELETE"])
async def test_a_change_of_another_version_is_a_conflict(
    client: httpx.AsyncClient, method: str
) -> None:
    entity = {**await late(client), "title": "Late"}
    for written in (f'"{entity["version"] + 1}"', "0"):
        reply = await client.request(
            method, ONE, params=WRITE, json=entity, headers={"If-Match": written}
        )
        assert (reply.status_code, reply.json()["code"]) == (409, "entity-conflict")
    assert (await late(client))["title"] != "Late"
    reply = await client.request(
        method, ONE, params=WRITE, json=entity, headers={"If-Match": f'"{entity["version"]}"'}
    )
    assert reply.status_code in (200, 204)


async def test_a_deleted_entity_is_found_no_more_and_can_be_written_again(
    client: httpx.AsyncClient,
) -> None:
    entity = await late(client)
    assert (await client.delete(ONE, params=WRITE)).status_code == 204
    assert (await client.delete(ONE, params=WRITE)).status_code == 404
    found = await post(client, "/guide/retrieve", message=LATE, explain=True)
    assert "late_pickups" not in [one["entity_id"] for one in found["candidates"]]
    assert (await late(client))["is_active"] is False
    again = await client.put(ONE, params=WRITE, json=entity)
    assert again.json()["entity"]["version"] == entity["version"] + 2


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"title": ""}, "title"),
        ({"surprise": 1}, "surprise"),
        ({"trigger_patterns": [{"phrase": "(open"}]}, "late_pickups"),
        ({"trigger_patterns": [{"regex": "(a+)+$"}], "reviewer": ""}, "reviewer"),
        ({"state_conditions": {"mood": "low"}}, "mood"),
    ],
)
async def test_h36_content_that_cannot_stand_names_its_place_and_changes_nothing(
    client: httpx.AsyncClient, change: dict[str, Any], told: str
) -> None:
    entity = await late(client)
    for reply in (
        await client.put(ONE, params=WRITE, json={**entity, **change}),
        await client.post("/guide/entities/dry-run", json={"entity": {**entity, **change}}),
    ):
        assert (reply.status_code, reply.json()["code"]) == (422, "content-invalid")
        assert told in reply.json()["detail"]
    assert await late(client) == entity


@pytest.mark.parametrize(
    "params", [{}, {"by": ""}, {"by": "  "}, {"by": "x" * 101}, {"by": "a\x00b"}]
)
async def test_a_write_has_a_name_on_it(client: httpx.AsyncClient, params: dict[str, str]) -> None:
    entity = {**await late(client), "title": "Late"}
    for method in ("PUT", "DELETE"):
        reply = await client.request(method, ONE, params=params, json=entity)
        assert (reply.status_code, reply.json()["code"]) == (422, "invalid-input")
    assert len((await client.get(f"{ONE}/history")).json()["versions"]) == 1


async def test_the_address_and_the_body_name_one_entity(client: httpx.AsyncClient) -> None:
    entity = {**await late(client), "entity_id": "gray_rock"}
    assert (await client.put(ONE, params=WRITE, json=entity)).status_code == 422


@pytest.mark.parametrize("written", ["*", "x", '"1', "-1", '"99999999999"'])
async def test_if_match_holds_a_version(client: httpx.AsyncClient, written: str) -> None:
    reply = await client.delete(ONE, params=WRITE, headers={"If-Match": written})
    assert (reply.status_code, reply.json()["code"]) == (422, "invalid-input")


@pytest.mark.parametrize("name", ["absent", "No-Id", "dry-run", "%00", "a" * 101])
async def test_an_unknown_entity_is_not_found(client: httpx.AsyncClient, name: str) -> None:
    for path in (f"/guide/entities/{name}", f"/guide/entities/{name}/history"):
        reply = await client.get(path)
        assert (reply.status_code, reply.json()["code"]) == (404, "not-found")
    assert (await client.get(ONE, params={"version": 99})).status_code == 404


async def test_h36_a_dry_run_writes_nothing_and_shows_what_would_change(
    client: httpx.AsyncClient,
) -> None:
    entity = {**await late(client), "trigger_patterns": [{"phrase": "on the stairs"}]}
    messages = ["she sat on the stairs", {"text": "on the stairs", "entity_id": "gray_rock"}]
    run = await post(client, "/guide/entities/dry-run", entity=entity, messages=messages)
    body = DryRunBody.model_validate(run)
    assert [(one.fresh, one.stray) for one in body.matches] == [(True, False), (True, True)]
    whole = DryRunBody.model_validate(await post(client, "/guide/entities/dry-run", entity=entity))
    assert whole.tried > 100
    assert whole.lost
    assert len((await late(client))["trigger_patterns"]) > 1


async def test_a_store_that_fails_is_a_problem(guiding: Engine) -> None:
    app = guide_app(guiding, BrokenEntities())
    async with client_of(app, headers=AS_ADMIN) as client:
        for path in ("/guide/entities", ONE):
            reply = await client.get(path)
            assert (reply.status_code, reply.json()["code"]) == (503, "store-failed")
