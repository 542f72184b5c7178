"""`AdkAgents` over real google-adk agents and runners, with models that need no network."""

from __future__ import annotations

import asyncio
import gc
import json
import re
import sys
import traceback
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("google.adk", reason="the extra 'adk' is not installed")

from adk_sample import FOUR, ROLES, Vendor, responding, say, vendor, wrapped
from google.adk.agents import LlmAgent
from google.adk.models.llm_request import LlmRequest
from google.adk.models.llm_response import LlmResponse
from google.adk.runners import InMemoryRunner
from google.adk.sessions import Session
from google.genai import types

from handrail.adapters.adk import AdkAgents, AgentSpec
from handrail.adapters.adk.tree import tree
from handrail.errors import InvalidSettings, MissingExtra, ModelFailed
from handrail.ports import ChatReply
from handrail.testing.adk_model import adk_model
from handrail.testing.chat_model_contract import SCHEMA, ChatModelContract
from handrail.testing.scripted_model import Late, Line, ScriptedModel

CANARY = "canary-3c1f"
BRACES = 'He said {so}, {"a": {system}}, {artifact.x}, {{ }} and {0}. 🌧 día'


def agents(*script: Line, roles: list[AgentSpec] = FOUR) -> AdkAgents:
    return AdkAgents(adk_model(ScriptedModel(*script)), roles)


class TestAdkAgents(ChatModelContract):
    ANYONE = [AgentSpec(role="", name="anyone", description="", instruction="Echo.")]

    @pytest.fixture
    def echoing(self) -> AdkAgents:
        return agents(lambda request: request.user, roles=self.ANYONE)

    @pytest.fixture
    def failing(self) -> AdkAgents:
        return agents(RuntimeError("refused: canary-7f3a"), roles=self.ANYONE)

    @pytest.fixture
    def hanging(self) -> AdkAgents:
        return agents(Late(), lambda request: request.user, roles=self.ANYONE)


@pytest.mark.parametrize("role", ROLES)
async def test_a53a_the_role_chooses_among_four_agents(role: str) -> None:
    seen: list[LlmRequest] = []
    model = AdkAgents(adk_model(ScriptedModel("Here."), seen), FOUR)
    assert (await model.complete(say("x", role=role))).text == "Here."
    assert [request.config.labels for request in seen] == [{"adk_agent_name": f"{role}_agent"}]


async def test_a20_every_agent_carries_its_wrapped_instruction() -> None:
    model = vendor(responding(types.Part(text="x")))
    root = tree(FOUR, model)
    assert [type(agent) for agent in root.sub_agents] == [LlmAgent] * 4
    runner = InMemoryRunner(agent=root, app_name="handrail")
    for spec in FOUR:
        session = await runner.session_service.create_session(
            app_name="handrail", user_id="u", state={"agent": spec.name}
        )
        message = types.Content(role="user", parts=[types.Part(text="Hello.")])
        events = runner.run_async(user_id="u", session_id=session.id, new_message=message)
        assert [event.author async for event in events] == [spec.name]
    told = [request.config.system_instruction for request in model.asked]
    assert told == [wrapped(role) for role in ROLES]


@pytest.mark.parametrize("role", ["", "cbt_assistant", "Greeting"])
async def test_a_role_without_an_agent_is_model_failed(role: str) -> None:
    model = ScriptedModel("x")
    with pytest.raises(ModelFailed, match="role"):
        await AdkAgents(adk_model(model), FOUR).complete(say("x", role=role))
    assert model.requests == []


async def test_the_model_sees_the_request_exactly_once_and_nothing_else() -> None:
    model = ScriptedModel("x")
    request = say(f"user {BRACES}", system=f"system {BRACES}")
    await AdkAgents(adk_model(model), FOUR).complete(request)
    assert model.requests == [replace(request, role="")]


async def test_a_schema_reaches_the_model() -> None:
    model = ScriptedModel("{}")
    request = replace(say("x"), schema=SCHEMA)
    await AdkAgents(adk_model(model), FOUR).complete(request)
    assert model.requests[0].schema == SCHEMA


