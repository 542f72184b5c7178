"""A real local server that speaks ``POST /v1/chat/completions``, well or badly on request.

``python -m handrail.testing.openai_server --port 0 --mode good`` prints its base URL. A request
whose model is named like a mode gets that mode, so that one process serves a whole test module.
``--script FILE.py:FUNCTION`` takes over the content: the function gets the parsed request and
returns the text. ``GET /requests`` lists what was asked: path, names of headers, and body.
"""

from __future__ import annotations

import argparse
import json
import runpy
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, TypeAlias

from handrail.testing.schema_sample import choose, forge

Script: TypeAlias = Callable[[dict[str, Any]], str]

SLOW_SECONDS = 30.0
DRIP_SECONDS = 0.02
HUGE_CHARS = 8_000_000


class Handler(BaseHTTPRequestHandler):
    """One connection; HTTP/1.1, so that clients keep it open as they would in earnest."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # else each reply waits 40 ms for an acknowledgement
    server: Server

    def do_GET(self) -> None:
        """What has been asked so far."""
        self.send_json(200, self.server.seen)

    def do_POST(self) -> None:
        """Answer in the mode that the request's model names, else in the server's."""
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        seen = {"path": self.path, "headers": sorted(k.lower() for k in self.headers)}
        self.server.seen.append({**seen, "body": request})
        mode = MODES.get(str(request.get("model")), MODES[self.server.mode])
        mode(self, request)

    def complete(self, content: str) -> None:
        """A completion with this content."""
        self.send_json(200, completion(content))

    def send_json(self, status: int, value: object) -> None:
        """A JSON body."""
        self.send_bytes(status, json.dumps(value).encode())

    def send_bytes(self, status: int, body: bytes, headers: Mapping[str, str] = {}) -> None:
        """A complete reply."""
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", **headers}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Stay silent: a log would hold what people wrote."""


class Server(ThreadingHTTPServer):
    """Answers each connection in its own thread."""

    daemon_threads = True

    def __init__(self, port: int, *, mode: str, script: Script) -> None:
        super().__init__(("127.0.0.1", port), Handler)
        self.mode = mode
        self.script = script
        self.seen: list[dict[str, Any]] = []

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hangs up in the middle is part of the play."""


def completion(content: str) -> dict[str, Any]:
    """The envelope around a model's text."""
    message = {"role": "assistant", "content": content}
    return {
        "id": "chatcmpl-local",
        "object": "chat.completion",
        "created": 0,
        "model": "local-model",
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 7, "completion_tokens": 5, "total_tokens": 12},
    }


def _good(handler: Handler, request: dict[str, Any]) -> None:
    handler.complete(handler.server.script(request))


def _forged(handler: Handler, request: dict[str, Any]) -> None:
    handler.complete(forge(request))


def _echo(handler: Handler, request: dict[str, Any]) -> None:
    handler.complete(request["messages"][-1]["content"])


def _invalid(handler: Handler, request: dict[str, Any]) -> None:
    handler.complete(handler.server.script(request)[:-1])


def _not_utf8(handler: Handler, request: dict[str, Any]) -> None:
    body = json.dumps(completion(handler.server.script(request) + " \x00")).encode()
    handler.send_bytes(200, body.replace(rb"\u0000", b"\xff\xfe\x80"))


def _slow(handler: Handler, request: dict[str, Any]) -> None:
    time.sleep(SLOW_SECONDS)
    _good(handler, request)


def _hang_once(handler: Handler, request: dict[str, Any]) -> None:
    (_slow if len(handler.server.seen) == 1 else _echo)(handler, request)


def _drip(handler: Handler, request: dict[str, Any]) -> None:
    body = json.dumps(completion(handler.server.script(request))).encode()
    handler.send_response(200)
    handler.send_header("Content-Length", str(len(body) + 100_000))
    handler.end_headers()
    for byte in body + b" " * 100_000:
        handler.wfile.write(bytes([byte]))
        time.sleep(DRIP_SECONDS)


def _endless_500(handler: Handler, _request: dict[str, Any]) -> None:
    handler.send_response(500)
    handler.send_header("Content-Length", "100000")
    handler.end_headers()
    time.sleep(SLOW_SECONDS)


