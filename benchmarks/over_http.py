"""What a client on the same machine waits for, against a real server in a process of its own."""

from __future__ import annotations

import http.client
import json
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from children import command, environment, peak_megabytes
from figures import Figure, Skip, single, times
from material import Material

WARM = 20
ROUTES = ("/search_cases", "/coach")
PATIENCE_SECONDS = 60


def measure(material: Material, home: Path, *, rounds: int) -> list[Figure]:
    """Latency of both routes over one kept connection, then the server's peak memory."""
    figures = []
    with _server(home, material.name) as (process, address), _connection(address) as connection:
        for route in ROUTES:
            for text in material.questions[:WARM]:
                _ask(connection, route, text)
            asked = material.questions * rounds
            figures += times(f"http{route}", [_ask(connection, route, text) for text in asked])
        figures.append(single("memory.serving_peak", "MB", peak_megabytes(process.pid)))
    return figures


@contextmanager
def _server(home: Path, collection: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A server that has announced its address; it is stopped afterwards."""
    with subprocess.Popen(
        command("child_server.py", home, collection),
        env=environment(),
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        try:
            address = process.stdout.readline().strip()
            if not address:
                raise Skip("the server did not start")
            yield process, address
        finally:
            process.terminate()


@contextmanager
def _connection(address: str) -> Iterator[http.client.HTTPConnection]:
    place = urlsplit(address)
    connection = http.client.HTTPConnection(
        place.hostname or "", place.port, timeout=PATIENCE_SECONDS
    )
    try:
        connection.connect()
        connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        _wait(connection)
        yield connection
    finally:
        connection.close()


def _wait(connection: http.client.HTTPConnection) -> None:
    """Until the collection is open and questions are answered."""
    until = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < until:
        if _send(connection, ROUTES[0], "a question") == http.client.OK:
            return
        time.sleep(0.2)
    raise Skip("the server did not become ready")


def _ask(connection: http.client.HTTPConnection, route: str, text: str) -> float:
    begun = time.perf_counter()
    status = _send(connection, route, text)
    if status != http.client.OK:
        raise Skip(f"{route} answered {status}")
    return (time.perf_counter() - begun) * 1000


def _send(connection: http.client.HTTPConnection, route: str, text: str) -> int:
    body = json.dumps({"query": text})
    connection.request("POST", route, body, {"Content-Type": "application/json"})
    response = connection.getresponse()
    response.read()
    return response.status
