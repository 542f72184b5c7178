"""Whatever is sent, the reply is a typed 4xx that repeats nothing of it, never a 500."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from handrail.server.bodies import CheckAsked, CoachAsked, IndexAsked, SearchAsked

CANARY = "canarysent"
TEXT_FIELD = {"/search_cases": "query", "/coach": "query", "/check": "text", "/index": "path"}
JSON = {"Content-Type": "application/json"}

# Whole bodies that fit no route.
RAW = {
    "empty": b"",
    "not json": f"{CANARY}".encode(),
    "half": f'{{"query": "{CANARY}'.encode(),
    "array": f'["{CANARY}"]'.encode(),
    "string": f'"{CANARY}"'.encode(),
    "number": b"3",
    "null": b"null",
    "not utf-8": b'{"query": "\xff\xfe' + CANARY.encode() + b'"}',
    "utf-16": json.dumps({"other": CANARY}).encode("utf-16"),
    "deep arrays": b"[" * 30_000,
    "deep objects": b'{"a":' * 10_000,
    "deep and closed": b'{"query": ' + b"[" * 20_000 + b"]" * 20_000 + b"}",
    "long number": b'{"query": ' + b"9" * 20_000 + b"}",
    "unknown field": json.dumps({CANARY: CANARY}).encode(),
    "a megabyte": json.dumps({"query": CANARY * 100_000}).encode(),
}

# Values that fit no text field.
VALUES: dict[str, Any] = {
    "number": 3,
    "true": True,
    "null": None,
    "list": [CANARY],
    "object": {CANARY: CANARY},
    "nul": f"{CANARY}\x00",
    "lone surrogate": f"{CANARY}\ud800",
}


def assert_typed(reply: httpx.Response, *statuses: int) -> None:
    assert reply.status_code in statuses, reply.text
    assert reply.headers["content-type"] == "application/problem+json"
    body = reply.json()
    assert {"type", "title", "status", "code", "detail", "trace_id"} <= set(body)
    assert CANARY not in reply.text


@pytest.mark.parametrize("path", TEXT_FIELD)
@pytest.mark.parametrize("name", RAW)
async def test_a_body_that_fits_nothing(client: httpx.AsyncClient, path: str, name: str) -> None:
    assert_typed(await client.post(path, content=RAW[name], headers=JSON), 400, 413, 422)


@pytest.mark.parametrize("path", TEXT_FIELD)
@pytest.mark.parametrize("name", VALUES)
async def test_a_value_that_fits_nothing(client: httpx.AsyncClient, path: str, name: str) -> None:
    content = json.dumps({TEXT_FIELD[path]: VALUES[name]}).encode()
    assert_typed(await client.post(path, content=content, headers=JSON), 422)


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/search_cases", {"query": "low", "k": "3"}),
        ("/search_cases", {"query": "low", "k": 3.0}),
        ("/search_cases", {"query": "low", "k": 0}),
        ("/search_cases", {"query": "low", "k": -1}),
        ("/search_cases", {"query": "low", "k": 10**30}),
        ("/search_cases", {"query": "low", "k": float("nan")}),
        ("/search_cases", {"query": " \n\t"}),
        ("/search_cases", {"query": f"{CANARY} " * 1_000}),
        ("/coach", {"query": "low", "case_ids": CANARY}),
        ("/coach", {"query": "low", "case_ids": [CANARY]}),
        ("/coach", {"query": "low", "case_ids": [3]}),
        ("/coach", {"query": "low", "case_ids": ["0" * 16] * 101}),
        ("/coach", {"query": "low", "country": CANARY}),
        ("/coach", {"query": "low", "country": "us"}),
        ("/coach", {"query": "low", "crisis_level": "none"}),
        ("/coach", {"query": "\u2003 \u00a0"}),
        ("/index", {"path": CANARY}),
        ("/index", {"path": "x" * 5_000}),
        ("/index", {"path": f"../{CANARY}"}),
        ("/index", {"path": "a", "collection": f"../{CANARY}"}),
        ("/index", {"path": "a", "collection": ""}),
        ("/index", {"path": "a", "columns": {"response": CANARY}}),
        ("/index", {"path": "a", "columns": {"context": ""}}),
    ],
)
async def test_a_field_that_is_out_of_range(
    client: httpx.AsyncClient, path: str, body: dict[str, Any]
) -> None:
    content = json.dumps(body).encode()
    assert_typed(await client.post(path, content=content, headers=JSON), 404, 422)


@pytest.mark.parametrize("path", [*TEXT_FIELD, "/index?wait=perhaps", "/nowhere"])
@pytest.mark.parametrize("method", ["GET", "PUT", "PATCH", "HEAD", "TRACE"])
async def test_a_method_that_fits_nothing(
    client: httpx.AsyncClient, path: str, method: str
) -> None:
    reply = await client.request(method, path)
    assert reply.status_code in (404, 405)
    assert reply.headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize("media_type", ["text/plain", "multipart/form-data; boundary=x", ""])
async def test_a_body_that_is_not_declared_as_json(
    client: httpx.AsyncClient, media_type: str
) -> None:
    content = json.dumps({"query": CANARY}).encode()
    reply = await client.post("/coach", content=content, headers={"Content-Type": media_type})
    assert_typed(reply, 415)


@pytest.mark.parametrize("path", [f"/{CANARY}", f"/cases/{CANARY}", f"/index/{CANARY}"])
async def test_an_address_is_not_repeated(client: httpx.AsyncClient, path: str) -> None:
    assert_typed(await client.get(path), 404)


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=8,
)
NAMES = st.sampled_from(["query", "text", "k", "case_ids", "country", "path", "columns", "x"])


@given(st.dictionaries(NAMES, JSON_VALUES))
def test_no_body_gets_past_its_shape_with_another_type(body: dict[str, Any]) -> None:
    for model in (SearchAsked, CoachAsked, CheckAsked, IndexAsked):
        try:
            asked = model.model_validate(body)
        except ValidationError:
            continue
        assert set(body) <= set(type(asked).model_fields)
        for name, value in body.items():
            assert type(asked.model_dump()[name]) is type(value)
