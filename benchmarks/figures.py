"""What a benchmark gives: figures with units and intervals, or the reason why there are none."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version

from handrail.evals.intervals import Estimate, percentile

PACKAGES = ("handrail", "faiss-cpu", "bm25s", "numpy", "onnxruntime")


class Skip(Exception):
    """A part that cannot be measured here; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Figure:
    """An estimate with its unit."""

    name: str
    unit: str
    estimate: Estimate

    def to_json(self) -> dict[str, object]:
        """The estimate's parts and the unit."""
        return {**self.estimate.to_json(), "unit": self.unit}


def single(name: str, unit: str, value: float) -> Figure:
    """One observation, which has no interval."""
    return Figure(name, unit, Estimate(value, None, None, 1))


def times(name: str, ms: Sequence[float]) -> list[Figure]:
    """The 50th and the 95th percentile of milliseconds."""
    return [Figure(f"{name}.p{round(at * 100)}", "ms", percentile(ms, at)) for at in (0.50, 0.95)]


def table(figures: Sequence[Figure], skipped: Mapping[str, str]) -> Iterator[str]:
    """Lines for people."""
    width = max((len(figure.name) for figure in figures), default=0)
    for figure in figures:
        found = figure.estimate
        yield f"{figure.name:{width}}  {_number(found.value):>9} {figure.unit:11} {_between(found)}"
    for part, reason in skipped.items():
        yield f"{part}: skipped: {reason}"


def machine() -> dict[str, object]:
    """What the figures were measured on; nothing that names it."""
    return {
        "python": platform.python_version(),
        "processor": platform.machine(),
        "cores": os.cpu_count(),
        "versions": {name: _version(name) for name in PACKAGES},
    }


def _between(found: Estimate) -> str:
    if found.low is None or found.high is None:
        return f"n={found.n}"
    return f"[{_number(found.low)}, {_number(found.high)}] n={found.n}"


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.4g}"


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None
