"""CPU work leaves the event loop, builds answer 503 meanwhile, and nobody's work outlives them."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import httpx
import pytest
from asgi import send
from fastapi import FastAPI
from server_app import SMALL, anew, client_of, configured

from handrail.adapters.minilm import MiniLmEmbedder
from handrail.bootstrap import build_engine
from handrail.engine import STARTER, Engine
from handrail.ports import Reading
from handrail.server.app import create_app

if TYPE_CHECKING:
    from handrail.ports import Matrix, Vector

SECONDS = 30


class Held(MiniLmEmbedder):
    """The packaged embedder, which waits where a test tells it to."""

    def __init__(self) -> None:
        super().__init__()
        self.may_go = threading.Event()
        self.waiting = threading.Event()
        self.calls = 0

    def hold(self) -> None:
        self.may_go.clear()
        self.waiting.clear()
        self.calls = 0

    def _wait(self) -> None:
        self.calls += 1
        self.waiting.set()
        assert self.may_go.wait(SECONDS)

    def embed_query(self, text: str) -> Vector:
        self._wait()
        return super().embed_query(text)

    def embed_documents(self, texts: Sequence[str]) -> Matrix:
        self._wait()
        return super().embed_documents(texts)

    def read(self, texts: Sequence[str]) -> list[Reading]:
        self._wait()
        return super().read(texts)


@pytest.fixture
def embedder() -> Iterator[Held]:
    held = Held()
    yield held
    held.may_go.set()


@pytest.fixture
def held_engine(engine: Engine, embedder: Held) -> Engine:
    """One worker, whose embedder waits; the small collection lies open beside it."""
    embedder.may_go.set()
    made = configured(build_engine(engine.settings, embedder=embedder), workers=1)
    made.coach_for(SMALL)
    embedder.hold()
    return made


@pytest.fixture
async def client(held_engine: Engine) -> AsyncIterator[httpx.AsyncClient]:
    app = create_app(held_engine, collection=SMALL, host="127.0.0.1")
    async with client_of(app) as client:
        yield client


def posting(client: httpx.AsyncClient, query: str = "I feel low") -> asyncio.Task[httpx.Response]:
    return asyncio.create_task(client.post("/coach", json={"query": query}))


async def until_waiting(embedder: Held) -> None:
    assert await asyncio.to_thread(embedder.waiting.wait, SECONDS)


async def test_the_loop_answers_while_a_question_is_worked_on(
    client: httpx.AsyncClient, embedder: Held
) -> None:
    asked = posting(client)
    await until_waiting(embedder)
    assert (await client.get("/health")).status_code == 200
    assert (await client.get("/metrics")).json()["coach_requests"] == 0
    embedder.may_go.set()
    assert (await asked).status_code == 200


async def test_work_that_had_not_begun_goes_with_its_client(
    held_engine: Engine, embedder: Held
) -> None:
    app = create_app(held_engine, collection=SMALL, host="127.0.0.1")
    async with client_of(app) as client:
        first = posting(client)
        await until_waiting(embedder)
        body = json.dumps({"query": "somebody who does not wait"}).encode()
        left = await send(
            app,
            path="/coach",
            headers=[("Content-Type", "application/json")],
            parts=[body],
            then={"type": "http.disconnect"},
        )
        embedder.may_go.set()
        assert (await first).status_code == 200
        await client.post("/check", json={"text": "a"})  # the one worker has come past the other
        counted = (await client.get("/metrics")).json()
    assert left.status == 0
    assert embedder.calls == 2  # the first concern and the check, not the one that left
    assert counted["requests"]["POST /coach"] == {"200": 1, "499": 1}


@pytest.fixture
def building(held_engine: Engine, tmp_path: Path) -> FastAPI:
    """An app over a collection that does not exist yet, in a home of its own."""
    settings = held_engine.settings.model_copy(update={"home": tmp_path})
    library = replace(held_engine.library, home=tmp_path)
    fresh = anew(held_engine, settings=settings, library=library)
    return create_app(fresh, collection="fresh", host="127.0.0.1")


async def test_c51_while_the_first_index_is_built_the_answer_is_503(
    building: FastAPI, embedder: Held, small_file: Path
) -> None:
    async with client_of(building) as client:
        build = await client.post("/index", json={"path": str(small_file)})
        await until_waiting(embedder)
        replies = [
            await client.post("/coach", json={"query": "I feel low"}),
            await client.post("/search_cases", json={"query": "I feel low"}),
            await client.get(f"/cases/{'0' * 16}"),
            await client.get("/ready"),
        ]
        for reply in replies:
            assert (reply.status_code, reply.json()["code"]) == (503, "index-not-ready")
            assert reply.json()["detail"].startswith("index building")
            assert reply.headers["retry-after"].isdecimal()
        assert replies[0].json()["resources"]
        second = await client.post("/index", json={"path": str(small_file)})
        assert (second.status_code, second.json()["code"]) == (409, "collection-busy")
        embedder.may_go.set()
        await building.state.service.builds.wait(
            building.state.service.builds.get(build.json()["id"])
        )
        assert (await client.get("/ready")).status_code == 200
        assert (await client.post("/coach", json={"query": "I feel low"})).status_code == 200


async def test_c51_the_packaged_corpus_is_built_at_the_first_start(
    held_engine: Engine, embedder: Held, tmp_path: Path
) -> None:
    library = replace(held_engine.library, home=tmp_path)
    app = create_app(anew(held_engine, library=library), collection=STARTER, host="127.0.0.1")
    async with client_of(app) as client, app.router.lifespan_context(app):
        await until_waiting(embedder)
        reply = await client.get("/ready")
        assert reply.json()["detail"].startswith("index building")
        build = app.state.service.builds.running
        assert build.collection == STARTER
        build.stop.set()
        embedder.may_go.set()
        await app.state.service.builds.wait(build)
        assert build.state == "cancelled"


async def test_a_damaged_index_stops_no_start_and_is_told_of(
    engine: Engine, tmp_path: Path
) -> None:
    folder = tmp_path / "collections" / STARTER
    folder.mkdir(parents=True)
    (folder / "current").write_text("nonsense")
    damaged = anew(engine, library=replace(engine.library, home=tmp_path))
    app = create_app(damaged, collection=STARTER, host="127.0.0.1")
    async with client_of(app) as client, app.router.lifespan_context(app):
        app.state.service.opening.join()
        reply = await client.get("/ready")
        assert (reply.status_code, reply.json()["code"]) == (503, "index-corrupt")


@pytest.fixture
def many(tmp_path: Path) -> Path:
    """Enough cases for several batches, between which a build looks whether it should stop."""
    file = tmp_path / "many.ndjson"
    lines = [{"Context": f"worry {at}", "Response": f"Reply {at} is here."} for at in range(200)]
    file.write_text("\n".join(map(json.dumps, lines)))
    return file


async def test_c39_a_build_can_be_stopped(building: FastAPI, embedder: Held, many: Path) -> None:
    async with client_of(building) as client:
        where = (await client.post("/index", json={"path": str(many)})).headers["location"]
        await until_waiting(embedder)
        assert (await client.delete(where)).status_code == 202
        embedder.may_go.set()
        body = (await client.get(where)).json()
        while body["state"] == "running":
            await asyncio.sleep(0.02)
            body = (await client.get(where)).json()
        assert body["state"] == "cancelled"
        assert (await client.get("/ready")).status_code == 503


async def test_the_lifespan_stops_builds_and_threads(
    building: FastAPI, embedder: Held, many: Path
) -> None:
    service = building.state.service
    async with client_of(building) as client, building.router.lifespan_context(building):
        started = (await client.post("/index", json={"path": str(many)})).json()
        await until_waiting(embedder)
        asyncio.get_running_loop().call_later(0.1, embedder.may_go.set)
    assert service.builds.get(started["id"]).state == "cancelled"
    with pytest.raises(RuntimeError, match="shutdown"):
        await service.offload(int)
