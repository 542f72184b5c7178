"""The guide's search over the packaged entities and over a large invented catalogue."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from children import call
from figures import Figure, single
from handrail.evals.intervals import percentile

STAGES = (
    "scan",
    "semantic",
    "keyword",
    "pattern",
    "state",
    "four",
    "four_cpu",
    "merge",
    "late",
    "twin",
    "find",
    "find_cpu",
    "plain",
    "plain_cpu",
)
"""``four`` is all between the vectors of a message and the four rankings, `scan` included."""

_UNITS = {
    "entities": "entities",
    "searched": "entities",
    "compile_s": "s",
    "meaning_s": "s",
    "hash_s": "s",
    "memory": "MB",
    "memory_peak": "MB",
    "first": "ms",
}


def measure(scratch: Path, *, entities: int) -> list[Figure]:
    """Each catalogue in a process of its own, one thread."""
    sizes = {"packaged": 0, "invented": entities}
    return [
        figure
        for name, count in sizes.items()
        for figure in _figures(
            f"guide.{name}", call("child_guide.py", scratch / f"guide-{name}", count)
        )
    ]


def _figures(name: str, found: Mapping[str, Any]) -> list[Figure]:
    ms: Mapping[str, Sequence[float]] = found["ms"]
    return [
        *(single(f"{name}.{key}", unit, found[key]) for key, unit in _UNITS.items()),
        *(
            Figure(f"{name}.{stage}.p{p}", "ms", percentile(ms[stage], p / 100))
            for stage in STAGES
            if stage in ms
            for p in (50, 95, 99)
        ),
        *_ratios(name, ms),
    ]


def _ratios(name: str, ms: Mapping[str, Sequence[float]]) -> list[Figure]:
    """How many times as long the plain loops take over the same messages, each in turn."""
    plain = ms["plain"]
    return [
        Figure(
            f"{name}.plain_to_{stage}.p50",
            "",
            percentile(
                [theirs / ours for theirs, ours in zip(plain, ms[stage], strict=False)], 0.5
            ),
        )
        for stage in ("four", "find")
    ]
