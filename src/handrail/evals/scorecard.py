"""What a measurement gave, and all that is needed to give it again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from handrail.evals.intervals import LEVEL, RESAMPLES, SEED, Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class Scorecard:
    """Figures by flat name, with pins of what was measured; ids and counts, never text.

    ``misses`` lists by figure the ids of the rows that pull it down. Names of figures and counts
    are stable once published.
    """

    suite: str
    collection: Mapping[str, object]
    pipeline: Mapping[str, object]
    decider: str | None
    metrics: Mapping[str, Estimate]
    counts: Mapping[str, int]
    misses: Mapping[str, tuple[str, ...]]

    def to_json(self) -> dict[str, object]:
        """One object as ``--json`` prints it."""
        return {
            "suite": self.suite,
            "collection": dict(self.collection),
            "pipeline": dict(self.pipeline),
            "decider": self.decider,
            "metrics": {name: figure.to_json() for name, figure in self.metrics.items()},
            "counts": dict(self.counts),
            "misses": {name: list(ids) for name, ids in self.misses.items()},
            "interval": {"level": LEVEL, "resamples": RESAMPLES, "seed": SEED},
        }
