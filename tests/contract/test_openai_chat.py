"""`OpenAIChat` against a real local server in a process of its own (C27, C30, C52, C65, C71)."""

from __future__ import annotations

import asyncio
import json
import logging
import sys
import time
import traceback
import urllib.request
from collections.abc import AsyncIterator, Iterator
from typing import Any, Literal

import pytest
import pytest_asyncio
from pydantic import BaseModel, ConfigDict, SecretStr

from handrail.adapters.openai.chat import MAX_BODY_BYTES, OpenAIChat
from handrail.calls import Accept, Budget, Decision, Prompt, Reject, Ruling, Skill, run
from handrail.domain.trace import Tracer
from handrail.errors import InvalidSettings, MissingExtra, ModelFailed
from handrail.settings import LLMSettings
from handrail.testing.chat_model_contract import ChatModelContract, ask
from handrail.testing.openai_server import local_server

pytestmark = [pytest.mark.sockets, pytest.mark.allow_hosts(["127.0.0.1"])]

LIMIT = 0.5  # seconds; C30's four, scaled down so that the suite stays quick
SLACK = 1.0  # seconds for a loaded machine


class Ref(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)
    case_id: str
    sent_id: int


class Shown(BaseModel):
    model_config = ConfigDict(extra="forbid")
    message: str
    snippets: tuple[Ref, ...]


class Choice(BaseModel):
    model_config = ConfigDict(extra="forbid")
    label: Literal["reflection", "validation"]
    refs: tuple[Ref, ...]


CANARY = "canary-5e20"
QUESTION = Shown(message=CANARY, snippets=(Ref(case_id="a1", sent_id=4),))
TWIN = Choice(label="validation", refs=())


def only_what_was_shown(shown: Shown, choice: Choice) -> Ruling[Choice]:
    known = all(ref in shown.snippets for ref in choice.refs)
    return Accept() if known else Reject("ref-not-shown")


def decider(timeout_seconds: float = LIMIT, retries: int = 0) -> Skill[Shown, Choice]:
    return Skill(
        name="contract.decider.v1",
        prompt=Prompt("p", "Choose."),
        input=Shown,
        output=Choice,
        check=only_what_was_shown,
        fallback=lambda shown: TWIN,
        timeout_seconds=timeout_seconds,
        retries=retries,
    )


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with local_server() as url:
        yield url


def chat(url: str, mode: str, **more: Any) -> OpenAIChat:
    return OpenAIChat(LLMSettings(base_url=url, model=mode, **more))


async def decide(url: str, mode: str, **bounds: Any) -> tuple[Decision[Choice], float]:
    """The decision of a fresh adapter, and the seconds that it took on the wall clock."""
    model = chat(url, mode)
    begun = time.monotonic()
    decision = await run(
        decider(**bounds), QUESTION, model=model, budget=Budget(), tracer=Tracer("t")
    )
    took = time.monotonic() - begun
    await model.close()
    return decision, took


def asked(url: str) -> list[dict[str, Any]]:
    """What the server has been asked, oldest first."""
    with urllib.request.urlopen(url.replace("/v1", "/requests")) as response:
        seen: list[dict[str, Any]] = json.load(response)
    return seen


class TestOpenAIChat(ChatModelContract):
    @pytest_asyncio.fixture
    async def echoing(self, server: str) -> AsyncIterator[OpenAIChat]:
        model = chat(server, "echo")
        yield model
        await model.close()

    @pytest_asyncio.fixture
    async def failing(self, server: str) -> AsyncIterator[OpenAIChat]:
        model = chat(server, "500")
        yield model
        await model.close()

    @pytest_asyncio.fixture
    async def hanging(self) -> AsyncIterator[OpenAIChat]:
        with local_server("hang-once") as url:
            model = chat(url, "some-model")
            yield model
            await model.close()


