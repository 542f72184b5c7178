"""The published names of a run's timings (C46): the same in the log and in the metrics."""

from __future__ import annotations

from collections.abc import Mapping

from handrail.domain.trace import Trace

_PUBLISHED = {"search_lexical": "search_lex_ms"}  # the contract's spelling; the rest is regular


def timings(trace: Trace) -> Mapping[str, float]:
    """Milliseconds by published name, in the order of the run; a repeated stage is summed."""
    found: dict[str, float] = {}
    for step in trace.steps:
        name = _PUBLISHED.get(step.name, f"{step.name}_ms")
        found[name] = found.get(name, 0.0) + step.ms
    return found
