"""Does the guide find what a parent needs: the banks run, scored and counted (H29, H39)."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

from handrail.content.loader import content_hash
from handrail.domain.entity import ChatType, Entity
from handrail.evals.guide.bank import (
    BANKS,
    SEALED,
    Split,
    chosen_files,
    chosen_rows,
    oddities,
)
from handrail.evals.guide.card import GuideCard, counts
from handrail.evals.guide.results import Result, judged
from handrail.evals.guide.scoring import health, judge
from handrail.evals.intervals import Estimate, clopper_pearson, mean, share
from handrail.evals.retrieval import Progress, silent
from handrail.flows.guide.found import Found

Find: TypeAlias = Callable[[str, Mapping[str, object], ChatType | None], Found]
"""The final set for a prompt, a user's state and a kind of conversation."""

ROTG = "rotg_de_escalation"  # the one entity with a bar of its own


def run_guide(
    find: Find,
    *,
    entities: Iterable[Entity],
    bank: Path | None = None,
    split: Split | None = None,
    pins: Mapping[str, object] | None = None,
    progress: Progress = silent,
) -> GuideCard:
    """Measure ``find`` over ``bank``, or over the packaged banks; ``entities`` are those in force.

    Without ``split`` a given bank is measured whole, the packaged ones by their test half. Raises
    `InvalidInput` or `NotFound` for a bank that cannot be used, and what ``find`` raises.
    """
    known = {entity.entity_id: entity for entity in entities}
    split = split or ("all" if bank else "test")
    files = chosen_files(bank, split)
    rows = {file: chosen_rows(file, split) for file in files}
    every = [row for each in rows.values() for row in each]
    results = []
    for done, row in enumerate(every, start=1):
        found = find(row.text, row.user_state, row.chat_type)
        results.append(judged(row, found, known))
        progress(done, len(every))
    sealed = {row.id for row in rows.get(SEALED, ())}
    return GuideCard(
        suite="guide",
        metrics=_figures(results, sealed),
        counts=counts(results),
        misses=_misses(results),
        decider="twin",
        pins={
            **(pins or {}),
            "banks": {file.name: _sha256(file) for file in files},
            "split": split,
            "content": content_hash(),
        },
        health=health(
            [one.points for one in results],
            critical=sum(one.critical_failure for one in results),
        ),
        results=tuple(results),
        titles={name: entity.title for name, entity in known.items()},
        warnings=oddities(every, frozenset(known)),
    )


def _figures(results: Sequence[Result], sealed: set[str]) -> dict[str, Estimate]:
    """Every figure by its flat name; those of the four banks are there even without a test."""
    extra = {one.row.bank for one in results} - set(BANKS)
    primary = [one for one in results if one.expected.expected_primary]
    figures = {
        "gpa": _gpa(results),
        **{f"gpa.{name}": _gpa(_of(results, name)) for name in (*BANKS, *sorted(extra))},
        "gpa.handlers": _gpa([one for one in results if one.expected.expected_handlers]),
        f"gpa.{ROTG}": _gpa([one for one in primary if one.expected.expected_primary == ROTG]),
        "critical_failures": critical_count(results),
        "found": share(sum(one.rank is not None for one in primary), len(primary)),
        "first": share(
            sum(one.rank is not None and not one.confusion for one in primary), len(primary)
        ),
    }
    if sealed:
        figures["gpa.second"] = _gpa([one for one in results if one.row.id in sealed])
    if any(one.row.source != "original" for one in results):
        figures["gpa.original"] = mean([_original_gpa(one) for one in results])
    return figures


def _gpa(results: Sequence[Result]) -> Estimate:
    return mean([one.points.gpa for one in results])


def _of(results: Sequence[Result], bank: str) -> list[Result]:
    return [one for one in results if one.row.bank == bank]


def critical_count(results: Sequence[Result]) -> Estimate:
    """How many tests of safety failed, with the exact interval of their share times their number.

    A count is 0, and not unknown, where nothing could fail.
    """
    critical = [one for one in results if one.row.is_critical]
    failed = sum(one.critical_failure for one in critical)
    n = len(critical)
    low, high = clopper_pearson(failed, n) if n else (0.0, 0.0)
    return Estimate(float(failed), low * n, high * n, n)


def _original_gpa(result: Result) -> float:
    """Grade points by what the row's writer expected, whatever was said since."""
    always = {one.entity_id for one in result.found.always}
    return judge(result.row.original.without(always), result.found.ids).gpa


def _misses(results: Sequence[Result]) -> dict[str, tuple[str, ...]]:
    return {
        "critical_failures": tuple(one.row.id for one in results if one.critical_failure),
        "found": tuple(one.row.id for one in results if one.points.hard_fail),
        "gpa": tuple(one.row.id for one in results if one.points.faults),
    }


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
