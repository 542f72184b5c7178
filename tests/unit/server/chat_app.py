"""Sessions over HTTP in this process: an app on the shared engine, with parts exchanged."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import httpx
from fastapi import FastAPI
from server_app import SMALL, configured

from handrail.domain.outcome import Referral
from handrail.engine import Engine
from handrail.errors import StoreFailed
from handrail.ports import ChatReply, ChatRequest, SessionStore, StoredSession
from handrail.server.app import create_app

STREAM = {"Accept": "text/event-stream"}
OPENER = "I'm anxious about a presentation"
DANGER = "I want to hurt myself"
EXCHANGE = (
    OPENER,
    "everyone will judge me",
    "Fear and shame",
    "About 8",
    DANGER,
    "I am in Ireland",
)


def chat_app(engine: Engine, *, sessions: dict[str, Any] | None = None, **server: Any) -> FastAPI:
    """An app whose sessions have other parts, under other server settings."""
    if server:
        engine = configured(engine, **server)
    if sessions:
        engine = replace(engine, _sessions=replace(engine.sessions, **sessions))
    return create_app(engine, collection=SMALL, host="127.0.0.1")


async def say(client: httpx.AsyncClient, session_id: str, message: str, **more: Any) -> Any:
    """The body of one turn as JSON."""
    reply = await client.post("/chat", json={"session_id": session_id, "message": message, **more})
    assert reply.status_code == 200, reply.text
    return reply.json()


class SlowModel:
    """A model that writes nothing of use, and only when it is told to."""

    name = "slow"

    def __init__(self) -> None:
        self.asked = asyncio.Event()
        self.go = asyncio.Event()

    async def complete(self, request: ChatRequest) -> ChatReply:
        self.asked.set()
        await self.go.wait()
        return ChatReply(text="", model=self.name)

    async def close(self) -> None:
        return


class BrokenStore:
    """A store on a full disk."""

    @contextmanager
    def hold(self, session_id: str, *, seconds: float) -> Iterator[None]:
        yield

    def load(self, session_id: str, *, now: float) -> StoredSession | None:
        return None

    def save(self, session_id: str, body: bytes, **of: Any) -> int:
        raise StoreFailed("'conversations.sqlite3' has no room left. Free some space on its disk")

    def delete(self, session_id: str) -> bool:
        return False

    def purge(self, *, now: float) -> int:
        return 0


class GatedStore:
    """A store that reads nothing before it is told to."""

    def __init__(self, store: SessionStore) -> None:
        self._store = store
        self.entered, self.go = threading.Event(), threading.Event()
        self.hold, self.save = store.hold, store.save
        self.delete, self.purge = store.delete, store.purge

    def load(self, session_id: str, *, now: float) -> StoredSession | None:
        self.entered.set()
        self.go.wait()
        return self._store.load(session_id, now=now)


class Told:
    """A hand-off hook that remembers."""

    def __init__(self) -> None:
        self.referrals: list[Referral] = []

    def referred(self, referral: Referral) -> None:
        self.referrals.append(referral)