async def test_a30_no_agent_has_a_tool_or_can_hand_over() -> None:
    seen: list[LlmRequest] = []
    root = tree(FOUR, adk_model(ScriptedModel("x")))
    for agent in root.sub_agents:
        assert isinstance(agent, LlmAgent)
        assert await agent.canonical_tools() == []
        assert agent.disallow_transfer_to_parent
        assert agent.disallow_transfer_to_peers
        assert agent.code_executor is agent.planner is None
    model = AdkAgents(adk_model(ScriptedModel("x"), seen), FOUR)
    for role in ROLES:
        await model.complete(say("design_micro_action, generate_action_items", role=role))
    assert all(request.config.tools is None and not request.tools_dict for request in seen)


@pytest.mark.parametrize(
    "part",
    [
        types.Part(function_call=types.FunctionCall(name="design_micro_action", args={})),
        types.Part(
            function_call=types.FunctionCall(
                name="transfer_to_agent", args={"agent_name": "summary_agent"}
            )
        ),
        types.Part(
            executable_code=types.ExecutableCode(code="1/0", language=types.Language.PYTHON)
        ),
        types.Part(text="I think…", thought=True),
        types.Part(inline_data=types.Blob(data=b"x", mime_type="image/png")),
    ],
    ids=["tool", "transfer", "code", "thought", "image"],
)
async def test_a30_only_text_of_a_response_counts(part: types.Part) -> None:
    mixed = vendor(responding(types.Part(text="Hel"), part, types.Part(text="lo.")))
    assert (await AdkAgents(mixed, FOUR).complete(say("x"))).text == "Hello."
    alone = vendor(responding(part))
    with pytest.raises(ModelFailed, match="said nothing"):
        await AdkAgents(alone, FOUR).complete(say("x"))
    assert len(alone.asked) == 1


async def test_fragments_are_ignored() -> None:
    whole = responding(types.Part(text="One two."))
    parts = [responding(types.Part(text=text), partial=True) for text in ("One", "two.", "+")]
    assert (await AdkAgents(vendor(*parts[:2], whole), FOUR).complete(say("x"))).text == "One two."
    assert (await AdkAgents(vendor(whole, parts[2]), FOUR).complete(say("x"))).text == "One two."
    with pytest.raises(ModelFailed, match="said nothing"):
        await AdkAgents(vendor(*parts), FOUR).complete(say("x"))


async def test_a_call_is_one_model_call_and_counts_its_tokens() -> None:
    seen: list[LlmRequest] = []
    model = AdkAgents(adk_model(ScriptedModel("Three words here."), seen), FOUR)
    for number in range(1, 4):
        reply = await model.complete(say("two words", system="just three words"))
        assert len(seen) == number
    assert reply == ChatReply(
        text="Three words here.", model="scripted", prompt_tokens=5, completion_tokens=3
    )


BROKEN: dict[str, Vendor] = {
    "nothing": vendor(),
    "no-content": vendor(LlmResponse()),
    "no-parts": vendor(responding(finish_reason=types.FinishReason.STOP)),
    "blank": vendor(responding(types.Part(text=" \n"))),
    "blocked": vendor(LlmResponse(error_code="SAFETY", error_message=CANARY)),
    "error-beside-text": vendor(responding(types.Part(text="Half"), error_code=CANARY)),
    "broken-off": vendor(responding(types.Part(text="Half"), partial=True), OSError(CANARY)),
    "raised": vendor(RuntimeError(CANARY)),
    "stop-iteration": vendor(StopIteration(CANARY)),
    "memory": vendor(MemoryError(CANARY)),
    "timeout": vendor(TimeoutError(CANARY)),
    "group": vendor(ExceptionGroup(CANARY, [ValueError(CANARY)])),
}


@pytest.mark.parametrize("kind", BROKEN)
async def test_every_failure_is_model_failed_without_the_vendors_words(kind: str) -> None:
    with pytest.raises(ModelFailed) as caught:
        await AdkAgents(BROKEN[kind], FOUR).complete(say(CANARY, system=CANARY))
    assert CANARY not in "".join(traceback.format_exception(caught.value))
    assert caught.value.__context__ is None
    assert BROKEN[kind].open == 0


