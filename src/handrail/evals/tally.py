"""Attempts on the evidence gate, counted: by family, by kind of text, and overall."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from handrail.evals.counterfactuals import FAMILIES
from handrail.evals.intervals import NOTHING, Estimate, share

KINDS = ("quoted", "contracted")
REJECTED = "false_rejection"


@dataclass(slots=True)
class Tally:
    """Attempts by figure: how many, which went wrong, and what could not be attempted."""

    tried: Counter[str] = field(default_factory=Counter)
    wrong: dict[str, list[str]] = field(default_factory=dict)
    counts: Counter[str] = field(default_factory=Counter)

    def add(self, name: str, *, id: str, wrong: bool) -> None:
        """Count one attempt."""
        self.tried[name] += 1
        if wrong:
            self.wrong.setdefault(name, []).append(id)

    def estimates(self) -> dict[str, Estimate]:
        """Every figure; one without a kind is the worse of the two kinds."""
        figures = {name: self._share(name) for name in sorted(self.tried)}
        overall = {}
        for name in (*(f"accepted.{family}" for family in FAMILIES), REJECTED):
            stem, _, family = name.partition(".")
            tail = f".{family}" if family else ""
            both = [figures.get(f"{stem}.{kind}{tail}", NOTHING) for kind in KINDS]
            overall[name] = max(both, key=_badness)
        return {**overall, **figures}

    @property
    def misses(self) -> dict[str, tuple[str, ...]]:
        """Ids of the sentences that went wrong, by figure."""
        return {name: tuple(ids) for name, ids in sorted(self.wrong.items())}

    def _share(self, name: str) -> Estimate:
        return share(len(self.wrong.get(name, ())), self.tried[name])


def _badness(figure: Estimate) -> tuple[float, float]:
    return (-1.0, -1.0) if figure.value is None else (figure.value, figure.high or 0.0)
