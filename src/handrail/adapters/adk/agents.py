"""`ChatModel` over google-adk: the request's role chooses which agent answers."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Sequence
from contextlib import aclosing, suppress
from importlib import import_module
from typing import TYPE_CHECKING
from weakref import WeakSet

from handrail.adapters.adk.guard import FAILED, guarded
from handrail.adapters.adk.models import disconnect, model_from
from handrail.adapters.adk.quiet import content_free_runs, quiet
from handrail.adapters.adk.tree import AgentSpec, state_for, tree
from handrail.errors import InvalidSettings, MissingExtra, ModelFailed
from handrail.ports import ChatReply, ChatRequest

if TYPE_CHECKING:
    from google.adk.events import Event
    from google.adk.models import BaseLlm
    from google.adk.runners import Runner
    from google.genai.types import Content

_LATE = (
    "google.adk.auth.auth_preprocessor",
    "google.adk.flows.llm_flows.single_flow",
    "google.adk.models.google_llm",
    "google.adk.workflow._workflow",
)
_USER = "person"  # the same for everyone: ADK is told nothing about who is talking


class AdkAgents:
    """One `LlmAgent` a role under one runner; close it on the loop that used it.

    A call runs in an ADK session of its own, which is deleted with the call: what was said before
    stands in the request or nowhere. An agent sees the request's two texts and nothing else, has
    no tools, and cannot hand over to another. What ADK logs and traces of a call has no text. It
    neither retries nor keeps a time-out: that is the bounded call's office.
    """

    def __init__(
        self,
        model: str | BaseLlm,
        agents: Sequence[AgentSpec],
        app_name: str = "handrail",
        *,
        api_key: str | None = None,
        base_url: str | None = None,
    ) -> None:
        _require_adk()
        self._model = model_from(model, api_key=api_key, base_url=base_url)
        self._name = model if isinstance(model, str) else model.model
        self._names = _names(agents)
        self._runner = _runner(app_name, agents, guarded(self._model))
        self._config = content_free_runs()
        self._loops: WeakSet[asyncio.AbstractEventLoop] = WeakSet()

    @property
    def name(self) -> str:
        """The model's name as configured."""
        return self._name

    async def complete(self, request: ChatRequest) -> ChatReply:
        """The text of the role's agent; raises `ModelFailed`, never with the vendor's words."""
        agent = self._names.get(request.role)
        if agent is None:
            raise ModelFailed(f"no agent has the role {request.role!r}")
        self._loops.add(asyncio.get_running_loop())
        with quiet():
            try:
                event = await self._run(agent, request)
            except Exception as error:  # noqa: BLE001  a framework raises what it likes
                failure = type(error).__name__
            else:
                return _reply(event)
        raise ModelFailed(f"the agents failed: {failure}")  # out here, so that it has no context

    async def close(self) -> None:
        """Close the runner and the connections of the running loop; no call can follow there."""
        with quiet():
            await self._runner.close()
            if asyncio.get_running_loop() in self._loops:
                with suppress(Exception):  # a client that could not be built cannot be closed
                    await disconnect(self._model)

    async def _run(self, agent: str, request: ChatRequest) -> Event | None:
        """The last whole event of a run, in a session that lives no longer than the run."""
        sessions, app_name = self._runner.session_service, self._runner.app_name
        session_id = uuid.uuid4().hex
        found = None
        await sessions.create_session(
            app_name=app_name,
            user_id=_USER,
            session_id=session_id,
            state=state_for(agent, request),
        )
        try:
            run = self._runner.run_async(
                user_id=_USER,
                session_id=session_id,
                new_message=_message(request.user),
                run_config=self._config,
            )
            async with aclosing(run) as events:
                async for event in events:
                    found = found if event.partial else event
        finally:
            await sessions.delete_session(app_name=app_name, user_id=_USER, session_id=session_id)
        return found


def _require_adk() -> None:
    try:
        import google.adk  # noqa: F401
    except ImportError:
        raise MissingExtra("google-adk", extra="adk") from None


def _names(agents: Sequence[AgentSpec]) -> dict[str, str]:
    names = {agent.role: agent.name for agent in agents}
    if not names or len(set(names.values())) < len(agents):
        raise InvalidSettings("there must be an agent, each with a role and a name of its own")
    return names


def _runner(app_name: str, agents: Sequence[AgentSpec], model: BaseLlm) -> Runner:
    from google.adk.apps import App
    from google.adk.runners import Runner
    from google.adk.sessions import InMemorySessionService

    try:
        app = App(name=app_name, root_agent=tree(agents, model))
    except ValueError as error:
        raise InvalidSettings("the names of app and agents must be identifiers") from error
    _load_early()
    sessions = InMemorySessionService()
    sessions.sessions[app_name] = {_USER: {}}  # else the first two threads here could race for it
    return Runner(app=app, session_service=sessions)


def _load_early() -> None:
    """Import here what a first call would import: half a second, out of the few a call has."""
    for name in _LATE:
        with suppress(ImportError):  # another release of ADK keeps it elsewhere, and is slower once
            import_module(name)


def _message(text: str) -> Content:
    from google.genai import types

    return types.Content(role="user", parts=[types.Part(text=text)])


def _reply(event: Event | None) -> ChatReply:
    if event is None or event.error_code or not event.content or not event.content.parts:
        told = event.error_message if event and event.error_code == FAILED else None
        raise ModelFailed(told or "the agents said nothing")
    usage = event.usage_metadata
    return ChatReply(
        text="".join(part.text or "" for part in event.content.parts),
        model=event.model_version or "",
        prompt_tokens=(usage and usage.prompt_token_count) or 0,
        completion_tokens=(usage and usage.candidates_token_count) or 0,
    )
