"""The 100-point score of the catalogue, the grade point view of it, and the verdict over many.

A missing primary costs everything; a missing secondary 10; an entity that is not expected, an
expected handler that is missing and one that is not expected 20 each. An id costs once, by its
gravest fault. Entities that are always loaded are neither rewarded nor punished.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from handrail.evals.guide.expectations import Expectation

PERFECT = 100
GPA_MAX = 4.0


class FaultKind(StrEnum):
    """What was wrong with one entity."""

    PRIMARY_MISSING = "primary_missing"
    HANDLER_MISSING = "handler_missing"
    SECONDARY_MISSING = "secondary_missing"
    HANDLER_PRESENT = "handler_not_expected"
    PRESENT = "not_expected"


COSTS = {
    FaultKind.PRIMARY_MISSING: PERFECT,
    FaultKind.HANDLER_MISSING: 20,
    FaultKind.SECONDARY_MISSING: 10,
    FaultKind.HANDLER_PRESENT: 20,
    FaultKind.PRESENT: 20,
}
"""Points by fault, from the catalogue's scoring conventions."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One entity that was missing, or that should not have been there."""

    kind: FaultKind
    entity_id: str

    @property
    def cost(self) -> int:
        """Points that it takes away."""
        return COSTS[self.kind]


@dataclass(frozen=True, slots=True)
class Points:
    """The score of one test, by its faults."""

    faults: tuple[Fault, ...] = ()

    @property
    def hard_fail(self) -> bool:
        """Whether the one entity that had to be there was not."""
        return any(fault.kind is FaultKind.PRIMARY_MISSING for fault in self.faults)

    @property
    def score(self) -> int:
        """From 0 to 100."""
        return max(0, PERFECT - sum(fault.cost for fault in self.faults))

    @property
    def gpa(self) -> float:
        """The score as grade points, from 0 to 4."""
        return GPA_MAX * self.score / PERFECT


def judge(expected: Expectation, found: Collection[str]) -> Points:
    """Score a final set; a repeated id counts once."""
    faults: dict[str, Fault] = {}
    for kind, entity_id in _faults(expected, frozenset(found)):
        faults.setdefault(entity_id, Fault(kind, entity_id))
    return Points(tuple(faults.values()))


def _faults(expected: Expectation, found: frozenset[str]) -> Iterator[tuple[FaultKind, str]]:
    """Every fault, the gravest of an id before its others."""
    primary = (expected.expected_primary,) if expected.expected_primary else ()
    for kind, ids in (
        (FaultKind.PRIMARY_MISSING, primary),
        (FaultKind.HANDLER_MISSING, expected.expected_handlers),
        (FaultKind.SECONDARY_MISSING, expected.expected_secondary),
    ):
        yield from ((kind, one) for one in ids if one not in found)
    for kind, ids in (
        (FaultKind.HANDLER_PRESENT, expected.not_expected_handlers),
        (FaultKind.PRESENT, expected.not_expected),
    ):
        yield from ((kind, one) for one in ids if one in found)


BANDS = ((100, "100"), (90, "90-99"), (80, "80-89"), (70, "70-79"), (60, "60-69"), (1, "1-59"))


def band(score: int) -> str:
    """The band of a score, without a letter."""
    return next((name for least, name in BANDS if score >= least), "0")


class Health(StrEnum):
    """The verdict over a bank, by the rule of contract 4.1."""

    CRITICAL = "CRITICAL"
    EXCELLENT = "EXCELLENT"
    GOOD = "GOOD"
    FAIR = "FAIR"
    POOR = "POOR"


def health(points: Sequence[Points], *, critical: int) -> Health:
    """One critical failure outweighs all; below 90, or with a hard fail, at best good."""
    if critical:
        return Health.CRITICAL
    mean = sum(each.score for each in points) / max(len(points), 1)
    if mean >= 90 and not any(each.hard_fail for each in points):
        return Health.EXCELLENT
    if mean >= 80:
        return Health.GOOD
    return Health.FAIR if mean >= 70 else Health.POOR
