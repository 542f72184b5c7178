"""One JSON line a run; ids and times, no text (C23, C46-C48)."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from handrail.adapters.structlog import StructuredLog
from handrail.domain.trace import Run, Step, Trace

STAGES = ("embed", "search_dense", "search_lexical", "fuse", "probe", "decider", "assemble", "gate")


def run(outcome: str = "answer", *, reason: str | None = None, **flags: bool) -> Run:
    steps = tuple(Step(name, at + 0.5, {"facts": "stay here"}) for at, name in enumerate(STAGES))
    return Run(
        flow="coach",
        outcome=outcome,
        reason=reason,
        case_ids=("0123456789abcdef",),
        sentence_ids=("0123456789abcdef/2",),
        receipt_id="f" * 64,
        trace=Trace("trace-1", steps, flags, 12.3456),
    )


def logged(run: Run, *, level: str = "debug") -> list[dict[str, Any]]:
    stream = io.StringIO()
    StructuredLog(level=level, stream=stream).observed(run)
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def test_c46_a_line_has_the_trace_id_and_every_stage_by_its_published_name() -> None:
    (line,) = logged(run())
    assert line["trace_id"] == "trace-1"
    assert [name for name in line if name.endswith("_ms")] == [
        "embed_ms",
        "search_dense_ms",
        "search_lex_ms",
        "fuse_ms",
        "probe_ms",
        "decider_ms",
        "assemble_ms",
        "gate_ms",
        "latency_ms",
    ]
    assert line["search_lex_ms"] == 2.5


def test_a_stage_that_ran_twice_is_summed() -> None:
    twice = Run(flow="coach", outcome="answer", trace=Trace("t", (Step("a", 1.0), Step("a", 2.0))))
    assert logged(twice)[0]["a_ms"] == 3.0


def test_c48_ids_are_logged_and_the_facts_of_steps_are_not() -> None:
    (line,) = logged(run())
    assert line["case_ids"] == ["0123456789abcdef"]
    assert line["sentence_ids"] == ["0123456789abcdef/2"]
    assert "stay here" not in json.dumps(line)


@pytest.mark.parametrize(
    ("done", "crisis", "refused", "fallback"),
    [
        (run(), False, False, False),
        (run(fallback_used=True), False, False, True),
        (run("abstention", reason="thin-evidence"), False, True, False),
        (run("refusal", reason="policy"), False, True, False),
        (run("safetyresponse", reason="crisis", crisis=True), True, True, False),
    ],
    ids=lambda value: value.outcome if isinstance(value, Run) else "",
)
def test_c47_flags(done: Run, crisis: bool, refused: bool, fallback: bool) -> None:
    (line,) = logged(done)
    assert (line["crisis"], line["refused"], line["fallback_used"]) == (crisis, refused, fallback)


@pytest.mark.parametrize(
    ("done", "level"),
    [
        (run(), "info"),
        (run("safety", reason="crisis", crisis=True), "warning"),
        (run("abstention", reason="gate-failed"), "warning"),
        (run("error", reason="KeyError at flow.py:1"), "error"),
    ],
    ids=["answer", "crisis", "rail", "defect"],
)
def test_c23_a_crisis_is_in_the_log_at_the_default_level(done: Run, level: str) -> None:
    assert logged(done)[0]["level"] == level
    assert bool(logged(done, level="warning")) is (level != "info")


class Full(io.StringIO):
    """A disk without room."""

    def write(self, text: str) -> int:
        raise OSError(28, "no space left")


def test_a_sink_that_fails_is_counted_and_raises_nothing() -> None:
    log = StructuredLog(level="debug", stream=Full())
    log.observed(run())
    log.observed(run())
    assert log.failures == 2