async def test_c27_c28_a_good_server_decides_at_temperature_zero_by_strict_schema(
    server: str,
) -> None:
    decision, _ = await decide(server, "good", timeout_seconds=4.0)
    assert (decision.by, decision.model) == ("model", "good")
    assert decision.value == Choice(label="reflection", refs=(Ref(case_id="a1", sent_id=4),))
    body = asked(server)[-1]["body"]
    assert body["temperature"] == 0.0
    assert body["response_format"]["json_schema"]["strict"] is True
    assert body["response_format"]["json_schema"]["schema"]["additionalProperties"] is False


@pytest.mark.parametrize("mode", ["slow", "drip"])
async def test_c30_no_server_can_stretch_the_time_out(server: str, mode: str) -> None:
    decision, took = await decide(server, mode, retries=1)
    assert (decision.value, decision.failure) == (TWIN, "timeout")
    assert LIMIT <= took < LIMIT + SLACK


@pytest.mark.slow
async def test_c30_four_seconds_on_the_wall_clock(server: str) -> None:
    decision, took = await decide(server, "drip", timeout_seconds=4.0)
    assert decision.failure == "timeout"
    assert 4.0 <= took < 4.0 + SLACK


@pytest.mark.parametrize(
    ("mode", "failure"),
    [
        ("500", "model-failed"),
        ("429", "model-failed"),
        ("401", "model-failed"),
        ("400", "model-failed"),
        ("drop", "model-failed"),
        ("huge", "model-failed"),
        ("redirect", "model-failed"),
        ("no-choices", "model-failed"),
        ("invalid-json", "malformed-json"),
        ("forged-refs", "rejected:ref-not-shown"),
    ],
)
async def test_c52_c65_every_misbehaviour_leads_to_the_twin(
    server: str, mode: str, failure: str
) -> None:
    decision, _ = await decide(server, mode, timeout_seconds=4.0)
    assert (decision.value, decision.by, decision.failure) == (TWIN, "fallback", failure)


@pytest.mark.parametrize("mode", ["500", "429", "401", "drop"])
async def test_an_attempt_is_one_request_since_retries_are_the_runners(
    server: str, mode: str
) -> None:
    before = len(asked(server))
    decision, _ = await decide(server, mode, timeout_seconds=4.0, retries=1)
    assert decision.attempts == 2
    assert len(asked(server)) - before == 2


async def test_the_body_of_an_error_is_not_waited_for(server: str) -> None:
    decision, took = await decide(server, "500-endless", timeout_seconds=4.0)
    assert decision.failure == "model-failed"
    assert took < 4.0


@pytest.mark.parametrize("mode", ["500", "drop", "no-choices", "huge", "redirect"])
async def test_c48_an_error_repeats_neither_prompt_nor_address(server: str, mode: str) -> None:
    model = chat(server, mode)
    with pytest.raises(ModelFailed) as caught:
        await model.complete(ask(CANARY))
    await model.close()
    printed = "".join(traceback.format_exception(caught.value))
    assert CANARY not in printed
    assert "127.0.0.1" not in printed
    assert caught.value.__suppress_context__ or caught.value.__context__ is None


async def test_bytes_that_are_not_utf8_survive_around_a_good_object(server: str) -> None:
    model = chat(server, "not-utf8")
    reply = await model.complete(decider().request(QUESTION))
    await model.close()
    assert reply.text.endswith("\ufffd")
    assert (await decide(server, "not-utf8", timeout_seconds=4.0))[0].by == "model"


async def test_a_server_that_is_not_there_leads_to_the_twin() -> None:
    with local_server() as url:
        pass
    decision, _ = await decide(url, "good", timeout_seconds=4.0)
    assert decision.failure == "model-failed"


@pytest.mark.parametrize(
    ("mode", "forms"),
    [
        ("no-schema", ["json_schema", "json_object", "json_object"]),
        ("no-format", ["json_schema", "json_object", None, None]),
    ],
)
async def test_c27_a_refused_format_is_stepped_down_once(
    server: str, mode: str, forms: list[str | None]
) -> None:
    model = chat(server, mode)
    before = len(asked(server))
    for _ in range(2):
        decision = await run(
            decider(4.0), QUESTION, model=model, budget=Budget(), tracer=Tracer("t")
        )
        assert decision.by == "model"
    await model.close()
    bodies = [seen["body"] for seen in asked(server)[before:]]
    assert [body.get("response_format", {}).get("type") for body in bodies] == forms
    assert '"additionalProperties": false' in bodies[-1]["messages"][0]["content"]


