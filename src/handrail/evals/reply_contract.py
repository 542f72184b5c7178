"""Does the rail for model-written turns stop what may not be said, and let the rest pass."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from handrail.content.loader import ROOT, content_hash
from handrail.errors import InvalidInput
from handrail.evals.banks import LanguageCode, Query, read_rows
from handrail.evals.intervals import Estimate, share
from handrail.evals.retrieval import Progress, silent
from handrail.evals.scorecard import Scorecard
from handrail.rails.reply_contract import Breach, Code, Terms

CONTRACT_BANK = ROOT / "banks" / "reply_contract.jsonl"
WORDS = 110  # A25
SUMMARY_WORDS = 160


class Turn(Query):
    """A model's turn that should pass, or the code of what it should be stopped for.

    ``scene`` says under which limits it is written; ``own_words`` are what the person had said.
    """

    verdict: Literal["pass"] | Code
    language: LanguageCode
    scene: Literal["talk", "summary", "followup"] = "talk"
    own_words: tuple[str, ...] = ()
    split: str = ""

    @property
    def good(self) -> bool:
        """Whether nothing is wrong with it."""
        return self.verdict == "pass"

    @property
    def terms(self) -> Terms:
        """The limits of its scene (A25, A26)."""
        summary = self.scene == "summary"
        return Terms(
            words=SUMMARY_WORDS if summary else WORDS,
            questions=1,
            language=self.language,
            bullets=summary,
            compound=summary,
        )


Judge = Callable[[Turn], Sequence[Breach]]


@dataclass(frozen=True, slots=True)
class Judged:
    """What the rail said of one turn."""

    row: Turn
    codes: frozenset[str]

    @property
    def stopped(self) -> bool:
        """Whether the turn would not have left."""
        return bool(self.codes)

    @property
    def named(self) -> bool:
        """Whether it was stopped for what is wrong with it."""
        return self.row.verdict in self.codes


def run_contract(
    judge: Judge,
    *,
    bank: Path | None = None,
    split: str | None = None,
    versions: Mapping[str, str] | None = None,
    progress: Progress = silent,
) -> Scorecard:
    """Measure ``judge`` over a bank of model-like turns, or over one split of it.

    ``caught`` is the share of bad turns that were stopped for whatever reason, ``named`` of those
    stopped for their own; ``false_rejection`` is the share of good turns that were stopped. Each
    comes for the whole, and for each split by itself. Raises `InvalidInput` or `NotFound` for a
    bank that cannot be used; what ``judge`` raises ends the measurement.
    """
    path = bank or CONTRACT_BANK
    rows = _of_split(read_rows(path, Turn), split, path)
    judged = []
    for done, row in enumerate(rows, start=1):
        judged.append(Judged(row, frozenset(each.code for each in judge(row))))
        progress(done, len(rows))
    return Scorecard(
        suite="contract",
        metrics=dict(_metrics(judged)),
        counts=_counts(judged),
        misses={
            "caught": tuple(e.row.id for e in judged if not e.row.good and not e.stopped),
            "false_rejection": tuple(e.row.id for e in judged if e.row.good and e.stopped),
        },
        pins={
            "bank": hashlib.sha256(path.read_bytes()).hexdigest(),
            "split": split,
            "content": content_hash(),
            "versions": dict(versions or {}),
        },
    )


def _of_split(rows: Sequence[Turn], split: str | None, path: Path) -> Sequence[Turn]:
    chosen = [row for row in rows if split is None or row.split == split]
    if not chosen:
        known = ", ".join(sorted({repr(row.split) for row in rows if row.split})) or "none"
        raise InvalidInput(f"{path.name!r} has no split {split!r}. Its splits: {known}")
    return chosen


def _metrics(judged: Sequence[Judged]) -> Iterator[tuple[str, Estimate]]:
    yield from _figures("", judged)
    splits = sorted({each.row.split for each in judged if each.row.split})
    for split in splits if len(splits) > 1 else ():
        yield from _figures(f"{split}.", [each for each in judged if each.row.split == split])


def _figures(prefix: str, judged: Sequence[Judged]) -> Iterator[tuple[str, Estimate]]:
    bad = [each for each in judged if not each.row.good]
    good = [each for each in judged if each.row.good]
    yield f"{prefix}caught", _share(bad, lambda each: each.stopped)
    yield f"{prefix}named", _share(bad, lambda each: each.named)
    yield f"{prefix}false_rejection", _share(good, lambda each: each.stopped)
    for language in sorted({each.row.language for each in judged}):
        spoken = [each for each in good if each.row.language == language]
        yield f"{prefix}false_rejection.{language}", _share(spoken, lambda each: each.stopped)
    for code in sorted({each.row.verdict for each in bad}):
        yield (
            f"{prefix}caught.{code}",
            _share([each for each in bad if each.row.verdict == code], lambda each: each.stopped),
        )


def _share(judged: Sequence[Judged], counts: Callable[[Judged], bool]) -> Estimate:
    return share(sum(map(counts, judged)), len(judged))


def _counts(judged: Sequence[Judged]) -> dict[str, int]:
    kinds = Counter("good" if each.row.good else "bad" for each in judged)
    return {"rows": len(judged), "good": kinds["good"], "bad": kinds["bad"]}
