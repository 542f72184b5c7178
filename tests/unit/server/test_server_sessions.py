"""A session over HTTP: looked at, limited by a therapist, forgotten."""

from __future__ import annotations

import httpx
import pytest
from chat_app import OPENER, chat_app, say
from pydantic import SecretStr
from server_app import client_of

from handrail.adapters.cryptography import AesGcmCipher, new_key
from handrail.engine import Engine
from handrail.errors import InvalidSettings
from handrail.server.doors import Doors
from handrail.settings import ServerSettings

ADMIN = "an-admin-key-of-some-length"
CALLER = "a-caller-key-of-some-length"
ABSENT = "/sessions/never-was"


async def test_a8_a_session_shows_its_state_and_its_last_turn(client: httpx.AsyncClient) -> None:
    last = await say(client, "show-a8", OPENER)
    body = (await client.get("/sessions/show-a8")).json()
    assert body["state"] == last["state"]
    assert body["last"] == last
    assert (body["session_id"], body["end_of_session"]) == ("show-a8", False)


async def test_a63_a_session_is_forgotten_when_it_is_asked_for(client: httpx.AsyncClient) -> None:
    await say(client, "forget", OPENER)
    assert (await client.delete("/sessions/forget")).status_code == 204
    assert (await client.get("/sessions/forget")).status_code == 404
    assert (await client.delete("/sessions/forget")).status_code == 404
    assert (await say(client, "forget", OPENER))["turn"] == 1


@pytest.mark.parametrize("method", ["GET", "DELETE"])
async def test_a_session_that_never_was_is_not_found(
    client: httpx.AsyncClient, method: str
) -> None:
    reply = await client.request(method, ABSENT)
    assert (reply.status_code, reply.json()["code"]) == (404, "not-found")
    assert (await client.request(method, "/sessions/no!")).status_code == 422


async def test_the_events_of_a_session_that_never_was_are_not_found(
    client: httpx.AsyncClient,
) -> None:
    assert (await client.get(f"{ABSENT}/events")).status_code == 404


async def test_a50_without_admin_keys_nobody_sets_limits(client: httpx.AsyncClient) -> None:
    await say(client, "limit-none", OPENER)
    asked = {"by": "therapist-7", "max_turns": 20}
    for headers in ({}, {"X-API-Key": ""}, {"X-API-Key": ADMIN}):
        reply = await client.patch("/sessions/limit-none", json=asked, headers=headers)
        assert (reply.status_code, reply.json()["code"]) == (403, "no-admin-key")


async def test_a50_a_therapist_sets_limits_with_an_admin_key(engine: Engine) -> None:
    app = chat_app(engine, admin_keys=(SecretStr(ADMIN),))
    async with client_of(app) as client:
        await say(client, "limit-one", OPENER)
        asked = {"by": "therapist-7", "max_turns": 20, "followups": 5}
        refused = await client.patch(
            "/sessions/limit-one", json={"nonsense": 1}, headers={"X-API-Key": "x" * 20}
        )
        assert refused.status_code == 403  # before what was sent is looked at
        reply = await client.patch("/sessions/limit-one", json=asked, headers={"X-API-Key": ADMIN})
        assert reply.status_code == 200
        assert reply.json()["state"]["max_turns"] == 20
        assert reply.json()["state"]["followups_left"] == 5
        later = await say(client, "limit-one", "everyone will judge me")
        assert later["state"]["max_turns"] == 20
        absent = await client.patch(ABSENT, json=asked, headers={"X-API-Key": ADMIN})
        assert absent.status_code == 404
        nobody = {**asked, "by": " "}
        reply = await client.patch("/sessions/limit-one", json=nobody, headers={"X-API-Key": ADMIN})
        assert reply.status_code == 422


async def test_behind_keys_an_admin_key_opens_the_door_as_well(engine: Engine) -> None:
    app = chat_app(engine, api_keys=(SecretStr(CALLER),), admin_keys=(SecretStr(ADMIN),))
    asked = {"by": "therapist-7", "max_turns": 20}
    gateway = {"Authorization": f"Bearer {CALLER}"}
    async with client_of(app) as client:
        assert (await client.get(ABSENT)).status_code == 401
        assert (await client.get(ABSENT, headers=gateway)).status_code == 404
        assert (await client.patch(ABSENT, json=asked, headers=gateway)).status_code == 403
        for headers in ({"X-API-Key": ADMIN}, {**gateway, "X-API-Key": ADMIN}):
            assert (await client.patch(ABSENT, json=asked, headers=headers)).status_code == 404


@pytest.mark.parametrize(
    ("keys", "why"),
    [
        ({"admin_keys": ("short",)}, "ADMIN_KEYS: a key has fewer"),
        ({"api_keys": (CALLER,), "admin_keys": (CALLER,)}, "among the API keys too"),
    ],
)
def test_admin_keys_that_protect_nothing_are_refused(keys: dict[str, object], why: str) -> None:
    with pytest.raises(InvalidSettings, match=why):
        Doors.of(ServerSettings(**keys), host="127.0.0.1")


async def test_a63_a_session_under_another_key_is_a_conflict_that_forgetting_resolves(
    engine: Engine,
) -> None:
    async with client_of(chat_app(engine)) as client:
        await say(client, "other-key", OPENER)
    app = chat_app(engine, sessions={"cipher": AesGcmCipher([new_key()])})
    asked = {"session_id": "other-key", "message": OPENER}
    async with client_of(app) as client:
        for reply in (
            await client.get("/sessions/other-key"),
            await client.get("/sessions/other-key/events"),
            await client.post("/chat", json=asked),
        ):
            assert (reply.status_code, reply.json()["code"]) == (409, "session-unreadable")
        assert reply.json()["resources"]
        assert (await client.delete("/sessions/other-key")).status_code == 204
        assert (await client.post("/chat", json=asked)).json()["turn"] == 1


async def test_a_page_of_a_listed_origin_may_do_what_a_session_needs(engine: Engine) -> None:
    origin = "https://talk.example"
    app = chat_app(engine, cors_origins=(origin,))
    async with client_of(app) as client:
        for method in ("POST", "PATCH", "DELETE"):
            asked = {
                "Origin": origin,
                "Access-Control-Request-Method": method,
                "Access-Control-Request-Headers": "content-type, last-event-id, x-api-key",
            }
            assert (await client.options(ABSENT, headers=asked)).status_code == 200
        reply = await client.post("/chat", json={"message": OPENER}, headers={"Origin": origin})
    assert "X-Session-Id" in reply.headers["access-control-expose-headers"]


async def test_the_schema_tells_of_streams_and_problems(client: httpx.AsyncClient) -> None:
    paths = (await client.get("/openapi.json")).json()["paths"]
    turn = paths["/chat"]["post"]["responses"]
    assert set(turn["200"]["content"]) == {"application/json", "text/event-stream"}
    assert "X-Session-Id" in turn["200"]["headers"]
    assert {"204", "default"} <= set(turn)
    named = {p["name"] for p in paths["/chat"]["post"]["parameters"]}
    assert named == {"last-event-id"}
    events = paths["/sessions/{session_id}/events"]["get"]["responses"]
    assert set(events["200"]["content"]) == {"text/event-stream"}
