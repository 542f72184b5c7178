"""`ChatModel` over any server that speaks the OpenAI chat completions API."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import Any, Literal, TypeAlias
from weakref import WeakKeyDictionary

from pydantic import BaseModel, Field, ValidationError

from handrail.adapters.openai.client import build_client
from handrail.errors import InvalidSettings, ModelFailed
from handrail.ports import ChatReply, ChatRequest
from handrail.settings import LLMSettings

MAX_BODY_BYTES = 262_144  # a reply holds 32 KiB of text at most; the rest is room for its envelope

Format: TypeAlias = Literal["json_schema", "json_object", "text"]

_FORMATS: tuple[Format, ...] = ("json_schema", "json_object", "text")
_UNSUPPORTED = frozenset({400, 422})  # what servers answer to a response format they do not know


class _Message(BaseModel):
    content: str


class _Choice(BaseModel):
    message: _Message


class _Usage(BaseModel):
    prompt_tokens: int | None = None
    completion_tokens: int | None = None


class _Completion(BaseModel):
    choices: list[_Choice] = Field(min_length=1)
    model: str | None = None
    usage: _Usage | None = None


class _Answered(Exception):
    """The server answered with an error status."""

    def __init__(self, status: int) -> None:
        self.status = status


class OpenAIChat:
    """A model behind `POST {base_url}/chat/completions`; close it on the loop that used it.

    Asks for strict JSON by schema, or for text where the request has none. A server that refuses
    the format is asked for a JSON object, then for plain text, with the schema in the instructions;
    what worked is remembered. It neither retries nor keeps a total time-out: that is the bounded
    call's office. Logs nothing.
    """

    def __init__(self, settings: LLMSettings) -> None:
        if not settings.base_url or not settings.model:
            raise InvalidSettings(
                "a model needs HANDRAIL_LLM__BASE_URL and HANDRAIL_LLM__MODEL; set both or neither"
            )
        self._name = settings.model
        self._settings = settings
        self._formats = _FORMATS
        self._clients: WeakKeyDictionary[asyncio.AbstractEventLoop, Any] = WeakKeyDictionary()
        self._spare: Any = self._connect()

    @property
    def name(self) -> str:
        """The model's name as configured."""
        return self._name

    async def complete(self, request: ChatRequest) -> ChatReply:
        """One completion; raises `ModelFailed` with the status, never with the server's words."""
        formats = self._formats if request.schema is not None else _FORMATS[-1:]
        for index, form in enumerate(formats):
            try:
                body = await self._post(_arguments(request, self._name, form))
            except _Answered as error:
                if error.status not in _UNSUPPORTED or form == formats[-1]:
                    raise ModelFailed(f"the model server answered {error.status}") from None
            else:
                if request.schema is not None:
                    self._formats = formats[index:]
                return _reply(body)
        raise AssertionError("the last format returns or raises")

    async def close(self) -> None:
        """Close the connections of the running loop; another call opens new ones."""
        client = self._clients.pop(asyncio.get_running_loop(), None)
        if client is not None:
            await client.close()

    def _connect(self) -> Any:
        key = self._settings.api_key
        client = build_client(
            base_url=self._settings.base_url or "",
            api_key=key.get_secret_value() if key else None,
            timeout_seconds=self._settings.timeout_seconds,
        )
        # Looked up here, since it imports for about a second and would eat a call's four.
        _ = client.chat.completions.with_streaming_response.create
        return client

    def _client(self) -> Any:
        """The client of the running loop: connections die with the loop that opened them."""
        loop = asyncio.get_running_loop()
        if loop not in self._clients:
            self._clients[loop] = self._spare or self._connect()
            self._spare = None
        return self._clients[loop]

    async def _post(self, arguments: Mapping[str, Any]) -> bytes:
        """The body of a success; every error of the vendor's library is translated here."""
        import openai

        create = self._client().chat.completions.with_streaming_response.create
        try:
            async with create(**arguments) as response:
                return await _read(response)
        except openai.APIStatusError as error:
            raise _Answered(error.status_code) from None
        except ModelFailed:
            raise
        except Exception as error:  # noqa: BLE001  its transport raises types it does not document
            # Not chained: a vendor's message may repeat what was sent.
            raise ModelFailed(f"the model server failed: {type(error).__name__}") from None


async def _read(response: Any) -> bytes:
    body = bytearray()
    async for chunk in response.iter_bytes(4096):
        body += chunk
        if len(body) > MAX_BODY_BYTES:
            raise ModelFailed(f"the model server sent more than {MAX_BODY_BYTES} bytes")
    return bytes(body)


def _reply(body: bytes) -> ChatReply:
    """The reply in a completion; bytes that are not UTF-8 become U+FFFD."""
    try:
        completion = _Completion.model_validate_json(body.decode("utf-8", "replace"))
    except ValidationError:
        raise ModelFailed("the model server sent no completion") from None
    usage = completion.usage or _Usage()
    return ChatReply(
        text=completion.choices[0].message.content,
        model=completion.model or "",
        prompt_tokens=usage.prompt_tokens or 0,
        completion_tokens=usage.completion_tokens or 0,
    )


def _arguments(request: ChatRequest, model: str, form: Format) -> dict[str, Any]:
    """The request's body; without a schema in the format, the instructions carry it."""
    system = request.system
    if form != "json_schema" and request.schema is not None:
        schema = json.dumps(request.schema, sort_keys=True)
        system += f"\n\nReply with one JSON object that fits this JSON Schema:\n{schema}"
    arguments: dict[str, Any] = {
        "model": model,
        "messages": [
            {"role": "system", "content": system},
            {"role": "user", "content": request.user},
        ],
        "temperature": request.temperature,
        "max_tokens": request.max_tokens,
    }
    if form == "json_schema" and request.schema is not None:
        strict = {"name": request.schema_name, "strict": True, "schema": dict(request.schema)}
        arguments["response_format"] = {"type": form, "json_schema": strict}
    elif form == "json_object":
        arguments["response_format"] = {"type": form}
    return arguments
