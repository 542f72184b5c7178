"""A fake `ChatModel` that follows a script and remembers what it was asked."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from handrail.ports import ChatReply, ChatRequest


@dataclass(frozen=True, slots=True)
class Late:
    """A reply that comes after ``seconds``; without a text none ever comes."""

    seconds: float = float("inf")
    text: str = ""


Line: TypeAlias = str | BaseException | Late | Callable[[ChatRequest], str]


class ScriptedModel:
    """Plays its lines in order and repeats the last one; exceptions are raised.

    ``requests`` holds what was asked; ``cancelled`` counts the calls that were cut off.
    """

    def __init__(self, *script: Line, name: str = "scripted") -> None:
        if not script:
            raise ValueError("a script needs at least one line")
        self.requests: list[ChatRequest] = []
        self.cancelled = 0
        self.closed = False
        self._script = script
        self._name = name

    @property
    def name(self) -> str:
        """The name it was given."""
        return self._name

    async def complete(self, request: ChatRequest) -> ChatReply:
        """The next line of the script."""
        line = self._script[min(len(self.requests), len(self._script) - 1)]
        self.requests.append(request)
        try:
            return ChatReply(text=await _spoken(line, request), model=self._name)
        except asyncio.CancelledError:
            self.cancelled += 1
            raise

    async def close(self) -> None:
        """Remember that it was closed."""
        self.closed = True


async def _spoken(line: Line, request: ChatRequest) -> str:
    match line:
        case str():
            return line
        case BaseException():
            raise line
        case Late(seconds, text):
            await _sleep(seconds)
            return text
        case _:
            return line(request)


async def _sleep(seconds: float) -> None:
    if seconds == float("inf"):
        await asyncio.get_running_loop().create_future()
    await asyncio.sleep(seconds)
