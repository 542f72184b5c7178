"""A real local server that speaks ``POST /v1/embeddings``, well or badly on request.

``python -m handrail.testing.embedding_server`` prints its base URL. The vectors are those of
`HashEmbedder`, not at unit length. A request whose model is named like a mode gets that mode.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, TypeAlias

from handrail.testing.hash_embedder import HashEmbedder

Rows: TypeAlias = list[list[float]]

DIM = 32
_EMBEDDER = HashEmbedder(DIM)


class Handler(BaseHTTPRequestHandler):
    """One connection; it stays open, as with servers in earnest."""

    protocol_version = "HTTP/1.1"
    seen: list[dict[str, Any]] = []

    def do_GET(self) -> None:
        """What has been asked so far: path, names of headers, and body."""
        self.send_json(200, self.seen)

    def do_POST(self) -> None:
        """Answer in the mode that the model names."""
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        headers = sorted(name.lower() for name in self.headers)
        self.seen.append({"path": self.path, "headers": headers, "body": request})
        rows: Rows = (3 * _EMBEDDER.embed_documents(request["input"])).tolist()
        MODES.get(request["model"], _good)(self, rows)

    def send_json(self, status: int, value: object) -> None:
        """A JSON body."""
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def send_rows(self, rows: Rows) -> None:
        """The envelope around vectors, last one first: the index decides, not the order."""
        data = [
            {"object": "embedding", "index": place, "embedding": row}
            for place, row in enumerate(rows)
        ]
        usage = {"prompt_tokens": 1, "total_tokens": 1}
        reply = {"object": "list", "data": data[::-1], "model": "local-model", "usage": usage}
        self.send_json(200, reply)

    def log_message(self, format: str, *args: object) -> None:
        """Stay silent: a log would hold what people wrote."""


def _good(handler: Handler, rows: Rows) -> None:
    handler.send_rows(rows)


def _too_few(handler: Handler, rows: Rows) -> None:
    handler.send_rows(rows[1:])


def _uneven(handler: Handler, rows: Rows) -> None:
    handler.send_rows([rows[0][1:], *rows])


def _no_length(handler: Handler, rows: Rows) -> None:
    handler.send_rows([[0.0] * DIM for _ in rows])


def _grown(handler: Handler, rows: Rows) -> None:
    handler.send_rows([row * len(rows) for row in rows])


def _no_numbers(handler: Handler, _rows: Rows) -> None:
    handler.send_json(200, {"object": "list", "data": [{"index": 0, "embedding": "none"}]})


def _refused(handler: Handler, _rows: Rows) -> None:
    asked = handler.seen[-1]["body"]["input"]
    handler.send_json(400, {"error": {"message": f"refused: {asked}", "type": "error"}})


MODES: dict[str, Callable[[Handler, Rows], None]] = {
    "good": _good,
    "too-few": _too_few,
    "uneven": _uneven,
    "no-length": _no_length,
    "grown": _grown,
    "no-numbers": _no_numbers,
    "refused": _refused,
}


@contextmanager
def embedding_server() -> Iterator[str]:
    """Run the server in a process of its own; yields its base URL, which ends in ``/v1``."""
    command = [sys.executable, "-m", "handrail.testing.embedding_server"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:  # noqa: S603
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.terminate()


def main() -> None:
    """Serve until the process ends."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    print(f"http://127.0.0.1:{server.server_port}/v1", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
