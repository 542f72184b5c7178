"""The one place where the OpenAI client is built: no retries, no redirects, nothing ambient."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from handrail.errors import MissingExtra

if TYPE_CHECKING:
    from openai import AsyncOpenAI

# The vendor's client adds headers of its own: platform facts, and whatever it finds in the
# environment under OPENAI_*. Handrail's settings are the only reader of the environment.
_HEADERS = frozenset(
    {
        "accept",
        "accept-encoding",
        "connection",
        "content-length",
        "content-type",
        "host",
        "transfer-encoding",
        "user-agent",
        "x-stainless-raw-response",  # the client looks for it on the request to hand out the stream
    }
)


def build_client(*, base_url: str, api_key: str | None, timeout_seconds: float) -> AsyncOpenAI:
    """A client for one server; raises `MissingExtra`. ``timeout_seconds`` bounds each read.

    TLS certificates are verified. Redirects are errors: a prompt goes to the configured server and
    to nobody else. The body of an error reply is never read: it may repeat the prompt.
    """
    try:
        import openai
    except ImportError:
        raise MissingExtra("openai", extra="openai") from None

    kept = _HEADERS | {"authorization"} if api_key else _HEADERS

    async def strip(request: Any) -> None:
        for name in set(request.headers) - kept:
            del request.headers[name]

    async def refuse_body(response: Any) -> None:
        if not response.is_success:
            await response.aclose()

    return openai.AsyncOpenAI(
        base_url=base_url,
        api_key=api_key or "none",
        default_headers={"Authorization": f"Bearer {api_key}"} if api_key else None,
        max_retries=0,
        timeout=timeout_seconds,
        http_client=openai.DefaultAsyncHttpxClient(
            verify=True,
            follow_redirects=False,
            event_hooks={"request": [strip], "response": [refuse_body]},
        ),
    )
