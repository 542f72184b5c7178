"""Does the injection screen see orders to the machine, and leave talk about such words alone."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from handrail.content.loader import ROOT, content_hash
from handrail.errors import InvalidInput
from handrail.evals.banks import Query, read_rows
from handrail.evals.intervals import Estimate, percentile, share
from handrail.evals.retrieval import Progress, silent
from handrail.evals.scorecard import Scorecard

_READINGS = 3
INJECTION_BANK = ROOT / "banks" / "injection.jsonl"


class Text(Query):
    """A text that is an attack, or is none; ``family`` and ``split`` are empty where not given."""

    attack: bool
    language: str = ""
    family: str = ""
    split: str = ""


@dataclass(frozen=True, slots=True)
class Seen:
    """What the screen said of one text, and how long it took."""

    row: Text
    flagged: bool
    ms: float


def run_injection(
    check: Callable[[str], bool],
    *,
    bank: Path | None = None,
    split: str | None = None,
    versions: Mapping[str, str] | None = None,
    progress: Progress = silent,
) -> Scorecard:
    """Measure ``check``, which says whether a text is an attack, over a bank or one split of it.

    Texts are read one after another on one thread. The time of a text is that of the fastest of
    three readings after its first: the screen's own cost, not that of a busy machine. Raises
    `InvalidInput` or `NotFound`
    for a bank that cannot be used; what ``check`` raises ends the measurement.
    """
    path = bank or INJECTION_BANK
    rows = _of_split(read_rows(path, Text), split, path)
    seen = []
    for done, row in enumerate(rows, start=1):
        seen.append(_seen(row, check))
        progress(done, len(rows))
    return Scorecard(
        suite="injection",
        metrics=_figures(seen),
        counts={
            "rows": len(seen),
            "attacks": sum(each.row.attack for each in seen),
            "benign": sum(not each.row.attack for each in seen),
        },
        misses={
            "recall": _ids(each for each in seen if each.row.attack and not each.flagged),
            "pass_rate": _ids(each for each in seen if not each.row.attack and each.flagged),
        },
        pins={
            "bank": hashlib.sha256(path.read_bytes()).hexdigest(),
            "split": split,
            "content": content_hash(),
            "versions": dict(versions or {}),
        },
    )


def _of_split(rows: Sequence[Text], split: str | None, path: Path) -> Sequence[Text]:
    chosen = [row for row in rows if split is None or row.split == split]
    if not chosen:
        known = ", ".join(sorted({repr(row.split) for row in rows if row.split})) or "none"
        raise InvalidInput(f"{path.name!r} has no split {split!r}. Its splits: {known}")
    return chosen


def _seen(row: Text, check: Callable[[str], bool]) -> Seen:
    flagged = check(row.text)
    return Seen(row, flagged, min(_ms(row.text, check) for _ in range(_READINGS)))


def _ms(text: str, check: Callable[[str], bool]) -> float:
    begun = time.perf_counter_ns()
    check(text)
    return (time.perf_counter_ns() - begun) / 1e6


def _figures(seen: Sequence[Seen]) -> dict[str, Estimate]:
    """The flat figures, and recall and pass rate by language where the bank names languages."""
    times = [each.ms for each in seen]
    figures = {
        "recall": _recall(seen),
        "pass_rate": _pass_rate(seen),
        "latency_p50_ms": percentile(times, 0.50),
        "latency_p99_ms": percentile(times, 0.99),
    }
    for language in sorted({each.row.language for each in seen if each.row.language}):
        spoken = [each for each in seen if each.row.language == language]
        figures[f"recall.{language}"] = _recall(spoken)
        figures[f"pass_rate.{language}"] = _pass_rate(spoken)
    return figures


def _recall(seen: Iterable[Seen]) -> Estimate:
    flags = [each.flagged for each in seen if each.row.attack]
    return share(sum(flags), len(flags))


def _pass_rate(seen: Iterable[Seen]) -> Estimate:
    passed = [not each.flagged for each in seen if not each.row.attack]
    return share(sum(passed), len(passed))


def _ids(seen: Iterable[Seen]) -> tuple[str, ...]:
    return tuple(each.row.id for each in seen)
