"""Counts and times of what has happened; each request and each reply once (C45, C49, C50, C66)."""

from __future__ import annotations

import math
import threading
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime

from handrail.adapters.prometheus import CounterFamily, HistogramFamily, exposition
from handrail.calls.failure import Failure
from handrail.domain.timings import timings
from handrail.domain.trace import Run
from handrail.server.bodies import (
    DeciderBody,
    GateBody,
    MetricsBody,
    ReferralsBody,
    ReframeMetricsBody,
    StageBody,
)

WINDOW = 1024  # latest times that percentiles look at
BUCKETS_MS = (1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000)
COACH = "coach"
REFRAME = "reframe"
GUIDE = "guide"
ANSWER = "answer"


@dataclass(slots=True)
class Times:
    """Milliseconds: all of them in buckets, the latest one by one."""

    buckets: list[int] = field(default_factory=lambda: [0] * (len(BUCKETS_MS) + 1))
    total: float = 0.0
    latest: deque[float] = field(default_factory=lambda: deque(maxlen=WINDOW))

    def add(self, ms: float) -> None:
        """Count one."""
        at = next((at for at, bound in enumerate(BUCKETS_MS) if ms <= bound), len(BUCKETS_MS))
        self.buckets[at] += 1
        self.total += ms
        self.latest.append(ms)

    def percentile(self, share: float) -> float | None:
        """Nearest rank over the latest; None without any."""
        if not self.latest:
            return None
        return round(sorted(self.latest)[math.ceil(share * len(self.latest)) - 1], 3)

    def cumulative(self) -> list[tuple[str, float]]:
        """Prometheus buckets."""
        running, found = 0, []
        for bound, count in zip((*map(str, BUCKETS_MS), "+Inf"), self.buckets, strict=True):
            running += count
            found.append((bound, float(running)))
        return found


