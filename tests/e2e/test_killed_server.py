"""`handrail serve` killed in the middle of a message; the next one gives the same bytes (A63)."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from handrail.adapters.sqlite import SqliteSessions
from handrail.testing.openai_server import Server

pytestmark = [pytest.mark.sockets, pytest.mark.slow]

ID = "session_killed"
SECONDS = 60.0
SAID = (
    "I'm anxious about a presentation 🙂",
    "everyone will judge me",
    "Fear and shame",
    "About 8",
    "yes, that fits",
)
WROTE = (
    "<ui>That sounds heavy, and it makes sense that it stays with you. What goes through your mind "
    'about it?</ui><control>{"next_phase": "clarify"}</control>'
)
SERVE = "from handrail.cli import main; main()"


class Writer(Server):
    """A model server that keeps whoever asks waiting for as long as it is told."""

    def __init__(self) -> None:
        super().__init__(0, mode="good", script=self.say)
        self.may_write = threading.Event()
        self.may_write.set()

    def say(self, _request: dict[str, Any]) -> str:
        self.may_write.wait(SECONDS)
        return WROTE


@pytest.fixture(scope="module")
def writer() -> Iterator[Writer]:
    writer = Writer()
    thread = threading.Thread(target=writer.serve_forever, daemon=True)
    thread.start()
    yield writer
    writer.may_write.set()
    writer.shutdown()
    writer.server_close()
    thread.join(SECONDS)


@contextmanager
def serving(home: Path, writer: Writer) -> Iterator[tuple[httpx.Client, subprocess.Popen[str]]]:
    """A client of ``handrail serve``, and its process."""
    words = ["--home", str(home), "serve", "--port", "0", "--collection", "nothing"]
    environment = {
        "PATH": os.environ["PATH"],
        "OMP_NUM_THREADS": "1",
        "HANDRAIL_LLM__BASE_URL": f"http://127.0.0.1:{writer.server_port}/v1",
        "HANDRAIL_LLM__MODEL": "m",
        "HANDRAIL_LLM__TIMEOUT_SECONDS": "30",
    }
    command = [sys.executable, "-c", SERVE, *words]
    with subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env=environment
    ) as process:
        assert process.stderr is not None
        try:
            url = process.stderr.readline().split()[-1]
            with httpx.Client(base_url=url, timeout=SECONDS) as client:
                yield client, process
        finally:
            process.kill()


def sent(client: httpx.Client, number: int) -> bytes:
    """The body that answers a message of the session."""
    asked = {"message": SAID[number], "session_id": ID, "message_id": f"m{number}"}
    reply = client.post("/chat", json=asked)
    assert reply.status_code == 200, reply.text
    return reply.content


def until(holds: Callable[[], object]) -> None:
    ends = time.monotonic() + SECONDS
    while not holds():
        assert time.monotonic() < ends
        time.sleep(0.0005)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="module")
def whole(home: Path, writer: Writer) -> list[bytes]:
    """Every body of the session when nobody is killed; then it is forgotten."""
    with serving(home, writer) as (client, _):
        bodies = [sent(client, number) for number in range(len(SAID))]
        assert client.delete(f"/sessions/{ID}").status_code == 204
    return bodies


def test_a63_killed_in_the_middle_of_three_messages_it_goes_on_with_the_same_bytes(
    home: Path, writer: Writer, whole: Sequence[bytes]
) -> None:
    store = SqliteSessions(home / "sessions")
    got = []

    def version() -> int:
        stored = store.load(ID, now=time.time())
        return stored.version if stored else 0

    def killed(number: int, moment: Callable[[], object]) -> None:
        """Send a message, and kill the server once ``moment`` has come."""
        with serving(home, writer) as (client, process), ThreadPoolExecutor(1) as pool:
            got.extend(sent(client, earlier) for earlier in range(len(got), number))
            asked: Future[bytes] = pool.submit(sent, client, number)
            until(lambda: asked.done() or moment())
            process.kill()
            try:
                assert asked.result(SECONDS) == whole[number]
            except httpx.TransportError:  # as a rule: the reply had not gone out
                return

    asked = len(writer.seen)
    writer.may_write.clear()
    killed(0, lambda: len(writer.seen) > asked)  # while the model writes
    writer.may_write.set()
    assert version() == 0
    with store.hold(ID, seconds=SECONDS):
        killed(0, lambda: time.sleep(0.3) or True)  # while it waits for its session
    assert version() == 0
    killed(2, lambda: version() == 3)  # as soon as the turn is written
    assert got == whole[:2]
    with serving(home, writer) as (client, _):
        assert [sent(client, number) for number in range(2, len(SAID))] == whole[2:]
    assert version() == len(SAID)
