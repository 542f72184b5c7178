"""No log, span, event or metric of google-adk holds what was said (A63)."""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("google.adk", reason="the extra 'adk' is not installed")
pytest.importorskip("opentelemetry.sdk", reason="no SDK to record spans with")

from handrail.adapters.adk.quiet import content_free_runs, quiet
from handrail.errors import InvalidSettings

CANARY = "canary-91d0"
TRACED = Path(__file__).with_name("adk_traced.py")
EVERYTHING = {
    "ADK_EXPERIMENTAL_TELEMETRY": "1",
    "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT": "SPAN_AND_EVENT",
    "OTEL_SEMCONV_STABILITY_OPT_IN": "gen_ai_latest_experimental",
}
EVENTS = {"OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT": "true"}
OLDER = {"ADK_TELEMETRY_SCHEMA_VERSION_OPT_IN": "1"}


@pytest.mark.parametrize(
    ("environment", "by_itself"),
    [({}, set()), (EVERYTHING, {"spans", "events"}), (EVENTS, {"events"}), (OLDER, {"spans"})],
    ids=["default", "everything", "events", "older"],
)
def test_a63_what_was_said_is_in_nothing_that_adk_records(
    environment: dict[str, str], by_itself: set[str]
) -> None:
    done = subprocess.run(
        [sys.executable, str(TRACED)],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, **environment},
    )
    found = {
        play: {place for place, holds in places.items() if holds}
        for play, places in json.loads(done.stdout).items()
    }
    assert found["said"] == by_itself | {"anything"}  # so that the test would see it
    assert found["failed"] >= {"logs", "spans", "anything"}
    assert found["ours"] == {"anything"}
    assert CANARY not in done.stderr


def test_an_environment_that_overrules_programs_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ADK_TELEMETRY_IGNORE_RUN_CONFIG", "1")
    with pytest.raises(InvalidSettings, match="ADK_TELEMETRY_IGNORE_RUN_CONFIG"):
        content_free_runs()
    monkeypatch.setenv("ADK_CAPTURE_MESSAGE_CONTENT_IN_SPANS", "false")
    assert content_free_runs().max_llm_calls == 1


@pytest.mark.parametrize("name", ["google_adk.anything", "google_genai.models", "httpx", "openai"])
def test_the_clients_of_a_call_are_mute_inside_it_and_heard_outside(
    name: str, caplog: pytest.LogCaptureFixture
) -> None:
    logger = logging.getLogger(name)
    with caplog.at_level(logging.DEBUG), caplog.at_level(logging.DEBUG, logger=name):
        with quiet():
            logger.error(CANARY)
            logging.getLogger("handrail.somewhere").warning("ours")
        logger.info("outside")
    assert [record.getMessage() for record in caplog.records] == ["ours", "outside"]
