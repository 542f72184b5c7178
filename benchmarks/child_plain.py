"""What a turn costs without any of Handrail, on a free loopback port: KIND, template or adk.

``template`` keeps the messages in a dict and answers with a sentence; ``adk`` asks one google-adk
agent in an `InMemoryRunner`, behind which a local model says the same sentence. No rail, no store.
"""

from __future__ import annotations

import socket
import sys
from collections.abc import Awaitable, Callable
from typing import Any

import uvicorn
from fastapi import FastAPI
from pydantic import BaseModel

REPLY = "You wrote “{message}”. What is the thought that comes with it?"
TURNS = 14
Answer = Callable[[str, str], Awaitable[str]]


class Asked(BaseModel):
    """A message in its session."""

    session_id: str
    message: str


def app(answer: Answer) -> FastAPI:
    """One route, a dict of sessions."""
    served, said = FastAPI(), dict[str, list[str]]()

    @served.post("/chat")
    async def chat(asked: Asked) -> dict[str, Any]:
        turns = said.setdefault(asked.session_id, [])
        turns.append(asked.message)
        text = await answer(asked.session_id, asked.message)
        return {"ui_text": text, "turn": len(turns), "end_of_session": len(turns) >= TURNS}

    return served


async def template(_session: str, message: str) -> str:
    """The sentence."""
    return REPLY.format(message=message)


def adk() -> Answer:
    """One agent; its runner keeps the sessions."""
    from google.adk.agents import LlmAgent
    from google.adk.runners import InMemoryRunner
    from google.genai import types

    from handrail.testing.adk_model import adk_model
    from handrail.testing.scripted_model import ScriptedModel

    model = adk_model(ScriptedModel("What is the thought that comes with it?"))
    agent = LlmAgent(
        name="aura", model=model, instruction="Answer warmly.", include_contents="none"
    )
    runner = InMemoryRunner(agent=agent, app_name="plain")
    begun: set[str] = set()

    async def answer(session: str, message: str) -> str:
        if session not in begun:
            begun.add(session)
            await runner.session_service.create_session(
                app_name="plain", user_id="somebody", session_id=session
            )
        told = types.Content(role="user", parts=[types.Part(text=message)])
        said = ""
        async for event in runner.run_async(
            user_id="somebody", session_id=session, new_message=told
        ):
            if event.is_final_response() and event.content and event.content.parts:
                said = event.content.parts[0].text or ""
        return said

    return answer


def main(kind: str) -> None:
    """Until SIGTERM."""
    try:
        answer = template if kind == "template" else adk()
    except ImportError as error:
        sys.exit(f"{error.name!r} is not installed")
    listener = socket.create_server(("127.0.0.1", 0))
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    print(f"http://127.0.0.1:{listener.getsockname()[1]}", flush=True)
    config = uvicorn.Config(app(answer), access_log=False, log_level="warning")
    uvicorn.Server(config).run(sockets=[listener])


if __name__ == "__main__":
    main(*sys.argv[1:])