async def test_a_cancellation_goes_through_and_leaves_nothing_open() -> None:
    model = vendor(None)
    adapter = AdkAgents(model, FOUR)
    before = asyncio.all_tasks()
    task = asyncio.create_task(adapter.complete(say("x")))
    await _until(lambda: model.open == 1)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert model.open == 0
    assert asyncio.all_tasks() == before
    assert await _listed(adapter) == []


async def test_twenty_calls_at_once_do_not_mix() -> None:
    model = agents(lambda request: f"{request.system} {request.user}")
    asked = [say(f"u{n}", role=ROLES[n % 4], system=f"s{n}") for n in range(20)]
    replies = await asyncio.gather(*(model.complete(request) for request in asked))
    assert [reply.text for reply in replies] == [f"s{n} u{n}" for n in range(20)]


def test_threads_with_loops_of_their_own_do_not_mix() -> None:
    from concurrent.futures import ThreadPoolExecutor

    model = agents(lambda request: request.user)

    def ask(number: int) -> str:
        return asyncio.run(model.complete(say(f"u{number}"))).text

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(ask, range(40))) == [f"u{n}" for n in range(40)]


async def test_a_thousand_calls_leave_no_session_behind() -> None:
    model = agents("x", ModelFailed("x"), lambda request: request.user)
    before = _sessions()
    for number in range(1_000):
        try:
            await model.complete(say(f"u{number}", role=ROLES[number % 4]))
        except ModelFailed:
            assert number == 1
    assert await _listed(model) == []
    assert _sessions() == before


async def test_nothing_of_an_earlier_call_is_seen_by_a_later_one() -> None:
    model = ScriptedModel("first reply", lambda request: json.dumps([request.system, request.user]))
    adapter = AdkAgents(adk_model(model), FOUR)
    await adapter.complete(say("first words"))
    assert json.loads((await adapter.complete(say("second"))).text) == ["S", "second"]


@pytest.mark.parametrize(
    "roles",
    [
        [],
        [FOUR[0], FOUR[0]],
        [FOUR[0], replace(FOUR[1], name=FOUR[0].name)],
        [FOUR[0], replace(FOUR[1], role=FOUR[0].role)],
        [replace(FOUR[0], name="no identifier")],
        [replace(FOUR[0], name="user")],
    ],
    ids=["none", "twice", "same-name", "same-role", "no-identifier", "reserved"],
)
def test_agents_that_cannot_be_told_apart_are_refused(roles: list[AgentSpec]) -> None:
    with pytest.raises(InvalidSettings):
        agents("x", roles=roles)


def test_without_the_library_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "google.adk", None)
    with pytest.raises(MissingExtra, match=r"handrail\[adk\]"):
        AdkAgents("gemini-2.5-flash", FOUR)
    monkeypatch.setitem(sys.modules, "google.adk.models", None)
    with pytest.raises(MissingExtra, match=r"handrail\[adk\]"):
        adk_model(ScriptedModel("x"))


def test_the_guide_runs_as_it_is_written(capsys: pytest.CaptureFixture[str]) -> None:
    guide = Path(__file__).parents[2] / "docs" / "howto" / "use-google-adk.md"
    block = re.search(r"```python\n(?P<code>.*?)```", guide.read_text(encoding="utf-8"), re.DOTALL)
    assert block
    exec(compile(block["code"], guide.name, "exec"), {})
    assert capsys.readouterr().out == "What is the thought?\n"


async def _listed(model: AdkAgents) -> list[Session]:
    service = model._runner.session_service
    return (await service.list_sessions(app_name="handrail")).sessions


async def _until(condition: Callable[[], bool]) -> None:
    while not condition():
        await asyncio.sleep(0)


def _sessions() -> int:
    """ADK sessions that are alive."""
    gc.collect()
    return sum(isinstance(thing, Session) for thing in gc.get_objects())
