"""A wrapper around the vendor's model, so that ADK sees plain text or a failure without words."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from google.adk.models import BaseLlm
    from google.adk.models.llm_request import LlmRequest
    from google.adk.models.llm_response import LlmResponse

FAILED = "handrail-model-failed"  # an error code by which a failure told here is known again


def guarded(model: BaseLlm) -> BaseLlm:
    """``model`` reduced to the text of its final response.

    Thoughts, fragments, calls of tools and code are dropped here, before ADK would act on them. An
    error becomes a response without the vendor's words, since ADK writes what is raised into its
    log and its spans. A cancellation goes through.
    """
    from google.adk.models import BaseLlm

    class Guarded(BaseLlm):
        """The text of another model, and nothing else of it."""

        inner: BaseLlm

        async def generate_content_async(
            self, llm_request: LlmRequest, stream: bool = False
        ) -> AsyncGenerator[LlmResponse, None]:
            try:
                final = await _final(self.inner, llm_request)
            except Exception as error:  # noqa: BLE001  vendors raise types they do not document
                yield _failure(f"the agents' model failed: {type(error).__name__}")
            else:
                yield _plain(final)

    return Guarded(model=model.model, inner=model)


async def _final(model: BaseLlm, request: LlmRequest) -> LlmResponse | None:
    """The last response that is no fragment of one still to come."""
    found = None
    async with aclosing(model.generate_content_async(request)) as responses:
        async for response in responses:
            found = found if response.partial else response
    return found


def _plain(response: LlmResponse | None) -> LlmResponse:
    from google.adk.models.llm_response import LlmResponse
    from google.genai import types

    if response is not None and response.error_code:
        return _failure("the agents' model reported an error")
    text = _text(response)
    if response is None or not text.strip():
        return _failure("the agents' model said nothing")
    return LlmResponse(
        content=types.Content(role="model", parts=[types.Part(text=text)]),
        usage_metadata=response.usage_metadata or types.GenerateContentResponseUsageMetadata(),
        model_version=response.model_version,
    )


def _text(response: LlmResponse | None) -> str:
    parts = response.content.parts if response and response.content else None
    return "".join(part.text for part in parts or () if part.text and not part.thought)


def _failure(message: str) -> LlmResponse:
    from google.adk.models.llm_response import LlmResponse
    from google.genai import types

    usage = types.GenerateContentResponseUsageMetadata()  # else its absence is logged each time
    return LlmResponse(error_code=FAILED, error_message=message, usage_metadata=usage)
