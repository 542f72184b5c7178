"""What a measurement gave, and all that is needed to give it again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from handrail.evals.intervals import LEVEL, RESAMPLES, SEED, Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class Scorecard:
    """Figures by flat name, with pins of what was measured; ids and counts, never text.

    ``misses`` lists by figure the ids of the rows that pull it down. Names of figures and counts
    are stable once published. Suites over a rail alone have neither a pipeline nor a decider;
    ``pins`` names the versions of the content that was measured.
    """

    suite: str
    metrics: Mapping[str, Estimate]
    counts: Mapping[str, int]
    misses: Mapping[str, tuple[str, ...]]
    collection: Mapping[str, object] = field(default_factory=dict)
    pipeline: Mapping[str, object] = field(default_factory=dict)
    decider: str | None = None
    pins: Mapping[str, object] = field(default_factory=dict)

    def to_json(self) -> dict[str, object]:
        """One object as ``--json`` prints it."""
        return {
            "suite": self.suite,
            "collection": dict(self.collection),
            "pipeline": dict(self.pipeline),
            "decider": self.decider,
            "pins": dict(self.pins),
            "metrics": {name: figure.to_json() for name, figure in self.metrics.items()},
            "counts": dict(self.counts),
            "misses": {name: list(ids) for name, ids in self.misses.items()},
            "interval": {"level": LEVEL, "resamples": RESAMPLES, "seed": SEED},
        }