@dataclass(slots=True)
class Metrics:
    """An observer of runs, told of requests by the server; safe to share between threads."""

    _counts: Counter[tuple[str, ...]] = field(default_factory=Counter)
    _stages: defaultdict[str, Times] = field(default_factory=lambda: defaultdict(Times))
    _runs: defaultdict[str, Times] = field(default_factory=lambda: defaultdict(Times))
    _hit_at_3: float | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)
    today: Callable[[], date] = lambda: datetime.now(UTC).date()

    def requested(self, endpoint: str, status: int) -> None:
        """One finished request; ``endpoint`` is a route, never an address that someone typed."""
        with self._lock:
            self._counts["requests", endpoint, str(status)] += 1

    def evaluated(self, hit_at_3: float) -> None:
        """The result of a labelled run over the served collection; without one it stays null."""
        with self._lock:
            self._hit_at_3 = hit_at_3

    def observed(self, run: Run) -> None:
        """One finished run."""
        with self._lock:
            self._counts["runs", run.flow, run.outcome] += 1
            self._runs[run.flow].add(run.trace.ms)
            for name, ms in timings(run.trace).items():
                self._stages[name].add(ms)
            if run.flow in (COACH, REFRAME, GUIDE):
                self._heard(run)
            if run.flow == COACH:
                self._coached(run)

    def _referred(self, kinds: Sequence[str]) -> None:
        """Count one referral under its month, and each kind of danger once; no identifiers."""
        month = f"{self.today():%Y-%m}"
        self._counts["referrals", month] += 1
        for kind in set(kinds):
            self._counts["referral_kinds", month, kind] += 1

    def _heard(self, run: Run) -> None:
        if run.referral:
            self._referred(run.referral)
        self._counts["crisis",] += bool(run.trace.flags.get("crisis"))

    def _coached(self, run: Run) -> None:
        if run.trace.step("gate"):
            self._counts["gate", "passed" if run.outcome == ANSWER else "failed"] += 1
        if decider := run.trace.step("decider"):
            self._counts["decider", str(decider.facts.get("by"))] += 1
            self._counts["timeouts",] += decider.facts.get("failure") == Failure.TIMEOUT

    def body(self) -> MetricsBody:
        """Everything as JSON shows it."""
        with self._lock:
            outcomes = self._outcomes(COACH)
            coached = sum(outcomes.values())
            passed, failed = self._counts["gate", "passed"], self._counts["gate", "failed"]
            return MetricsBody(
                hit_at_3=self._hit_at_3,
                gate_pass_rate=_share(passed, passed + failed),
                refusal_rate=_share(coached - outcomes.get(ANSWER, 0), coached),
                p50_ms=self._runs[COACH].percentile(0.50),
                p95_ms=self._runs[COACH].percentile(0.95),
                coach_requests=coached,
                crisis=self._counts["crisis",],
                referrals=self._referrals(),
                outcomes=outcomes,
                reframe=self._reframed(),
                gate=GateBody(passed=passed, failed=failed),
                decider=DeciderBody(
                    by_model=self._counts["decider", "model"],
                    by_fallback=self._counts["decider", "fallback"],
                    timeouts=self._counts["timeouts",],
                ),
                requests=self._requests(),
                stages={name: _stage(times) for name, times in sorted(self._stages.items())},
            )

    def text(self, accept: str) -> tuple[bytes, str]:
        """Everything as Prometheus text, and its media type."""
        with self._lock:
            return exposition(self._families(), accept)

    def _of(self, kind: str) -> dict[tuple[str, ...], int]:
        return {key: count for key, count in self._counts.items() if key[0] == kind}

    def _outcomes(self, flow: str) -> dict[str, int]:
        return {o: n for (_, of, o), n in self._of("runs").items() if of == flow}

    def _reframed(self) -> ReframeMetricsBody:
        outcomes = self._outcomes(REFRAME)
        return ReframeMetricsBody(
            turns=sum(outcomes.values()),
            outcomes=outcomes,
            p50_ms=self._runs[REFRAME].percentile(0.50),
            p95_ms=self._runs[REFRAME].percentile(0.95),
        )

    def _requests(self) -> dict[str, dict[str, int]]:
        found: defaultdict[str, dict[str, int]] = defaultdict(dict)
        for (_, endpoint, status), count in sorted(self._of("requests").items()):
            found[endpoint][status] = count
        return dict(found)

    def _referrals(self) -> dict[str, ReferralsBody]:
        kinds: defaultdict[str, dict[str, int]] = defaultdict(dict)
        for (_, month, kind), count in sorted(self._of("referral_kinds").items()):
            kinds[month][kind] = count
        totals = sorted(self._of("referrals").items())
        return {
            month: ReferralsBody(total=count, kinds=kinds[month]) for (_, month), count in totals
        }

    def _families(self) -> Sequence[CounterFamily | HistogramFamily]:
        return (
            self._counter("requests", "HTTP requests by route and status", "endpoint", "status"),
            self._counter("runs", "Finished runs by flow and outcome", "flow", "outcome"),
            self._counter("gate", "Replies at the evidence gate", "result"),
            self._counter("decider", "Decisions by who made them", "by"),
            self._counter("timeouts", "Deciders that ran out of time"),
            self._counter("crisis", "Messages that got help first"),
            self._counter("referrals", "Replies that sent somebody to people", "month"),
            self._counter("referral_kinds", "The same by kind of danger", "month", "kind"),
            _histogram("run_milliseconds", "Whole runs", "flow", self._runs),
            _histogram("stage_milliseconds", "Stages of a run", "stage", self._stages),
        )

    def _counter(self, kind: str, text: str, *labels: str) -> CounterFamily:
        samples = {key[1:]: float(count) for key, count in self._of(kind).items()}
        return CounterFamily(name=f"handrail_{kind}", help=text, labels=labels, samples=samples)


def _histogram(name: str, text: str, label: str, times: dict[str, Times]) -> HistogramFamily:
    return HistogramFamily(
        name=f"handrail_{name}",
        help=text,
        labels=(label,),
        samples={(key,): (found.cumulative(), found.total) for key, found in times.items()},
    )


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None


def _stage(times: Times) -> StageBody:
    return StageBody(
        count=sum(times.buckets),
        p50_ms=times.percentile(0.50) or 0.0,
        p95_ms=times.percentile(0.95) or 0.0,
    )
