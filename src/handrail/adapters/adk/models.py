"""From a model's name to ADK's class for it; nothing is asked of a network here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from handrail.errors import InvalidSettings

if TYPE_CHECKING:
    from google.adk.models import BaseLlm


def model_from(model: str | BaseLlm, *, api_key: str | None, base_url: str | None) -> BaseLlm:
    """The model as given, or the one that ADK's registry knows by name.

    A key or an address is for Gemini models, by name; any other model brings its own. Raises
    `InvalidSettings` for a name that ADK cannot serve as it is installed.
    """
    named = _registered(model) if isinstance(model, str) else model
    if not api_key and not base_url:
        return named
    if not isinstance(model, str) or not _is_gemini(named):
        raise InvalidSettings(
            "with google-adk, a key or base URL is for Gemini models alone; for a server that "
            "speaks the OpenAI API use the openai adapter"
        )
    own: dict[str, Any] = {"client_kwargs": {"api_key": api_key}} if api_key else {}
    return named.model_copy(update={"base_url": base_url, **own})


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


def _is_gemini(model: BaseLlm) -> bool:
    from google.adk.models import Gemini

    return isinstance(model, Gemini)
