"""What ADK and the clients beneath it would log or trace of a call: not a word of it."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

from handrail.errors import InvalidSettings

if TYPE_CHECKING:
    from google.adk.agents import RunConfig

# Loggers of ADK and of every client it may call a model with. At DEBUG they hold whole requests
# and replies, at ERROR the words of a vendor, and those repeat what was sent.
TALKATIVE = frozenset(
    {
        "LiteLLM",
        "anthropic",
        "google_adk",
        "google_genai",
        "httpcore",
        "httpcore2",
        "httpx",
        "httpx2",
        "openai",
    }
)

_inside: ContextVar[bool] = ContextVar("handrail_adk_call", default=False)


class _Mute(logging.Filter):
    """Drops what is logged inside a call, and lets pass what a host's own use of ADK logs."""

    def filter(self, record: logging.LogRecord) -> bool:
        return not _inside.get()


_mute = _Mute()


@contextmanager
def quiet() -> Iterator[None]:
    """Inside, these libraries log nothing at any level; everyone else's logging is as it was."""
    # Looked up for each call, for a logger made since the last one would speak: a filter on a
    # logger is not asked about its children. It costs some 0.2 µs a logger.
    for name, logger in list(logging.root.manager.loggerDict.items()):
        if name.partition(".")[0] in TALKATIVE and isinstance(logger, logging.Logger):
            logger.addFilter(_mute)
    token = _inside.set(True)
    try:
        yield
    finally:
        _inside.reset(token)


def content_free_runs() -> RunConfig:
    """One model call a run, and neither spans nor events with content, whatever the environment.

    Raises `InvalidSettings` where the environment has taken that choice from programs.
    """
    from google.adk.agents import RunConfig
    from google.adk.telemetry.context import ContentCapturingMode, TelemetryConfig

    telemetry = TelemetryConfig(
        capture_message_content=ContentCapturingMode.NO_CONTENT,
        genai_semconv_stability_opt_in="stable",
        adk_experimental_telemetry_opt_in=False,
    )
    if (
        telemetry.should_add_content_to_legacy_spans
        or telemetry.should_add_content_to_experimental_spans
        or telemetry.should_add_content_to_logs
    ):
        raise InvalidSettings(
            "ADK_TELEMETRY_IGNORE_RUN_CONFIG makes ADK write conversations into traces; unset it, "
            "or set ADK_CAPTURE_MESSAGE_CONTENT_IN_SPANS=false and leave content capture off"
        )
    return RunConfig(max_llm_calls=1, telemetry=telemetry)
