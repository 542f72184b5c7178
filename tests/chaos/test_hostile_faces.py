"""A hostile model behind HTTP and behind the command line, reached by URL as in earnest (C65)."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from loopback import Face, HostileServer, hostile_server, over_http
from typer.testing import CliRunner

from handrail.adapters.openai.chat import OpenAIChat
from handrail.adapters.structlog import StructuredLog
from handrail.bootstrap import build_engine
from handrail.cli import app
from handrail.engine import Engine
from handrail.settings import LLMSettings, Settings
from handrail.testing.hash_embedder import HashEmbedder
from handrail.testing.hostile import TEXTS
from handrail.testing.openai_server import MODES
from hostile_property import CANARY, DANGER, MESSAGES, PASSING, body_faults, names_only, planted
from invented_corpus import EXAM, INVENTED, write_corpus

pytestmark = pytest.mark.sockets

LIMIT = 0.4  # seconds for the model; C30's four, scaled down
CLI_LIMIT = 2.0  # a command starts its clients within it, and on a busy machine that takes a while
BAD_MODES = sorted(set(MODES) - {"good", "echo", "forged-refs", "hang-once"})
CLI_KINDS = ("shown_only", "smuggled", "raised_and_broken")
CLI_MODES = ("500", "302", "drip", "not-utf8")


@pytest.fixture(scope="module")
def server() -> Iterator[HostileServer]:
    with hostile_server() as server:
        yield server


@pytest.fixture(autouse=True)
def _well_again(server: HostileServer) -> None:
    server.mode, server.kind, server.seed = "good", "plausible", 0


@pytest.fixture(scope="module")
def log() -> io.StringIO:
    return io.StringIO()


@pytest.fixture(scope="module")
def engine(
    server: HostileServer, log: io.StringIO, tmp_path_factory: pytest.TempPathFactory
) -> Engine:
    home = tmp_path_factory.mktemp("faces")
    llm = LLMSettings(base_url=server.url, model="m", timeout_seconds=LIMIT, retries=0)
    engine = build_engine(
        Settings(home=home, llm=llm),
        embedder=HashEmbedder(384),
        observers=[StructuredLog(level="debug", stream=log)],
    )
    engine.add(write_corpus(home / "invented.ndjson"), collection=INVENTED)
    assert isinstance(engine.coach_for(INVENTED).model, OpenAIChat)
    return engine


@pytest.fixture(scope="module")
def face(engine: Engine) -> Iterator[Face]:
    with over_http(engine) as face:
        yield face


def faults(engine: Engine, body: dict[str, object], message: str) -> list[str]:
    """What is wrong with a reply, its trace included; a replay asks no model."""
    passing = {key: body[key] for key in PASSING & body.keys()}
    return [*body_faults(engine, body, message), *names_only(passing)]


@pytest.mark.parametrize(("seed", "kind"), list(enumerate(TEXTS)))
def test_nothing_a_model_says_gets_out_over_http(
    face: Face, engine: Engine, server: HostileServer, kind: str, seed: int
) -> None:
    """One output of a kind: thousands are tried without a face (C65)."""
    server.kind, server.seed = kind, seed
    message = MESSAGES[seed % len(MESSAGES)]
    reply = face.coach(message)
    assert reply.status_code == 200
    assert faults(engine, reply.json(), message) == []
    assert not planted(json.dumps(dict(reply.headers)))


@pytest.mark.parametrize("mode", BAD_MODES)
def test_nothing_a_model_server_does_gets_out_over_http(
    face: Face, engine: Engine, server: HostileServer, mode: str
) -> None:
    server.mode, server.kind = mode, "smuggled"
    reply = face.coach(EXAM)
    assert reply.status_code == 200
    body = reply.json()
    assert faults(engine, body, EXAM) == []
    assert body["latency_ms"] < 1000 * (LIMIT + 5)
    assert body["trace"]["decider"]["by"] == "fallback" or mode in ("no-schema", "no-format")


def test_c22_danger_reaches_no_model_server(
    face: Face, engine: Engine, server: HostileServer
) -> None:
    before = len(server.seen)
    reply = face.coach(DANGER)
    assert reply.json()["outcome"] == "safety"
    assert faults(engine, reply.json(), DANGER) == []
    assert len(server.seen) == before


def test_a_level_raised_in_a_reply_cut_off_is_heard_over_http(
    face: Face, engine: Engine, server: HostileServer
) -> None:
    server.kind = "raised_and_broken"
    outcomes = set()
    for server.seed in range(9):
        body = face.coach(EXAM).json()
        outcomes.add((body["risk"]["level"], body["outcome"]))
    assert outcomes == {("mild", "answer"), ("moderate", "safety"), ("high", "safety")}


def test_c48_neither_log_nor_metrics_hold_a_word_of_it(
    face: Face, server: HostileServer, log: io.StringIO
) -> None:
    for server.kind in ("smuggled", "fenced", "echo"):
        face.coach(EXAM)
    said = [log.getvalue(), *(face.get("/metrics", Accept=a).text for a in ("", "text/plain"))]
    assert log.getvalue()
    assert [text for text in said if planted(text) or EXAM in text] == []


@pytest.fixture(scope="module")
def asked_by_url(server: HostileServer) -> dict[str, str]:
    """What a person sets to use a model."""
    return {
        "HANDRAIL_LLM__BASE_URL": server.url,
        "HANDRAIL_LLM__MODEL": "m",
        "HANDRAIL_LLM__TIMEOUT_SECONDS": str(CLI_LIMIT),
        "HANDRAIL_LLM__RETRIES": "0",
    }


@pytest.mark.parametrize("kind", [*CLI_KINDS, *CLI_MODES])
def test_nothing_gets_out_over_the_command_line(
    invented: Engine,
    engine_home: Path,
    server: HostileServer,
    asked_by_url: dict[str, str],
    kind: str,
) -> None:
    server.mode, server.kind = (kind, "smuggled") if kind in MODES else ("good", kind)
    before = len(server.seen)
    words = ["--home", str(engine_home), "--json", "--trace", "coach", EXAM]
    done = CliRunner().invoke(app, [*words, "--collection", INVENTED], env=asked_by_url)
    assert done.exit_code in (0, 3, 4), done.stderr
    assert len(server.seen) > before
    alone = replace(invented, observers=())
    assert faults(alone, json.loads(done.stdout), EXAM) == []
    assert not planted(done.stderr)
    assert CANARY not in done.stderr
