"""Every request and every reply once, and null where nothing was measured (C45, C49, C50, C66)."""

from __future__ import annotations

import pytest

from handrail.domain.trace import Run, Step, Trace
from handrail.server.metrics import WINDOW, Metrics, Times


def run(
    outcome: str = "answer", *, ms: float = 10.0, crisis: bool = False, steps: tuple[Step, ...] = ()
) -> Run:
    return Run(flow="coach", outcome=outcome, trace=Trace("t", steps, {"crisis": crisis}, ms))


GATE = Step("gate", 1.0)
TWIN = Step("decider", 0.5, {"by": "fallback", "failure": None})
LATE = Step("decider", 4000.0, {"by": "fallback", "failure": "timeout"})
MODEL = Step("decider", 250.0, {"by": "model", "failure": None})


def test_c66_nothing_measured_is_null_and_not_a_constant() -> None:
    body = Metrics().body()
    figures = (body.hit_at_3, body.gate_pass_rate, body.refusal_rate, body.p50_ms, body.p95_ms)
    assert figures == (None,) * 5


def test_c66_hit_at_3_is_what_a_labelled_run_found() -> None:
    metrics = Metrics()
    metrics.evaluated(0.8125)
    assert metrics.body().hit_at_3 == 0.8125


def test_resolution_9_refusals_over_all_replies_and_passes_over_gated_ones() -> None:
    metrics = Metrics()
    metrics.observed(run(steps=(TWIN, GATE)))
    metrics.observed(run(steps=(MODEL, GATE)))
    metrics.observed(run("abstention", steps=(LATE, GATE)))
    metrics.observed(run("abstention"))  # nothing similar: never came to the gate
    metrics.observed(run("safety", crisis=True))
    body = metrics.body()
    assert body.refusal_rate == 0.6
    assert body.gate_pass_rate == round(2 / 3, 4)
    assert (body.gate.passed, body.gate.failed) == (2, 1)
    assert body.coach_requests == 5


def test_c49_deciders_timeouts_and_crises_are_counted() -> None:
    metrics = Metrics()
    for step in (TWIN, LATE, MODEL):
        metrics.observed(run(steps=(step,)))
    metrics.observed(run("safety", crisis=True))
    body = metrics.body()
    assert (body.decider.by_model, body.decider.by_fallback, body.decider.timeouts) == (1, 2, 1)
    assert body.crisis == 1


def test_another_flow_moves_no_figure_of_the_coach() -> None:
    metrics = Metrics()
    metrics.observed(Run(flow="search", outcome="found", trace=Trace("t", ms=5.0)))
    body = metrics.body()
    assert (body.coach_requests, body.refusal_rate, body.p50_ms) == (0, None, None)


def test_c45_percentiles_by_nearest_rank() -> None:
    metrics = Metrics()
    for ms in range(1, 101):
        metrics.observed(run(ms=float(ms)))
    body = metrics.body()
    assert (body.p50_ms, body.p95_ms) == (50.0, 95.0)


def test_percentiles_forget_but_counts_do_not() -> None:
    times = Times()
    for _ in range(WINDOW):
        times.add(9_999.0)
    for _ in range(WINDOW):
        times.add(1.0)
    assert times.percentile(0.95) == 1.0
    assert times.cumulative()[-1] == ("+Inf", 2.0 * WINDOW)


@pytest.mark.parametrize(
    ("ms", "bucket"), [(1.0, "1"), (1.01, "2.5"), (10_000, "10000"), (1e9, "+Inf")]
)
def test_c50_a_time_lies_in_the_first_bucket_that_holds_it(ms: float, bucket: str) -> None:
    times = Times()
    times.add(ms)
    assert next(bound for bound, count in times.cumulative() if count) == bucket


def test_c46_stages_carry_the_published_names() -> None:
    metrics = Metrics()
    metrics.observed(run(steps=(Step("embed", 3.0), Step("search_lexical", 0.5), TWIN)))
    assert list(metrics.body().stages) == ["decider_ms", "embed_ms", "search_lex_ms"]


def test_requests_are_counted_by_route_and_status() -> None:
    metrics = Metrics()
    for status in (200, 200, 422):
        metrics.requested("POST /coach", status)
    assert metrics.body().requests == {"POST /coach": {"200": 2, "422": 1}}


def test_prometheus_text_says_the_same_as_json() -> None:
    metrics = Metrics()
    metrics.requested("POST /coach", 200)
    metrics.observed(run(ms=7.0, steps=(Step("embed", 3.0), TWIN, GATE)))
    raw, media_type = metrics.text("text/plain;version=0.0.4")
    text = raw.decode()
    assert media_type.startswith("text/plain")
    assert 'handrail_requests_total{endpoint="POST /coach",status="200"} 1.0' in text
    assert 'handrail_gate_total{result="passed"} 1.0' in text
    assert 'handrail_run_milliseconds_bucket{flow="coach",le="5"} 0.0' in text
    assert 'handrail_run_milliseconds_bucket{flow="coach",le="10"} 1.0' in text
    assert 'handrail_stage_milliseconds_sum{stage="embed_ms"} 3.0' in text
    assert "python_info" not in text


def test_openmetrics_where_it_is_asked_for() -> None:
    raw, media_type = Metrics().text("application/openmetrics-text; version=1.0.0")
    assert media_type.startswith("application/openmetrics-text")
    assert raw.endswith(b"# EOF\n")
