"""`AdkAgents` over Google's own client: what it sends a local server, and that it asks no other."""

from __future__ import annotations

import asyncio
import json
import logging
import threading
import traceback
from collections.abc import AsyncIterator, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
import pytest_asyncio

pytest.importorskip("google.adk", reason="the extra 'adk' is not installed")

from adk_sample import FOUR, say, vendor

from handrail.adapters.adk import AdkAgents
from handrail.errors import InvalidSettings, ModelFailed

CANARY = "canary-77b2"
LIMIT = 0.5  # seconds


class Gemini(ThreadingHTTPServer):
    """Speaks ``generateContent``; the word before the canary in the message says how."""

    daemon_threads = True

    def __init__(self) -> None:
        self.seen: list[tuple[str, dict[str, str], dict[str, Any]]] = []
        self.over = threading.Event()
        super().__init__(("127.0.0.1", 0), Handler)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Gemini

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.server.seen.append((self.path, headers, body))
        said = body["contents"][0]["parts"][0]["text"]
        how = said.split()[0]
        if how == "hang":
            self.server.over.wait(10)
        if how.isdigit():
            self._send(int(how), {"error": {"code": int(how), "message": said, "status": "X"}})
        elif how == "elsewhere":
            self.send_response(307)
            self.send_header("Location", "/another")
            self.send_header("Content-Length", "0")
            self.end_headers()
        elif how == "blocked":
            self._send(200, {"promptFeedback": {"blockReason": "SAFETY"}})
        elif how == "empty":
            self._send(200, {})
        else:
            self._send(200, _reply(said))

    def _send(self, status: int, value: object) -> None:
        sent = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(sent)))
        self.end_headers()
        self.wfile.write(sent)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


def _reply(text: str) -> dict[str, Any]:
    parts = [{"text": "musing", "thought": True}, {"text": text}]
    return {
        "candidates": [{"content": {"role": "model", "parts": parts}, "finishReason": "STOP"}],
        "usageMetadata": {"promptTokenCount": 7, "candidatesTokenCount": 3},
        "modelVersion": "gemini-local",
    }


@pytest.fixture
def server() -> Iterator[Gemini]:
    with Gemini() as running:
        thread = threading.Thread(target=running.serve_forever)
        thread.start()
        yield running
        running.over.set()
        running.shutdown()
        thread.join()


@pytest_asyncio.fixture
async def agents(server: Gemini) -> AsyncIterator[AdkAgents]:
    url = f"http://127.0.0.1:{server.server_port}"
    model = AdkAgents("gemini-2.5-flash", FOUR, api_key="key-91", base_url=url)
    yield model
    await model.close()
    await model.close()


@pytest.mark.sockets
async def test_what_google_is_sent_is_the_request_and_no_tool(
    server: Gemini, agents: AdkAgents
) -> None:
    reply = await agents.complete(say(f"good {CANARY}", system='Stay {kind}. {"a": 1}'))
    assert (reply.text, reply.model) == (f"good {CANARY}", "gemini-local")
    assert (reply.prompt_tokens, reply.completion_tokens) == (7, 3)
    ((path, headers, body),) = server.seen
    assert path == "/v1beta/models/gemini-2.5-flash:generateContent"
    assert headers["x-goog-api-key"] == "key-91"
    assert body == {
        "systemInstruction": {"role": "user", "parts": [{"text": 'Stay {kind}. {"a": 1}'}]},
        "contents": [{"role": "user", "parts": [{"text": f"good {CANARY}"}]}],
        "generationConfig": {"temperature": 0.4, "maxOutputTokens": 350},
    }


@pytest.mark.sockets
@pytest.mark.parametrize(
    "how", ["400", "401", "429", "500", "503", "blocked", "empty", "elsewhere"]
)
async def test_every_refusal_is_model_failed_after_one_request(
    how: str, server: Gemini, agents: AdkAgents
) -> None:
    with pytest.raises(ModelFailed) as caught:
        await agents.complete(say(f"{how} {CANARY}"))
    printed = "".join(traceback.format_exception(caught.value))
    assert CANARY not in printed
    assert "127.0.0.1" not in printed
    assert len(server.seen) == 1


@pytest.mark.sockets
async def test_a_call_that_was_cut_off_leaves_the_model_usable(agents: AdkAgents) -> None:
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(agents.complete(say("hang")), LIMIT)
    assert (await agents.complete(say("good"))).text == "good"


@pytest.mark.sockets
@pytest.mark.parametrize("how", ["good", "400", "blocked", "empty"])
async def test_a63_no_log_holds_the_message_or_the_key(
    how: str, agents: AdkAgents, caplog: pytest.LogCaptureFixture, capfd: Any
) -> None:
    vendors = ("google_adk", "google_genai", "httpx", "httpcore", "httpx2", "httpcore2")
    with caplog.at_level(logging.DEBUG):
        for name in (*vendors, "google_adk.google.adk.models.google_llm"):
            caplog.set_level(logging.DEBUG, logger=name)
        try:
            await agents.complete(say(f"{how} {CANARY}"))
        except ModelFailed:
            assert how != "good"
    written = caplog.text + "".join(capfd.readouterr())
    assert CANARY not in written
    assert "key-91" not in written


async def test_without_a_key_nothing_is_asked_of_anybody(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GOOGLE_API_KEY", "GEMINI_API_KEY", "GOOGLE_GENAI_USE_VERTEXAI"):
        monkeypatch.delenv(name, raising=False)
    model = AdkAgents("gemini-2.5-flash", FOUR)
    assert model.name == "gemini-2.5-flash"
    with pytest.raises(ModelFailed):
        await model.complete(say(CANARY))
    await model.close()


@pytest.mark.parametrize("name", ["", "no-such-model", "openai/some-model", "claude-opus-4"])
def test_a_model_that_adk_cannot_serve_is_refused_when_built(name: str) -> None:
    with pytest.raises(InvalidSettings, match="google-adk as installed"):
        AdkAgents(name, FOUR)


@pytest.mark.parametrize("model", ["gpt-4o", vendor()], ids=["by-name", "by-object"])
def test_a_key_for_a_model_that_brings_its_own_is_refused(model: Any) -> None:
    with pytest.raises(InvalidSettings, match="openai adapter"):
        AdkAgents(model, FOUR, api_key="k")