def _huge(handler: Handler, request: dict[str, Any]) -> None:
    handler.complete(handler.server.script(request) + " " * HUGE_CHARS)


def _drop(handler: Handler, _request: dict[str, Any]) -> None:
    handler.send_response(200)
    handler.send_header("Content-Length", "100")
    handler.end_headers()
    handler.wfile.write(b'{"choices": [')
    handler.close_connection = True


def _redirect(handler: Handler, _request: dict[str, Any]) -> None:
    handler.send_bytes(307, b"", {"Location": "/elsewhere"})


def _found(handler: Handler, _request: dict[str, Any]) -> None:
    handler.send_bytes(302, b"", {"Location": "/elsewhere"})


def _no_body(handler: Handler, _request: dict[str, Any]) -> None:
    handler.send_bytes(200, b"")


def _html(handler: Handler, request: dict[str, Any]) -> None:
    page = f"<html><body>{handler.server.script(request)}</body></html>"
    handler.send_bytes(200, page.encode("utf-8", "replace"), {"Content-Type": "text/html"})


def _wordless(**said: object) -> Callable[[Handler, dict[str, Any]], None]:
    def answer(handler: Handler, request: dict[str, Any]) -> None:
        """A message without content, and the text where nobody looks for it."""
        text = handler.server.script(request)
        message = {"role": "assistant", "content": None}
        message |= json.loads(json.dumps(said).replace('"TEXT"', json.dumps(text)))
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        handler.send_json(200, completion("") | {"choices": [choice]})

    return answer


_CALL = {"id": "call-1", "type": "function", "function": {"name": "say", "arguments": "TEXT"}}


def _no_choices(handler: Handler, _request: dict[str, Any]) -> None:
    handler.send_json(200, completion("") | {"choices": []})


def _no_schema(handler: Handler, request: dict[str, Any]) -> None:
    form = request.get("response_format", {}).get("type")
    _status(400)(handler, request) if form == "json_schema" else _good(handler, request)


def _no_format(handler: Handler, request: dict[str, Any]) -> None:
    _status(422)(handler, request) if "response_format" in request else _good(handler, request)


def _status(code: int) -> Callable[[Handler, dict[str, Any]], None]:
    def answer(handler: Handler, request: dict[str, Any]) -> None:
        """An error that repeats the prompt, as some servers do."""
        asked = request["messages"][-1]["content"]
        handler.send_json(code, {"error": {"message": f"refused: {asked}", "type": "error"}})

    return answer


MODES: dict[str, Callable[[Handler, dict[str, Any]], None]] = {
    "good": _good,
    "echo": _echo,
    "forged-refs": _forged,
    "invalid-json": _invalid,
    "not-utf8": _not_utf8,
    "slow": _slow,
    "hang-once": _hang_once,
    "drip": _drip,
    "huge": _huge,
    "drop": _drop,
    "redirect": _redirect,
    "302": _found,
    "no-body": _no_body,
    "html": _html,
    "tool-call": _wordless(tool_calls=[_CALL]),
    "refusal": _wordless(refusal="TEXT"),
    "no-choices": _no_choices,
    "no-schema": _no_schema,
    "no-format": _no_format,
    "400": _status(400),
    "401": _status(401),
    "429": _status(429),
    "500": _status(500),
    "500-endless": _endless_500,
}


@contextmanager
def local_server(mode: str = "good", *, script: str | None = None) -> Iterator[str]:
    """Run the server in a process of its own; yields its base URL, which ends in ``/v1``."""
    command = [sys.executable, "-m", "handrail.testing.openai_server", "--mode", mode]
    command += ["--script", script] if script else []
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:  # noqa: S603
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.terminate()


def load_script(reference: str) -> Script:
    """The function of ``FILE.py:FUNCTION``."""
    path, _, name = reference.rpartition(":")
    script: Script = runpy.run_path(path)[name]
    return script


def main() -> None:
    """Serve until the process ends."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one")
    parser.add_argument("--mode", choices=sorted(MODES), default="good")
    parser.add_argument("--script", help="FILE.py:FUNCTION that returns the content")
    options = parser.parse_args()
    script = load_script(options.script) if options.script else choose
    server = Server(options.port, mode=options.mode, script=script)
    print(f"http://127.0.0.1:{server.server_port}/v1", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
