"""The agents as ADK knows them: a root that hands each run to one `LlmAgent`."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from handrail.ports import ChatRequest

if TYPE_CHECKING:
    from google.adk.agents import BaseAgent, InvocationContext, LlmAgent
    from google.adk.agents.callback_context import CallbackContext
    from google.adk.agents.readonly_context import ReadonlyContext
    from google.adk.events import Event
    from google.adk.models import BaseLlm
    from google.adk.models.llm_request import LlmRequest

ROOT = "reframe"

# Keys in the state of the ADK session that a call runs in.
_AGENT, _SYSTEM, _LIMITS = "agent", "system", "limits"


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentSpec:
    """An agent for one role: its name is a Python identifier, its instruction wrapped already.

    The instruction stands where a run brings no system text of its own; the description is for
    whoever looks at the agents, and no model sees it.
    """

    role: str
    name: str
    description: str
    instruction: str


def tree(agents: Sequence[AgentSpec], model: BaseLlm) -> BaseAgent:
    """A root with one agent for each of ``agents``; raises ValueError for names ADK refuses."""
    from google.adk.agents import BaseAgent

    class Root(BaseAgent):
        """Runs the agent that the session names; which one is no model's choice."""

        async def _run_async_impl(self, ctx: InvocationContext) -> AsyncGenerator[Event, None]:
            chosen = self.find_sub_agent(ctx.session.state[_AGENT])
            if chosen is None:
                raise LookupError("no such agent")
            async with aclosing(chosen.run_async(ctx)) as events:
                async for event in events:
                    yield event

    return Root(name=ROOT, sub_agents=[_agent(agent, model) for agent in agents])


def state_for(agent: str, request: ChatRequest) -> dict[str, Any]:
    """What the session of one call holds from its start."""
    limits: dict[str, Any] = {
        "temperature": request.temperature,
        "max_output_tokens": request.max_tokens,
    }
    if request.schema is not None:
        limits["response_mime_type"] = "application/json"
        limits["response_json_schema"] = dict(request.schema)
    return {_AGENT: agent, _SYSTEM: request.system, _LIMITS: limits}


def _agent(spec: AgentSpec, model: BaseLlm) -> LlmAgent:
    from google.adk.agents import LlmAgent

    def instruction(context: ReadonlyContext) -> str:
        # As a function, for ADK fills braces of a plain string from the session's state, and
        # people write braces too.
        return str(context.state.get(_SYSTEM, spec.instruction))

    return LlmAgent(
        name=spec.name,
        description=spec.description,
        model=model,
        instruction=instruction,
        mode="single_turn",  # in any other mode ADK adds a sentence about the agent's name
        include_contents="none",
        disallow_transfer_to_parent=True,
        disallow_transfer_to_peers=True,
        before_model_callback=_limit,
    )


def _limit(callback_context: CallbackContext, llm_request: LlmRequest) -> None:
    """Set what only the present request knows; ADK's own settings are the same for every run."""
    limits: Mapping[str, Any] = callback_context.state.get(_LIMITS, {})
    for name, value in limits.items():
        setattr(llm_request.config, name, value)
