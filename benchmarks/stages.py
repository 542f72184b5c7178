"""Where the time of one message goes, inside the process and warm."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from figures import Figure, times
from handrail.bootstrap import build_engine
from handrail.domain.timings import timings
from handrail.domain.trace import Trace
from handrail.engine import Engine
from handrail.settings import load_settings
from material import Material

WARM = 10


def measure(material: Material, home: Path) -> list[Figure]:
    """Every stage of search and coach over all questions, one after another."""
    engine = build_engine(load_settings(home=home))
    return [
        *_stages("search", _searcher(engine, material.name), material.questions),
        *_stages("coach", _coacher(engine, material.name), material.questions),
    ]


def _searcher(engine: Engine, collection: str) -> Callable[[str], Trace]:
    def ask(text: str) -> Trace:
        tracer = engine.tracer()
        engine.search(text, collection=collection, tracer=tracer)
        return tracer.trace()

    return ask


def _coacher(engine: Engine, collection: str) -> Callable[[str], Trace]:
    return lambda text: engine.coach_now(text, collection=collection).trace


def _stages(flow: str, ask: Callable[[str], Trace], questions: tuple[str, ...]) -> list[Figure]:
    for text in questions[:WARM]:
        ask(text)
    seen = _observed(ask, questions)
    return [figure for name, ms in seen.items() for figure in times(f"{flow}.{name}", ms)]


def _observed(ask: Callable[[str], Trace], questions: Iterable[str]) -> Mapping[str, list[float]]:
    """Milliseconds by stage; then the whole as the caller sees it, and its processor time.

    Where neighbours use the same cores, processor time is what a quiet machine would come near.
    """
    seen: defaultdict[str, list[float]] = defaultdict(list)
    whole, whole_cpu = [], []
    for text in questions:
        begun, begun_cpu = time.perf_counter(), time.process_time()
        trace = ask(text)
        whole.append((time.perf_counter() - begun) * 1000)
        whole_cpu.append((time.process_time() - begun_cpu) * 1000)
        for name, ms in timings(trace).items():
            seen[name.removesuffix("_ms")].append(ms)
    return {**seen, "whole": whole, "whole_cpu": whole_cpu}
