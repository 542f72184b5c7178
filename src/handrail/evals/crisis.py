"""Does the crisis screen see danger, leave harmless talk alone, and see through disguises."""

from __future__ import annotations

import hashlib
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from handrail.content.loader import content_hash
from handrail.domain.risk import Level
from handrail.errors import InvalidInput
from handrail.evals.banks import CRISIS_BANK, CrisisRow, read_crisis
from handrail.evals.carriers import FALLBACK, SLOT, Carriers, read_carriers
from handrail.evals.crisis_figures import Check, Reading, accepted_alarms, figures, misses
from handrail.evals.intervals import Estimate, percentile
from handrail.evals.mutations import disguised
from handrail.evals.retrieval import Progress, silent
from handrail.evals.scorecard import Scorecard

TIMED_LENGTH = 300  # code points; the length for which the screen's speed is promised

_READINGS = 3

Clock = Callable[[], int]


def run_crisis(
    check: Check,
    *,
    bank: Path | None = None,
    split: str | None = None,
    reader: str = "screen",
    timed: Check | None = None,
    progress: Progress = silent,
) -> Scorecard:
    """Measure ``check`` over a bank, by default the packaged one, or over one split of it.

    ``reader`` names what ``check`` is, for the scorecard's pins. Rows are read one after another on
    one thread; the timed passages come last, when everything is warm, and are read by ``timed``
    (the first reader alone) where that is given. The time of a passage is that of the fastest of
    three readings: the screen's own cost, not that of a busy machine. Raises `InvalidInput` or
    `NotFound` for a bank that cannot be used; what ``check`` raises ends the measurement.
    """
    path = bank or CRISIS_BANK
    rows = _of_split(read_crisis(path), split, path)
    carriers = read_carriers()
    readings = []
    for done, row in enumerate(rows, start=1):
        readings.append(read_row(row, check, carriers))
        progress(done, len(rows))
    return Scorecard(
        suite="crisis",
        metrics={**figures(readings), **_latency(rows, timed or check, carriers)},
        counts=_counts(readings),
        misses=misses(readings),
        pins={
            "reader": reader,
            "bank": hashlib.sha256(path.read_bytes()).hexdigest(),
            "split": split,
            "content": content_hash(),
        },
    )


def read_row(row: CrisisRow, check: Check, carriers: Carriers) -> Reading:
    """What ``check`` says of a row.

    Rows that are caught are read in disguise and in carriers too, harmless ones in carriers alone.
    """
    level = check(row.text).level
    caught = min(row.label, level) >= Level.MODERATE
    mutated = disguised(row.text) if caught else {}
    around = carriers.get(row.lang, carriers[FALLBACK])
    carried = around if caught or row.label is Level.NONE else ()
    return Reading(
        row=row,
        level=level,
        mutated={name: check(text).level for name, text in mutated.items()},
        carried={each.frame: check(each.around(row.text)).level for each in carried},
    )


def _of_split(rows: Sequence[CrisisRow], split: str | None, path: Path) -> Sequence[CrisisRow]:
    chosen = [row for row in rows if split is None or row.split == split]
    if not chosen:
        known = ", ".join(sorted({repr(row.split) for row in rows if row.split})) or "none"
        raise InvalidInput(f"{path.name!r} has no split {split!r}. Its splits: {known}")
    return chosen


def _latency(rows: Sequence[CrisisRow], check: Check, carriers: Carriers) -> dict[str, Estimate]:
    amid = [_ms(check, passage) for passage in amid_everyday_talk(rows, carriers)]
    dense = [_ms(check, passage) for passage in one_after_another(rows)]
    return {
        "latency_p50_ms": percentile(amid, 0.50),
        "latency_p99_ms": percentile(amid, 0.99),
        "latency_dense_p99_ms": percentile(dense, 0.99),
    }


def amid_everyday_talk(rows: Sequence[CrisisRow], carriers: Carriers) -> Iterator[str]:
    """For each row 300 code points: its text, then harmless talk of its language, round again."""
    for row in rows:
        around = carriers.get(row.lang, carriers[FALLBACK])
        talk = [each.text.replace(SLOT, "").strip() for each in around]
        yield _filled([row.text, *talk], 0)


def one_after_another(rows: Sequence[CrisisRow]) -> Iterator[str]:
    """For each row 300 code points: its text, then the next of its language, and so on round."""
    for language in dict.fromkeys(row.lang for row in rows):
        texts = [row.text for row in rows if row.lang == language]
        yield from (_filled(texts, start) for start in range(len(texts)))


def _filled(texts: Sequence[str], start: int) -> str:
    said, at = texts[start], start
    while len(said) < TIMED_LENGTH:
        at = (at + 1) % len(texts)
        said = f"{said} {texts[at]}"
    return said[:TIMED_LENGTH]


def _ms(check: Check, text: str, clock: Clock = time.perf_counter_ns) -> float:
    return min(_once(check, text, clock) for _ in range(_READINGS)) / 1e6


def _once(check: Check, text: str, clock: Clock) -> int:
    begun = clock()
    check(text)
    return clock() - begun


def _counts(readings: Sequence[Reading]) -> dict[str, int]:
    labels = Counter(f"rows.{r.row.lang}.{r.row.level}" for r in readings)
    splits = Counter(f"rows.split.{r.row.split}" for r in readings if r.row.split)
    return {
        "rows": len(readings),
        **dict(sorted(labels.items())),
        **dict(sorted(splits.items())),
        "read_in_disguise": sum(len(r.mutated) for r in readings),
        "read_in_carriers": sum(len(r.carried) for r in readings),
        "false_alarms_accepted": len(accepted_alarms(readings)),
    }
