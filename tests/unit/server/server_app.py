"""The app in this process: a real engine, any server settings, no socket."""

from __future__ import annotations

import io
from dataclasses import fields, replace
from typing import Any

import httpx
from fastapi import FastAPI

from handrail.adapters.structlog import StructuredLog
from handrail.engine import Engine
from handrail.settings import ServerSettings

SMALL = "small"
CASES = 12
CONCERN = "I stay in bed until noon, everything is grey and I skip my lectures"
DANGER = "I want to kill myself tonight"
OFF_TOPIC = "what is the capital of Mongolia and how many people live there"


def logging_to(stream: io.StringIO, engine: Engine) -> Engine:
    """The engine with a log at its lowest level."""
    return replace(engine, observers=(StructuredLog(level="debug", stream=stream),))


def configured(engine: Engine, **server: Any) -> Engine:
    """The engine under other server settings."""
    settings = engine.settings.model_copy(update={"server": ServerSettings(**server)})
    return replace(engine, settings=settings)


def anew(engine: Engine, **changes: Any) -> Engine:
    """An engine with other parts, which has opened nothing yet."""
    parts = {f.name: getattr(engine, f.name) for f in fields(engine) if f.name[0] != "_"}
    return Engine(**{**parts, **changes})


def client_of(app: FastAPI, **options: Any) -> httpx.AsyncClient:
    """A client that calls ``app`` without a socket; what escapes the app fails the test."""
    transport = httpx.ASGITransport(app, raise_app_exceptions=True)
    return httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000", **options)


async def post(client: httpx.AsyncClient, path: str, status: int = 200, **body: Any) -> Any:
    """The JSON of a reply that has this status."""
    reply = await client.post(path, json=body)
    assert reply.status_code == status, reply.text
    return reply.json()
