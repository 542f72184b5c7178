"""A process with every log, span, metric and event of ADK switched on and kept, for one canary.

Prints as JSON what holds the canary: ``said`` and ``failed`` for an agent run as ADK's examples run
it, with a good reply and with an error, and ``ours`` for both through the adapter.
"""

from __future__ import annotations

import asyncio
import json
import logging
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress
from io import StringIO

from opentelemetry import _logs, metrics, trace
from opentelemetry.sdk._logs import LoggerProvider
from opentelemetry.sdk._logs.export import InMemoryLogRecordExporter, SimpleLogRecordProcessor
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from handrail.testing.scripted_model import Line, ScriptedModel

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
    told = "".join(
        f"{item.log_record.body} {item.log_record.attributes}"
        for item in events.get_finished_logs()
    )
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
    """One run of an ADK agent as ADK's own examples do it."""
    from google.adk.agents import LlmAgent
    from google.adk.models import BaseLlm
    from google.adk.runners import InMemoryRunner
    from google.genai import types

    assert isinstance(model, BaseLlm)
    runner = InMemoryRunner(agent=LlmAgent(name="a", model=model, instruction=CANARY))
    session = await runner.session_service.create_session(app_name=runner.app_name, user_id="u")
    message = types.Content(role="user", parts=[types.Part(text=CANARY)])
    events = runner.run_async(user_id="u", session_id=session.id, new_message=message)
    with suppress(OSError):  # what it leaves behind is looked at
        async for _ in events:
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
    with suppress(ModelFailed):
        await agents.complete(asked)
        raise AssertionError("the model was to fail")
    await agents.close()


async def look(play: Callable[[object], Awaitable[None]], *script: Line) -> dict[str, bool]:
    """What a play of this script leaves behind."""
    from handrail.testing.adk_model import adk_model

    await play(adk_model(ScriptedModel(*script)))
    return take()


async def main() -> None:
    """Play the three and print what was found."""
    record_everything()
    good, bad = f"reply {CANARY}", OSError(CANARY)
    found = {
        "said": await look(plain, good),
        "failed": await look(plain, bad),
        "ours": await look(fenced, good, bad),
    }
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    asyncio.run(main())
