"""Any `ChatModel` as a model for google-adk agents: offline, deterministic, counted."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import TYPE_CHECKING, Any

from handrail.errors import MissingExtra
from handrail.ports import ChatModel, ChatReply, ChatRequest

if TYPE_CHECKING:
    from google.adk.models import BaseLlm
    from google.adk.models.llm_request import LlmRequest
    from google.adk.models.llm_response import LlmResponse


def adk_model(model: ChatModel, seen: list[LlmRequest] | None = None) -> BaseLlm:
    """A `BaseLlm` that asks ``model``, must be given text alone, and counts words as tokens.

    ``seen`` collects ADK's requests, one a call. Raises `MissingExtra`.
    """
    try:
        from google.adk.models import BaseLlm
    except ImportError:
        raise MissingExtra("google-adk", extra="adk") from None
    requests = seen if seen is not None else []

    class LocalLlm(BaseLlm):
        """A chat model in ADK's clothes."""

        async def generate_content_async(
            self, llm_request: LlmRequest, stream: bool = False
        ) -> AsyncGenerator[LlmResponse, None]:
            requests.append(llm_request)
            request = asked(llm_request)
            yield _response(await model.complete(request), request)

    return LocalLlm(model=model.name)


def asked(request: LlmRequest) -> ChatRequest:
    """The chat request inside ADK's request; raises ValueError where there is more than text."""
    config = request.config
    texts = [part.text for content in request.contents for part in content.parts or []]
    if len(texts) != 1 or texts[0] is None or config.tools:
        raise ValueError("an agent asked with tools, or with more than one text")
    return ChatRequest(
        system=_system(config.system_instruction),
        user=texts[0],
        schema=_schema(config.response_json_schema),
        schema_name="",
        max_tokens=config.max_output_tokens or 0,
        temperature=config.temperature or 0.0,
    )


def _system(instruction: Any) -> str:
    if instruction is not None and not isinstance(instruction, str):
        raise ValueError("an agent's system instruction is no text")
    return instruction or ""


def _schema(schema: Any) -> dict[str, Any] | None:
    return None if schema is None else dict(schema)


def _response(reply: ChatReply, request: ChatRequest) -> LlmResponse:
    from google.adk.models.llm_response import LlmResponse
    from google.genai import types

    prompt = reply.prompt_tokens or len((request.system + " " + request.user).split())
    completion = reply.completion_tokens or len(reply.text.split())
    return LlmResponse(
        content=types.Content(role="model", parts=[types.Part(text=reply.text)]),
        model_version=reply.model,
        finish_reason=types.FinishReason.STOP,
        usage_metadata=types.GenerateContentResponseUsageMetadata(
            prompt_token_count=prompt,
            candidates_token_count=completion,
            total_token_count=prompt + completion,
        ),
    )
