"""The record of a run: ids, counts, flags and milliseconds; never text."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Step:
    """One stage of a run with its duration and its facts."""

    name: str
    ms: float
    facts: Mapping[str, object] = field(default_factory=dict)


@dataclass(slots=True)
class Tracer:
    """Collects the steps of one message; the clock is a parameter so that tests can hold it."""

    trace_id: str
    clock: Callable[[], float] = time.perf_counter
    steps: list[Step] = field(default_factory=list)
    flags: dict[str, bool] = field(default_factory=dict)
    _start: float = field(init=False)

    def __post_init__(self) -> None:
        self._start = self.clock()

    @contextmanager
    def step(self, name: str) -> Iterator[dict[str, object]]:
        """Time a stage; facts put into the yielded dict land in the step, also when it raises."""
        facts: dict[str, object] = {}
        begun = self.clock()
        try:
            yield facts
        finally:
            self.steps.append(Step(name, (self.clock() - begun) * 1000, facts))

    @property
    def elapsed_ms(self) -> float:
        """Milliseconds since the tracer was made."""
        return (self.clock() - self._start) * 1000

    def trace(self) -> Trace:
        """The finished record."""
        return Trace(self.trace_id, tuple(self.steps), dict(self.flags), self.elapsed_ms)


@dataclass(frozen=True, slots=True)
class Trace:
    """The way of one message."""

    trace_id: str
    steps: tuple[Step, ...] = ()
    flags: Mapping[str, bool] = field(default_factory=dict)
    ms: float = 0.0

    def step(self, name: str) -> Step | None:
        """The first step of that name."""
        return next((step for step in self.steps if step.name == name), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One finished message as an observer sees it: what happened, never what was said."""

    flow: str
    outcome: str
    reason: str | None = None
    risk: str = "none"
    case_ids: tuple[str, ...] = ()
    sentence_ids: tuple[str, ...] = ()
    dropped_sentences: int = 0
    receipt_id: str | None = None
    referral: tuple[str, ...] = ()  # kinds of danger, where a referral is to be counted
    handoff: str | None = None  # taken, failed or late; None where no hook was called
    trace: Trace
