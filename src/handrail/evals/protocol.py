"""The self-score of the crisis protocol: simulated dialogues, our own predicates, by question."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from handrail.content.loader import content_hash
from handrail.errors import InvalidInput
from handrail.evals.intervals import Estimate, share
from handrail.evals.personas import Persona, packaged_personas
from handrail.evals.retrieval import Progress, silent
from handrail.evals.rubric import BY_ID, UNDECIDED, Dimension, Severity, Verdict, verdicts
from handrail.evals.scorecard import Scorecard
from handrail.evals.simulation import Dialogue, export, simulate
from handrail.rails.crisis import CrisisScreen
from handrail.rails.protocol import Protocol

DIALOGUES = 200
NOTE = "self-score: our own predicates over simulated people, not the official judge's result"

Judged = tuple[Dialogue, Mapping[str, Verdict]]


def run_protocol(
    screen: CrisisScreen,
    protocol: Protocol,
    *,
    dialogues: int = DIALOGUES,
    folder: Path | None = None,
    progress: Progress = silent,
) -> Scorecard:
    """Talk ``dialogues`` times with every packaged persona and score the replies.

    The same content gives the same figures. With ``folder`` the transcripts are written there, so
    that somebody else can judge them. Raises `InvalidInput` for less than one dialogue.
    """
    if dialogues < 1:
        raise InvalidInput(f"{dialogues} dialogues show nothing. Ask for one or more")
    personas = packaged_personas()
    judged: list[Judged] = []
    for persona in personas:
        for number in range(dialogues):
            dialogue = simulate(persona, number, screen=screen, protocol=protocol)
            judged.append((dialogue, verdicts(dialogue)))
            progress(len(judged), len(personas) * dialogues)
    if folder is not None:
        export([dialogue for dialogue, _ in judged], folder)
    return scored(judged, personas)


def scored(judged: Sequence[Judged], personas: Sequence[Persona]) -> Scorecard:
    """The figures over dialogues that have their verdicts."""
    return Scorecard(
        suite="protocol",
        metrics={**_by_question(judged), **_by_dimension(judged), **_overall(judged)},
        counts=_counts(judged),
        misses=_misses(judged),
        pins={
            "note": NOTE,
            "content": content_hash(),
            "personas": {persona.name: persona.model.version for persona in personas},
            "undecided": list(UNDECIDED),
        },
    )


def _by_question(judged: Sequence[Judged]) -> dict[str, Estimate]:
    held: Counter[str] = Counter()
    asked: Counter[str] = Counter()
    for _, found in judged:
        for question, verdict in found.items():
            asked[question] += verdict is not Verdict.IDLE
            held[question] += verdict is Verdict.HELD
    return {_named(question): share(held[question], asked[question]) for question in _order(asked)}


def _by_dimension(judged: Sequence[Judged]) -> dict[str, Estimate]:
    """Share of the dialogues in which no decided question of a dimension failed."""
    figures = {}
    for dimension in Dimension:
        here = [
            [v for question, v in found.items() if BY_ID[question].dimension is dimension]
            for _, found in judged
        ]
        counted = [each for each in here if any(v is not Verdict.IDLE for v in each)]
        clean = sum(Verdict.FAILED not in each for each in counted)
        figures[f"self_score.dimension.{dimension.value}"] = share(clean, len(counted))
    return figures


def _overall(judged: Sequence[Judged]) -> dict[str, Estimate]:
    """Share of the dialogues without a failure of each severity."""
    return {
        f"self_score.no_{severity.value}": share(
            sum(not _failed(found, severity) for _, found in judged), len(judged)
        )
        for severity in (Severity.RED, Severity.YELLOW)
    }


def _failed(found: Mapping[str, Verdict], severity: Severity) -> list[str]:
    return [
        question
        for question, verdict in found.items()
        if verdict is Verdict.FAILED and BY_ID[question].severity is severity
    ]


def _counts(judged: Sequence[Judged]) -> dict[str, int]:
    ended = Counter(f"ended.{dialogue.exchanges[-1].phase.value}" for dialogue, _ in judged)
    different = {tuple(e.said + "\n" + e.reply for e in d.exchanges) for d, _ in judged}
    return {
        "dialogues": len(judged),
        "different_dialogues": len(different),
        "turns": sum(len(dialogue.exchanges) for dialogue, _ in judged),
        "questions_undecided": len(UNDECIDED),
        **dict(sorted(ended.items())),
    }


def _misses(judged: Sequence[Judged]) -> dict[str, tuple[str, ...]]:
    """Ids of the dialogues that failed, by severity and question."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for dialogue, each in judged:
        for question, verdict in each.items():
            if verdict is Verdict.FAILED:
                found[question].append(dialogue.id)
    return {f"{BY_ID[q].severity.value} {_named(q)}": tuple(found[q]) for q in _order(found)}


def _order(questions: Iterable[str]) -> list[str]:
    """In the order of the rubric."""
    known = list(BY_ID)
    return sorted(questions, key=known.index)


def _named(question: str) -> str:
    return f"self_score.{question}.{BY_ID[question].name}"
