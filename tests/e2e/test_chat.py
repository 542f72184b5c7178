"""A session over a real socket: streams cut by the client and taken up again."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

pytestmark = pytest.mark.sockets

STREAM = {"Accept": "text/event-stream"}
EXCHANGE = (
    "I'm anxious about a presentation",
    "everyone will judge me",
    "Fear and shame",
    "About 8",
    "I want to hurt myself",
)
PROGRAM = """
import sys
from pathlib import Path
from handrail.bootstrap import build_engine
from handrail.server.run import serve
from handrail.settings import Settings

engine = build_engine(Settings(home=Path(sys.argv[1])))
engine.sessions
serve(engine, "127.0.0.1", 0, "small", announce=lambda url: print(url, flush=True))
"""


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server with an empty home: a session needs no collection."""
    command = [sys.executable, "-c", PROGRAM, str(tmp_path_factory.mktemp("home"))]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
        process.kill()


@pytest.fixture
def client(url: str) -> Iterator[httpx.Client]:
    """A client of that server."""
    with httpx.Client(base_url=url, timeout=60) as client:
        yield client


def last_id(part: bytes) -> str:
    """The id of the last event in ``part``."""
    ids = [line for line in part.decode().split("\n") if line.startswith("id: ")]
    return ids[-1].removeprefix("id: ") if ids else ""


def cut_after(client: httpx.Client, asked: dict[str, str], count: int) -> bytes:
    """The first ``count`` events; then the connection is gone."""
    come = b""
    with client.stream("POST", "/chat", json=asked, headers=STREAM) as reply:
        for chunk in reply.iter_raw():
            come += chunk
            if come.count(b"\n\n") >= count:
                break
    return b"".join(event + b"\n\n" for event in come.split(b"\n\n")[:count])


def test_a_stream_cut_after_every_event_is_taken_up_byte_for_byte(client: httpx.Client) -> None:
    for at, message in enumerate(EXCHANGE):
        asked = {"session_id": "cut", "message_id": f"m-{at}", "message": message}
        first = cut_after(client, asked, 1)  # the turn is made by a stream that breaks
        whole = client.post("/chat", json=asked, headers=STREAM).content
        assert whole.startswith(first)
        for count in range(1, whole.count(b"\n\n")):
            come = cut_after(client, asked, count)
            since = {"Last-Event-ID": last_id(come)}
            rest = client.post("/chat", json=asked, headers={**STREAM, **since})
            again = client.get("/sessions/cut/events", headers=since)
            assert come + rest.content == whole
            assert come + again.content == whole


def test_json_is_the_same_on_every_connection(client: httpx.Client, url: str) -> None:
    asked = {"session_id": "same", "message_id": "m-1", "message": EXCHANGE[0]}
    first = client.post("/chat", json=asked)
    assert first.status_code == 200
    assert httpx.post(f"{url}/chat", json=asked, timeout=60).content == first.content


def test_a63_a_session_outlives_its_server(tmp_path: Path) -> None:
    bodies = []
    for message in EXCHANGE[:2]:
        command = [sys.executable, "-c", PROGRAM, str(tmp_path)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            url = process.stdout.readline().strip()
            asked = {"session_id": "outlives", "message": message}
            bodies.append(httpx.post(f"{url}/chat", json=asked, timeout=60).json())
            process.kill()
    assert [body["turn"] for body in bodies] == [1, 2]
    assert bodies[1]["state"]["progress"]["situation"] == EXCHANGE[0]
