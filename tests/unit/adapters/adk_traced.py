"""A process with every log, span, metric and event of ADK switched on and kept, for one canary.

Prints as JSON what holds the canary: ``plain`` for ADK used as it comes, ``handrail`` for the
adapter.
"""

from __future__ import annotations

import asyncio
import json
import logging
import sys
from collections.abc import Awaitable, Callable
from io import StringIO

from opentelemetry import _logs, metrics, trace
from opentelemetry.sdk._logs import LoggerProvider
from opentelemetry.sdk._logs.export import InMemoryLogRecordExporter, SimpleLogRecordProcessor
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

CANARY = "canary-91d0"

spans, events, metered = InMemorySpanExporter(), InMemoryLogRecordExporter(), InMemoryMetricReader()
logged = StringIO()


def record_everything() -> None:
    """Providers that keep all they get, and a log at DEBUG that says what it formats."""
    tracing, logs = TracerProvider(), LoggerProvider()
    tracing.add_span_processor(SimpleSpanProcessor(spans))
    logs.add_log_record_processor(SimpleLogRecordProcessor(events))
    trace.set_tracer_provider(tracing)
    _logs.set_logger_provider(logs)
    metrics.set_meter_provider(MeterProvider([metered]))
    logging.basicConfig(level=logging.DEBUG, stream=logged, force=True)
    for name in ("google_adk", "google_genai", "google_adk.google.adk.models.google_llm"):
        logging.getLogger(name).setLevel(logging.DEBUG)


def take() -> dict[str, bool]:
    """Where the canary was seen since the last look; whether there was anything to see."""
    sent = "".join(span.to_json() for span in spans.get_finished_spans())
    told = "".join(item.log_record.__repr__() for item in events.get_finished_logs())
    seen = {
        "logs": CANARY in logged.getvalue(),
        "spans": CANARY in sent,
        "events": CANARY in told,
        "metrics": CANARY in str(metered.get_metrics_data()),
        "anything": bool(sent),
    }
    spans.clear()
    events.clear()
    logged.truncate(0)
    return seen


async def plain(model: object) -> None:
    """One run of an ADK agent as ADK's own examples do it, then one that fails."""
    from google.adk.agents import LlmAgent
    from google.adk.models import BaseLlm
    from google.adk.runners import InMemoryRunner
    from google.genai import types

    assert isinstance(model, BaseLlm)
    runner = InMemoryRunner(agent=LlmAgent(name="a", model=model, instruction=CANARY))
    message = types.Content(role="user", parts=[types.Part(text=CANARY)])
    for session_id in ("one", "two"):
        await runner.session_service.create_session(
            app_name=runner.app_name, user_id="u", session_id=session_id
        )
        try:
            async for _ in runner.run_async(
                user_id="u", session_id=session_id, new_message=message
            ):
                pass
        except Exception:  # noqa: BLE001  what it leaves in the log is looked at
            pass


async def fenced(model: object) -> None:
    """The same through the adapter."""
    from google.adk.models import BaseLlm

    from handrail.adapters.adk import AdkAgents, AgentSpec
    from handrail.errors import ModelFailed
    from handrail.ports import ChatRequest

    assert isinstance(model, BaseLlm)
    spec = AgentSpec(role="r", name="a", description="", instruction=CANARY)
    agents = AdkAgents(model, [spec])
    asked = ChatRequest(
        role="r", system=CANARY, user=CANARY, schema=None, schema_name="", max_tokens=9
    )
    assert CANARY in (await agents.complete(asked)).text
    for _ in range(2):
        try:
            await agents.complete(asked)
        except ModelFailed:
            continue
        raise AssertionError("the model was to fail")
    await agents.close()


async def look(play: Callable[[object], Awaitable[None]]) -> dict[str, bool]:
    """What a play with one good reply and failures after it leaves behind."""
    from handrail.testing.adk_model import adk_model
    from handrail.testing.scripted_model import ScriptedModel

    script = ScriptedModel(f"reply {CANARY}", OSError(CANARY), ValueError(CANARY))
    await play(adk_model(script))
    return take()


if __name__ == "__main__":
    record_everything()
    found = {name: asyncio.run(look(play)) for name, play in (("plain", plain), ("ours", fenced))}
    json.dump(found, sys.stdout)
