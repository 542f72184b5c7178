"""What every `ChatModel` owes its callers, as tests to inherit."""

from __future__ import annotations

import asyncio
import json

import pytest

from handrail.errors import ModelFailed
from handrail.ports import ChatModel, ChatRequest

SCHEMA = {
    "type": "object",
    "properties": {"echo": {"type": "string"}},
    "required": ["echo"],
    "additionalProperties": False,
}


def ask(text: str) -> ChatRequest:
    """A request whose answer is known: an object that echoes ``text``."""
    return ChatRequest(
        system="Echo the user's word as JSON.",
        user=json.dumps({"echo": text}),
        schema=SCHEMA,
        schema_name="echo_v1",
        max_tokens=64,
    )


class ChatModelContract:
    """Subclass, provide the three fixtures, inherit every test.

    ``echoing`` answers with the user message itself; ``failing`` meets an error at its vendor;
    ``hanging`` is sent no answer to its first call, and echoes from the second on.
    """

    async def test_a_model_has_a_name(self, echoing: ChatModel) -> None:
        assert echoing.name

    async def test_the_reply_is_the_models_text(self, echoing: ChatModel) -> None:
        reply = await echoing.complete(ask("día 👋"))
        assert json.loads(reply.text) == {"echo": "día 👋"}

    async def test_concurrent_calls_do_not_mix(self, echoing: ChatModel) -> None:
        words = [f"word-{number}" for number in range(8)]
        replies = await asyncio.gather(*(echoing.complete(ask(word)) for word in words))
        assert [json.loads(reply.text)["echo"] for reply in replies] == words

    async def test_a_vendors_error_is_model_failed(self, failing: ChatModel) -> None:
        with pytest.raises(ModelFailed):
            await failing.complete(ask("anything"))

    async def test_an_error_repeats_nothing_that_was_asked(self, failing: ChatModel) -> None:
        with pytest.raises(ModelFailed) as caught:
            await failing.complete(ask("canary-7f3a"))
        assert "canary-7f3a" not in f"{caught.value!r} {caught.value.__cause__!r}"

    async def test_a_cancelled_call_leaves_the_model_usable(self, hanging: ChatModel) -> None:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(hanging.complete(ask("lost")), timeout=0.3)
        reply = await hanging.complete(ask("found"))
        assert json.loads(reply.text) == {"echo": "found"}

    async def test_closing_twice_is_allowed(self, echoing: ChatModel) -> None:
        await echoing.close()
        await echoing.close()
