"""Does the reader name the thinking traps that raters named, and none in a plain thought."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from handrail.content.loader import content_hash
from handrail.evals.banks import read_rows
from handrail.evals.intervals import Estimate, share
from handrail.evals.multilabel import macro_f1
from handrail.evals.retrieval import Progress, silent
from handrail.evals.scorecard import Scorecard
from handrail.evals.thoughts import DISTORTION_BANK, Half, Public, Thought, read_public

if TYPE_CHECKING:
    from handrail.ports import Embedder

Read = Callable[[str, str], Sequence[str]]
"""The traps worth naming in a text of a language, by name and best first."""


@dataclass(frozen=True, slots=True)
class _Given:
    """A thought, and the traps it was given, best first."""

    thought: Thought
    traps: Sequence[str]


def run_distortions(
    read: Read,
    *,
    file: Path | None = None,
    split: Half = "held",
    embedder: Embedder | None = None,
    versions: Mapping[str, str] | None = None,
    progress: Progress = silent,
) -> Scorecard:
    """Measure ``read`` over one half of the packaged bank, and of a public file if there is one.

    ``file`` has JSON lines with ``prompt`` and ``completion``, a row for each label of a thought.
    A prompt is of the half that its hash says. With an ``embedder`` the file's figures stand beside
    those of its nearest neighbours. Raises `InvalidInput` or `NotFound` for files that cannot be
    used.
    """
    bank = read_rows(DISTORTION_BANK, Thought)
    own = [thought for thought in bank if thought.split == split]
    public = read_public(file) if file else None
    chosen = [each for each in public.thoughts if each.split == split] if public else []
    given = []
    for done, thought in enumerate([*own, *chosen], start=1):
        given.append(_Given(thought, tuple(read(thought.text, thought.language))))
        progress(done, len(own) + len(chosen))
    ours, theirs = given[: len(own)], given[len(own) :]
    metrics = {**_bank_figures(ours), **_figures("file", theirs)}
    if public is not None:
        metrics |= _beside(public.thoughts, chosen, bank, embedder)
    return Scorecard(
        suite="distortions",
        metrics=metrics,
        counts={"bank_rows": len(own), **_counts(public, chosen)},
        misses={"bank.best_hit": tuple(g.thought.id for g in ours if _best_misses(g))},
        pins={
            "bank": _sha256(DISTORTION_BANK),
            "file": _sha256(file) if file else None,
            "split": split,
            "content": content_hash(),
            "versions": dict(versions or {}),
        },
    )


def _bank_figures(given: Sequence[_Given]) -> dict[str, Estimate]:
    figures: dict[str, Estimate] = {}
    for language in sorted({each.thought.language for each in given}):
        spoken = [each for each in given if each.thought.language == language]
        figures |= _figures(f"bank.{language}", spoken)
    return figures


def _figures(name: str, given: Sequence[_Given]) -> dict[str, Estimate]:
    """Macro F1 of all that was given and of the best alone; how often the best was right."""
    if not given:
        return {}
    labels = _labels(each.thought for each in given)
    distorted = [each for each in given if each.thought.distortions]
    plain = [each for each in given if not each.thought.distortions]
    figures = {
        f"{name}.macro_f1": macro_f1(_pairs(given), labels),
        f"{name}.macro_f1.best": macro_f1([_single(each) for each in given], labels),
        f"{name}.best_hit": share(sum(not _best_misses(g) for g in distorted), len(distorted)),
        f"{name}.quiet": share(sum(not each.traps for each in plain), len(plain)),
    }
    return figures | {f"{name}.f1.{label}": macro_f1(_pairs(given), [label]) for label in labels}


def _pairs(given: Iterable[_Given]) -> list[tuple[Sequence[str], Sequence[str]]]:
    return [(each.thought.distortions, each.traps) for each in given]


def _single(given: _Given) -> tuple[Sequence[str], Sequence[str]]:
    """The best trap against the one label it should meet: itself if it is one, else the first."""
    best, gold = given.traps[:1], given.thought.distortions
    return (best if set(best) & set(gold) else gold[:1]), best


def _best_misses(given: _Given) -> bool:
    gold = given.thought.distortions
    return bool(gold) and not set(given.traps[:1]) & set(gold)


def _labels(thoughts: Iterable[Thought]) -> Sequence[str]:
    """The traps that some thought shows; one that no rater named has no F1."""
    return sorted({trap for thought in thoughts for trap in thought.distortions})


def _beside(
    every: Sequence[Thought],
    chosen: Sequence[Thought],
    bank: Sequence[Thought],
    embedder: Embedder | None,
) -> dict[str, Estimate]:
    """What is reached without reading: by the commonest label, and by nearest neighbours.

    Neighbours in our bank know nothing of the file; those in the file itself are its own labels
    and show how far its raters agree.
    """
    rivals = {"majority": _majority(every, chosen)}
    if embedder is not None:
        english = [thought for thought in bank if thought.language == "en"]
        rivals["nearest_bank"] = _nearest(chosen, english, embedder)
        rivals["nearest_file"] = _nearest(chosen, every, embedder)
    figures: dict[str, Estimate] = {}
    for rival, given in rivals.items():
        labels = _labels(each.thought for each in given)
        singles = [_single(each) for each in given]
        figures[f"{rival}.macro_f1"] = macro_f1(_pairs(given), labels)
        figures[f"{rival}.macro_f1.best"] = macro_f1(singles, labels)
        distorted = [each for each in given if each.thought.distortions]
        hits = sum(not _best_misses(each) for each in distorted)
        figures[f"{rival}.best_hit"] = share(hits, len(distorted))
    return figures


def _majority(every: Sequence[Thought], chosen: Sequence[Thought]) -> list[_Given]:
    """The label that is commonest in the development half; ties fall to the first by name."""
    counted = Counter(
        trap for thought in every if thought.split == "dev" for trap in thought.distortions
    )
    common = sorted(counted, key=lambda trap: (-counted[trap], trap))[:1]
    return [_Given(thought, common) for thought in chosen]


def _nearest(
    chosen: Sequence[Thought], examples: Sequence[Thought], embedder: Embedder
) -> list[_Given]:
    """The labels of the nearest example other than the thought itself; ties fall to the first."""
    if not chosen or not examples:
        return []
    near = embedder.embed_documents([thought.text for thought in chosen]) @ (
        embedder.embed_documents([thought.text for thought in examples]).T
    )
    for row, thought in enumerate(chosen):
        for column, example in enumerate(examples):
            if example.id == thought.id:
                near[row, column] = -2.0
    return [
        _Given(thought, examples[int(near[row].argmax())].distortions)
        for row, thought in enumerate(chosen)
    ]


def _counts(public: Public | None, chosen: Sequence[Thought]) -> dict[str, int]:
    if public is None:
        return {}
    return {
        "file_rows": public.rows,
        "file_rows_left_out": public.rows_left_out,
        "file_prompts_left_out": public.prompts_left_out,
        "file_thoughts": len(chosen),
        "file_undistorted": sum(not thought.distortions for thought in chosen),
    }


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