async def test_a_bad_request_does_not_step_down_for_good(server: str) -> None:
    model = chat(server, "400")
    for _ in range(2):
        with pytest.raises(ModelFailed, match="answered 400"):
            await model.complete(ask("x"))
    await model.close()
    assert asked(server)[-3]["body"]["response_format"]["type"] == "json_schema"


async def test_nothing_ambient_reaches_the_server(
    server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-ambient")
    monkeypatch.setenv("OPENAI_ORG_ID", "org-ambient")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "proj-ambient")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "X-Ambient: yes\nAuthorization: Bearer ambient")
    model = chat(server, "echo")
    await model.complete(ask("x"))
    await model.close()
    sent = set(asked(server)[-1]["headers"])
    assert sent <= {
        "accept",
        "accept-encoding",
        "connection",
        "content-length",
        "content-type",
        "host",
        "user-agent",
        "x-stainless-raw-response",
    }


async def test_a_configured_key_is_sent(server: str) -> None:
    model = chat(server, "echo", api_key=SecretStr("sk-canary"))
    await model.complete(ask("x"))
    await model.close()
    assert "authorization" in asked(server)[-1]["headers"]


async def test_a_redirect_is_not_followed(server: str) -> None:
    model = chat(server, "redirect")
    with pytest.raises(ModelFailed, match="answered 307"):
        await model.complete(ask("x"))
    await model.close()
    assert asked(server)[-1]["path"] == "/v1/chat/completions"


@pytest.mark.parametrize("mode", ["good", "500", "drop", "invalid-json", "slow"])
async def test_c48_c71_no_log_holds_the_prompt_or_the_key(
    server: str, mode: str, caplog: pytest.LogCaptureFixture
) -> None:
    model = chat(server, mode, api_key=SecretStr("sk-canary"))
    with caplog.at_level(logging.DEBUG):
        await run(decider(), QUESTION, model=model, budget=Budget(), tracer=Tracer("t"))
        await model.close()
    assert caplog.records  # the vendor's libraries do log at this level
    assert "canary" not in caplog.text


def test_another_event_loop_gets_connections_of_its_own(server: str) -> None:
    model = chat(server, "echo")

    async def once() -> str:
        reply = await model.complete(ask("x"))
        await model.close()
        return reply.text

    assert asyncio.run(once()) == asyncio.run(once())


async def test_a_timed_out_call_leaves_nothing_behind(server: str) -> None:
    model = chat(server, "slow")
    before = asyncio.all_tasks()
    await run(decider(), QUESTION, model=model, budget=Budget(), tracer=Tracer("t"))
    await model.close()
    assert asyncio.all_tasks() == before


async def test_a_huge_reply_is_cut_off_while_it_arrives(server: str) -> None:
    model = chat(server, "huge")
    with pytest.raises(ModelFailed, match=str(MAX_BODY_BYTES)):
        await model.complete(ask("x"))
    await model.close()


@pytest.mark.parametrize("half", [{"model": "m"}, {"base_url": "http://127.0.0.1:9/v1"}, {}])
def test_half_a_configuration_is_refused(half: dict[str, str]) -> None:
    with pytest.raises(InvalidSettings, match="both or neither"):
        OpenAIChat(LLMSettings(**half))


def test_without_the_library_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "openai", None)
    with pytest.raises(MissingExtra, match=r"handrail\[openai\]"):
        chat("http://127.0.0.1:9/v1", "m")


async def test_certificates_are_verified() -> None:
    import ssl

    model = chat("https://127.0.0.1:9/v1", "m")
    pool = model._client()._client._transport._pool  # type: ignore[attr-defined]
    assert pool._ssl_context.verify_mode is ssl.CERT_REQUIRED
    assert pool._ssl_context.check_hostname
    await model.close()
