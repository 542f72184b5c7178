"""From a model's name to ADK's class for it; nothing is asked of a network here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from handrail.errors import InvalidSettings

if TYPE_CHECKING:
    from google.adk.models import BaseLlm


def model_from(model: str | BaseLlm, *, api_key: str | None, base_url: str | None) -> BaseLlm:
    """The model as given, or the one that ADK's registry knows by name.

    A key or an address is for Gemini models by name, which follow no redirect; any other model
    brings its own. Raises `InvalidSettings` for a name that ADK cannot serve as it is installed.
    """
    from google.adk.models import Gemini

    named = _registered(model) if isinstance(model, str) else model
    if isinstance(model, str) and isinstance(named, Gemini):
        return named.model_copy(update={"base_url": base_url, "client_kwargs": _client(api_key)})
    if api_key or base_url:
        raise InvalidSettings(
            "with google-adk, a key or base URL is for Gemini models alone; for a server that "
            "speaks the OpenAI API use the openai adapter"
        )
    return named


async def disconnect(model: BaseLlm) -> None:
    """Close the connections that a Gemini model holds for the running loop."""
    from google.adk.models import Gemini

    if isinstance(model, Gemini):
        await model.api_client.aio.aclose()


def _registered(name: str) -> BaseLlm:
    from google.adk.models import LLMRegistry

    try:
        return LLMRegistry.new_llm(name)
    except Exception as error:  # ADK raises what its optional libraries raise
        raise InvalidSettings(
            f"google-adk as installed cannot serve the model {name!r}; a name such as "
            "'gemini-2.5-flash' needs no further library"
        ) from error


def _client(api_key: str | None) -> dict[str, Any]:
    """What Google's client is built with: a message goes to one server and to nobody else."""
    from google.genai import types

    options = types.HttpOptions(async_client_args={"follow_redirects": False})
    return {"http_options": options} | ({"api_key": api_key} if api_key else {})
