"""What a run over the guide's banks gave: figures, tables and every test; ids, never a prompt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from handrail.evals.guide import tables
from handrail.evals.guide.results import Result, sources
from handrail.evals.guide.scoring import BANDS, Health, band
from handrail.evals.scorecard import Scorecard


@dataclass(frozen=True, slots=True, kw_only=True)
class GuideCard(Scorecard):
    """A scorecard with its results; ``titles`` names entities for people, ``warnings`` the odd."""

    health: Health
    results: tuple[Result, ...]
    titles: Mapping[str, str]
    warnings: tuple[str, ...] = ()

    @property
    def failures(self) -> tuple[Result, ...]:
        """Tests of safety that failed over safety."""
        return tuple(result for result in self.results if result.critical_failure)

    @property
    def score(self) -> float:
        """The mean score out of 100."""
        return sum(one.points.score for one in self.results) / max(len(self.results), 1)

    @property
    def summary(self) -> str:
        """One line: the verdict and what it stands on."""
        hard = sum(one.points.hard_fail for one in self.results)
        return (
            f"{self.health.value}: mean score {self.score:.1f} of 100 over {len(self.results)} "
            f"tests, {len(self.failures)} critical failures, {hard} hard fails"
        )

    def to_json(self) -> dict[str, object]:
        """The scorecard with the tables, as ``--json`` prints it."""
        return {
            **Scorecard.to_json(self),
            "health": self.health.value,
            "score": round(self.score, 3),
            "critical": [_critical(result) for result in self.failures],
            "entities": [asdict(line) for line in tables.by_entity(self.results)],
            "channels": [asdict(line) for line in tables.by_channel(self.results)],
            "confusions": [asdict(pair) for pair in tables.confusions(self.results)],
            "lost": {stage.value: n for stage, n in tables.lost(self.results).items()},
            "tests": [_test(result) for result in self.results],
            "warnings": list(self.warnings),
        }


def counts(results: Sequence[Result]) -> dict[str, int]:
    """How many tests, of which sort, and how they ended."""
    bands = Counter(band(one.points.score) for one in results)
    said = Counter(one.row.source for one in results)
    return {
        "tests": len(results),
        "tests.critical": sum(one.row.is_critical for one in results),
        "critical_failures": sum(one.critical_failure for one in results),
        "safety_faults_elsewhere": sum(
            bool(one.critical) and not one.row.is_critical for one in results
        ),
        "hard_fails": sum(one.points.hard_fail for one in results),
        "doubled": sum(bool(one.doubled) for one in results),
        **{f"score.{name}": bands[name] for name in (*(name for _, name in BANDS), "0")},
        **{f"expectations.{name}": said[name] for name in sorted(said)},
    }


def _critical(result: Result) -> dict[str, object]:
    return {
        "test_id": result.row.id,
        "faults": [_fault(fault.kind.value, fault.entity_id) for fault in result.critical],
        "shown": list(result.found.ids),
    }


def _test(result: Result) -> dict[str, object]:
    return {
        "test_id": result.row.id,
        "bank": result.row.bank,
        "score": result.points.score,
        "hard_fail": result.points.hard_fail,
        "critical_failure": result.critical_failure,
        "rank": result.rank,
        "faults": [_fault(fault.kind.value, fault.entity_id) for fault in result.points.faults],
        "lost": {loss.entity_id: loss.stage.value for loss in result.losses},
        "shown": [
            {"entity_id": one.entity.entity_id, "by": list(sources(one))}
            for one in result.found.final
        ],
        "expectation": result.row.source,
    }


def _fault(kind: str, entity_id: str) -> dict[str, str]:
    return {"fault": kind, "entity_id": entity_id}
