"""The app over a real engine and a dozen real cases, called in this process."""

from __future__ import annotations

import io
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI
from server_app import CASES, SMALL, client_of, logging_to

from guide_sample import guide_engine, over, small_store
from handrail.bootstrap import build_engine
from handrail.content import corpora
from handrail.engine import STARTER, Engine
from handrail.server.app import create_app
from handrail.settings import Settings


@pytest.fixture(scope="session")
def small_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with the first dozen of the starter cases."""
    lines = corpora(STARTER)[0].read_text(encoding="utf-8").splitlines()[:CASES]
    path = tmp_path_factory.mktemp("files") / "small.ndjson"
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def engine(tmp_path_factory: pytest.TempPathFactory, small_file: Path) -> Engine:
    """An engine without a model, with that collection."""
    engine = build_engine(Settings(home=tmp_path_factory.mktemp("home")))
    engine.add(small_file, collection=SMALL)
    engine.coach_for(SMALL)
    assert engine.sessions.model is None  # built here, so that every app shares them
    return over(engine, small_store())  # which is warmed behind every app in a second


@pytest.fixture(scope="session")
def guiding(tmp_path_factory: pytest.TempPathFactory) -> Engine:
    """An engine with a guide and without a collection; its embedder needs no model."""
    return guide_engine(tmp_path_factory.mktemp("guide-home"))


@pytest.fixture
def log() -> io.StringIO:
    """What the structured log wrote."""
    return io.StringIO()


@pytest.fixture
def app(engine: Engine, log: io.StringIO) -> FastAPI:
    """An app over the small collection, on loopback, without keys."""
    return create_app(logging_to(log, engine), collection=SMALL, host="127.0.0.1")


@pytest.fixture
async def client(app: FastAPI) -> AsyncIterator[httpx.AsyncClient]:
    """A client of the app."""
    async with client_of(app) as client:
        yield client
