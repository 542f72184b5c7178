"""Agents and vendors for tests of the ADK adapter."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator

from google.adk.models import BaseLlm
from google.adk.models.llm_request import LlmRequest
from google.adk.models.llm_response import LlmResponse
from google.genai import types

from handrail.adapters.adk import AgentSpec
from handrail.ports import ChatRequest

ROLES = ("greeting", "discovery", "reframing", "summary")


def wrapped(role: str) -> str:
    """What stands in for an instruction inside the contract of the two tags."""
    return (
        f'You are the {role} agent. Answer <ui>…</ui> then <control>{{"next_phase": …}}</control>.'
    )


FOUR = [
    AgentSpec(
        role=role, name=f"{role}_agent", description=f"For {role}.", instruction=wrapped(role)
    )
    for role in ROLES
]


def say(user: str, *, role: str = "greeting", system: str = "S", **more: object) -> ChatRequest:
    """A request in text, as the orchestrator makes it."""
    return ChatRequest(
        role=role,
        system=system,
        user=user,
        schema=None,
        schema_name="",
        max_tokens=350,
        temperature=0.4,
        **more,  # type: ignore[arg-type]
    )


def responding(*parts: types.Part, **more: object) -> LlmResponse:
    """A response of these parts."""
    return LlmResponse(content=types.Content(role="model", parts=list(parts)), **more)  # type: ignore[arg-type]


class Vendor(BaseLlm):
    """Yields what it was given, raises it where it is an error, and hangs on a None."""

    yields: list[object]
    asked: list[LlmRequest] = []
    open: int = 0

    async def generate_content_async(
        self, llm_request: LlmRequest, stream: bool = False
    ) -> AsyncGenerator[LlmResponse, None]:
        self.asked.append(llm_request)
        self.open += 1
        try:
            for item in self.yields:
                if isinstance(item, BaseException):
                    raise item
                if item is None:
                    await asyncio.get_running_loop().create_future()
                assert isinstance(item, LlmResponse)
                yield item
        finally:
            self.open -= 1


def vendor(*yields: object) -> Vendor:
    """A vendor of its own."""
    return Vendor(model="vendor", yields=list(yields), asked=[])
