"""The server as people run it: its own process, a real socket, a real signal."""

from __future__ import annotations

import http.client
import json
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from handrail.bootstrap import build_engine
from handrail.content import corpora
from handrail.engine import STARTER
from handrail.errors import InvalidInput, InvalidSettings
from handrail.server.run import serve
from handrail.settings import ServerSettings, Settings

pytestmark = pytest.mark.sockets

CONCERN = "I stay in bed until noon, everything is grey and I skip my lectures"
CANARY = "canarysaid"
PROGRAM = """
import sys
from pathlib import Path
from handrail.adapters.structlog import StructuredLog
from handrail.bootstrap import build_engine
from handrail.server.run import serve
from handrail.settings import Settings

engine = build_engine(Settings(home=Path(sys.argv[1])), observers=[StructuredLog(level="info")])
serve(engine, "127.0.0.1", 0, "small", announce=lambda url: print(url, flush=True))
"""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with a small collection."""
    home = tmp_path_factory.mktemp("home")
    file = home / "small.ndjson"
    lines = corpora(STARTER)[0].read_text(encoding="utf-8").splitlines()[:12]
    file.write_text("\n".join(lines), encoding="utf-8")
    build_engine(Settings(home=home)).add(file, collection="small")
    return home


@contextmanager
def running(home: Path, log: Path) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """The server's address and process; what it writes to standard error lands in ``log``."""
    command = [sys.executable, "-c", PROGRAM, str(home)]
    with (
        log.open("w") as err,
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=err, text=True) as process,
    ):
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip(), process
        finally:
            process.kill()


@pytest.fixture(scope="module")
def url(home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server whose collection is open."""
    with running(home, tmp_path_factory.mktemp("log") / "shared.log") as (url, _):
        until_ready(url)
        yield url


def until_ready(url: str, seconds: float = 60) -> None:
    ends = time.monotonic() + seconds
    while httpx.get(f"{url}/ready").status_code != 200:
        assert time.monotonic() < ends
        time.sleep(0.05)


def test_c40_c42_c43_search_then_coach(url: str) -> None:
    found = httpx.post(f"{url}/search_cases", json={"query": CONCERN}).json()
    chosen = [case["id"] for case in found["cases"]]
    reply = httpx.post(f"{url}/coach", json={"query": CONCERN, "case_ids": chosen})
    body = reply.json()
    assert (reply.status_code, body["outcome"]) == (200, "answer")
    assert "Try today:" in body["answer"]
    stored = {case: httpx.get(f"{url}/cases/{case}").json()["response"] for case in chosen}
    for cited in body["citations"]:
        quote = stored[cited["case_id"]][cited["start"] : cited["end"]]
        assert quote in body["answer"]


def test_the_same_message_gets_the_same_bytes_from_many_at_once(url: str) -> None:
    def ask(_: int) -> tuple[str, str]:
        body = httpx.post(f"{url}/coach", json={"query": CONCERN}, timeout=60).json()
        return body["answer"], body["receipt"]["id"]

    with ThreadPoolExecutor(8) as pool:
        assert len(set(pool.map(ask, range(24)))) == 1


def test_no_reply_waits_for_an_acknowledgement(url: str) -> None:
    def milliseconds() -> float:
        begun = time.perf_counter()
        client.get("/health")
        return (time.perf_counter() - begun) * 1000

    with httpx.Client(base_url=url) as client:
        assert min(milliseconds() for _ in range(20)) < 30  # with delayed acknowledgements 40


def test_a_chunked_body_without_a_length_is_stopped_at_the_limit(url: str) -> None:
    def chunks() -> Iterator[bytes]:
        for _ in range(64):
            yield b"x" * 16_384

    headers = {"Content-Type": "application/json"}
    try:
        reply = httpx.post(f"{url}/coach", content=chunks(), headers=headers)
    except httpx.WriteError:  # the server had closed before the rest was sent
        return
    assert (reply.status_code, reply.json()["code"]) == (413, "body-too-large")


def test_another_host_name_is_turned_away(url: str) -> None:
    connection = http.client.HTTPConnection(url.removeprefix("http://"), timeout=10)
    connection.request("GET", "/metrics", headers={"Host": "rebound.example"})
    reply = connection.getresponse()
    assert (reply.status, json.loads(reply.read())["code"]) == (421, "unknown-host")
    connection.close()


def test_bytes_that_are_no_http_do_not_stop_the_server(url: str) -> None:
    host, _, port = url.removeprefix("http://").partition(":")
    with socket.create_connection((host, int(port)), timeout=10) as raw:
        raw.sendall(b"\x16\x03\x01\x02\x00 this is not HTTP\r\n\r\n")
        raw.recv(1024)
    assert httpx.get(f"{url}/health").status_code == 200


def test_a_client_that_leaves_is_counted_and_costs_no_worker(url: str) -> None:
    host, _, port = url.removeprefix("http://").partition(":")
    head = b"POST /coach HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    for _ in range(8):
        with socket.create_connection((host, int(port)), timeout=10) as raw:
            raw.sendall(head + b"Content-Length: 5000\r\n\r\n{")
    assert httpx.post(f"{url}/coach", json={"query": CONCERN}).status_code == 200
    ends = time.monotonic() + 10
    while "499" not in httpx.get(f"{url}/metrics").json()["requests"].get("unmatched", {}):
        assert time.monotonic() < ends
        time.sleep(0.05)


def test_c46_c48_one_json_line_a_run_no_text_and_a_clean_end(home: Path, tmp_path: Path) -> None:
    log = tmp_path / "run.log"
    with running(home, log) as (url, process):
        until_ready(url)
        httpx.post(f"{url}/coach", json={"query": f"{CONCERN} {CANARY}"})
        httpx.get(f"{url}/cases/{CANARY}")
        httpx.post(f"{url}/coach", content=CANARY)
        process.send_signal(signal.SIGTERM)
        out, _ = process.communicate(timeout=30)
    err = log.read_text(encoding="utf-8")
    assert process.returncode in (0, -signal.SIGTERM)
    lines = [json.loads(line) for line in err.splitlines()]
    assert [line["flow"] for line in lines] == ["coach"]
    assert out == ""
    assert CANARY not in err


def test_an_address_that_is_taken_says_so(home: Path) -> None:
    engine = build_engine(Settings(home=home))
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(InvalidInput, match=f"port {port}"):
            serve(engine, "127.0.0.1", port, "small")


def test_beyond_loopback_it_does_not_start_without_keys(home: Path) -> None:
    engine = build_engine(Settings(home=home, server=ServerSettings()))
    with pytest.raises(InvalidSettings, match="API_KEYS"):
        serve(engine, "0.0.0.0", 0, "small")
