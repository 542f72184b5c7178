"""Both ends of a deployment in threads of this process, on real sockets: model server and HTTP."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from random import Random
from typing import Any

import httpx
import uvicorn

from handrail.engine import Engine
from handrail.ports import ChatRequest
from handrail.server.app import create_app
from handrail.server.run import _listener
from handrail.testing.hostile import TEXTS, Play
from handrail.testing.openai_server import Server
from hostile_property import CANARY
from invented_corpus import INVENTED

SECONDS = 20.0


class HostileServer(Server):
    """A model server that says what the present kind makes of each request."""

    def __init__(self) -> None:
        super().__init__(0, mode="good", script=self.say)
        self.kind = "plausible"
        self.seed = 0

    @property
    def url(self) -> str:
        """Its base URL."""
        return f"http://127.0.0.1:{self.server_port}/v1"

    def say(self, request: dict[str, Any]) -> str:
        """One output."""
        return TEXTS[self.kind](Play(_asked(request), Random(self.seed), CANARY))


def _asked(request: dict[str, Any]) -> ChatRequest:
    system, user = (message["content"] for message in request["messages"])
    schema = request["response_format"]["json_schema"]["schema"]
    return ChatRequest(system=system, user=user, schema=schema, schema_name="s", max_tokens=600)


@contextmanager
def hostile_server() -> Iterator[HostileServer]:
    """The model server, while it runs."""
    server = HostileServer()
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join(SECONDS)


@dataclass(frozen=True)
class Face:
    """An engine over HTTP."""

    url: str

    def coach(self, message: str, **more: Any) -> httpx.Response:
        """What /coach replies."""
        return httpx.post(f"{self.url}/coach", json={"query": message, **more}, timeout=SECONDS)

    def get(self, path: str, **headers: str) -> httpx.Response:
        """What a path replies."""
        return httpx.get(f"{self.url}{path}", headers=headers, timeout=SECONDS)


@contextmanager
def over_http(engine: Engine, *, collection: str = INVENTED, ready: bool = True) -> Iterator[Face]:
    """The engine behind uvicorn, ready for questions if ``ready``."""
    listener = _listener("127.0.0.1", 0)
    app = create_app(engine, collection=collection, host="127.0.0.1")
    config = uvicorn.Config(app, access_log=False, log_level="critical", lifespan="on")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    face = Face(f"http://127.0.0.1:{listener.getsockname()[1]}")
    try:
        _until(lambda: server.started)
        if ready:
            _until(lambda: face.get("/ready").status_code == 200)
        yield face
    finally:
        server.should_exit = True
        thread.join(SECONDS)
        listener.close()
        assert not thread.is_alive(), "the server hangs"


def _until(holds: Any) -> None:
    ends = time.monotonic() + SECONDS
    while not holds():
        assert time.monotonic() < ends
        with suppress(InterruptedError):
            time.sleep(0.02)
