"""What the evidence gate lets through of sentences made false, and refuses of true ones.

Quotes are attempted over sentences that may be shown, so that nothing but the gate itself is in the
way of a forgery; claims are attempted over any sentence, with the neighbours that it needs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from random import Random

from handrail.corpus.segment import quotable
from handrail.domain.reply import Draft
from handrail.domain.text import Case
from handrail.domain.verdict import Pass, Revise
from handrail.errors import InvalidInput
from handrail.evals.attempts import Attempt, claimed, quoted, true_quote
from handrail.evals.banks import read_queries
from handrail.evals.counterfactuals import FAMILIES, Rules, counterfactual
from handrail.evals.retrieval import Progress, silent
from handrail.evals.rewordings import reworded
from handrail.evals.scorecard import Scorecard
from handrail.evals.tally import KINDS, REJECTED, Tally
from handrail.rails.agreement import WordLists
from handrail.rails.contracted import ContractGate
from handrail.rails.evidence import EvidenceGate

LIMIT = 1_000  # attempts a family and kind: none accepted of 1,000 leaves 0.37 % possible
SEED = "1"
MAX_RUN = 6  # sentences said together; a claim that needs more neighbours is not attempted


def read_passages(path: Path) -> tuple[Case, ...]:
    """Plain passages, JSON Lines of id and text, each as an answer to nothing."""
    return tuple(
        Case(id=row.id, context="", response=row.text, sentences=quotable(row.text))
        for row in read_queries(path)
    )


def run_evidence(
    gate: EvidenceGate,
    cases: Sequence[Case],
    *,
    limit: int = LIMIT,
    collection: Mapping[str, object] | None = None,
    progress: Progress = silent,
) -> Scorecard:
    """Measure the gate over the sentences of ``cases``, at most ``limit`` attempts a figure.

    Sentences come in an order that a seed decides. Raises `InvalidInput` without two cases, since a
    forgery may need another document.
    """
    if len(cases) < 2:
        raise InvalidInput("the evidence gate is measured over two texts or more")
    if gate.contract is None:
        raise InvalidInput("the evidence gate is measured with a contract for claims")
    stored = {case.response: case.sentences for case in cases}
    contract = replace(gate.contract, segment=stored.__getitem__)  # as they were stored
    bench = _Bench(replace(gate, min_bullets=0, contract=contract), contract, limit)
    places = [(case, at) for case in cases for at in range(len(case.sentences))]
    Random(SEED).shuffle(places)  # noqa: S311  repeatable, not secret
    for done, (case, at) in enumerate(places, start=1):
        if bench.full:
            break
        bench.attempt(case, at, *places[done % len(places)])
        progress(done, len(places))
    return Scorecard(
        suite="evidence",
        collection=collection or {},
        metrics=bench.tally.estimates(),
        counts={"texts": len(cases), "sentences": len(places), **bench.tally.counts},
        misses=bench.tally.misses,
        pins={"counterfactuals": bench.rules.version, "agreement": bench.words.version},
    )


@dataclass
class _Bench:
    """The gate, and the attempts on it so far."""

    gate: EvidenceGate
    contract: ContractGate
    limit: int
    tally: Tally = field(default_factory=Tally)
    rules: Rules = field(default_factory=Rules.packaged)

    @cached_property
    def words(self) -> WordLists:
        """The lists that rewordings are made by."""
        return self.contract.agreement.words

    @property
    def full(self) -> bool:
        """Whether every family has had its attempts, in both kinds."""
        return not any(self._open(f"accepted.{kind}.{f}") for kind in KINDS for f in FAMILIES)

    def attempt(self, case: Case, at: int, other: Case, other_at: int) -> None:
        """Everything there is to try with one sentence; ``other`` is where forgers borrow."""
        shown = self._may_be_shown(case, at)
        self.tally.counts["sentences_tried"] += 1
        self.tally.counts["sentences_quotable"] += shown
        run = self._run(case, at)
        if other.id == case.id:
            self.tally.counts["skipped.same_text"] += 1
            return
        if shown:
            self._quotes(case, at, other, other_at)
        if run is None:
            self.tally.counts["skipped.unanchored"] += 1
        else:
            self._claims(case, at, run, other, other_at)

    def _quotes(self, case: Case, at: int, other: Case, other_at: int) -> None:
        self._true("quoted", case, at, [true_quote(case, at)])
        for family, text in self._forgeries("quoted", case, at, other, other_at):
            attempts = quoted(family, text, case, at, other, other_at)
            self._forged(f"accepted.quoted.{family}", case, at, attempts)

    def _claims(self, case: Case, at: int, run: range, other: Case, other_at: int) -> None:
        text = _text(case, at)
        self._true("contracted", case, at, [claimed(text, case, at, run, other)])
        new = reworded(text, self.words, seed=SEED)
        if new is None:
            self.tally.counts["skipped.reworded"] += 1
        else:
            again = [claimed(new, case, at, run, other)]
            self._true("contracted", case, at, again, also="reworded")
        for family, false in self._forgeries("contracted", case, at, other, other_at):
            cited = (other.id,) if family == "wrong_document" else (case.id,)
            attempt = claimed(false, case, at, run, other, cited=cited)
            self._forged(f"accepted.contracted.{family}", case, at, [attempt])

    def _true(
        self, kind: str, case: Case, at: int, attempts: Sequence[Attempt], *, also: str = ""
    ) -> None:
        if not self._open(f"{REJECTED}.{kind}"):
            return
        names = [f"{REJECTED}.{kind}", *([f"{REJECTED}.{kind}.{also}"] if also else [])]
        wrong = not all(map(self._passes, attempts))
        for name in names:
            self.tally.add(name, id=f"{case.id}/{at}", wrong=wrong)

    def _forged(self, name: str, case: Case, at: int, attempts: Sequence[Attempt]) -> None:
        wrong = any(map(self._passes, attempts))
        self.tally.add(name, id=f"{case.id}/{at}", wrong=wrong)

    def _forgeries(
        self, kind: str, case: Case, at: int, other: Case, other_at: int
    ) -> Iterator[tuple[str, str]]:
        """Every family that is still open, with what it makes of the sentence."""
        text, borrowed = _text(case, at), _text(other, other_at)
        for family in FAMILIES:
            if not self._open(f"accepted.{kind}.{family}"):
                continue
            false = counterfactual(family, text, other=borrowed, rules=self.rules, seed=SEED)
            home = other if family == "wrong_document" else case
            if false is None or _says(home, false, but=-1 if home is other else at):
                self.tally.counts[f"skipped.{kind}.{family}"] += 1
            else:
                yield family, false

    def _open(self, name: str) -> bool:
        return self.tally.tried[name] < self.limit

    def _passes(self, attempt: Attempt) -> bool:
        verdict = self.gate.judge(
            Draft((attempt.block,)),
            bundle=attempt.bundle,
            selected=attempt.selected,
            message=attempt.message,
        )
        return isinstance(verdict, Pass | Revise) and attempt.block in verdict.draft.blocks

    def _may_be_shown(self, case: Case, at: int) -> bool:
        fault = self.gate.quotability.fault(case, at, message=case.context)
        return fault is None and not self.gate.denylist.hits(_text(case, at))

    def _run(self, case: Case, at: int) -> range | None:
        """The sentences that must be said with this one, or None where they are not to be had."""
        first, last = at, at
        while self.contract.quotability.leans_back(_text(case, first)):
            first -= 1
            if first < 0 or at - first >= MAX_RUN:
                return None
        while self.contract.quotability.taken_back(case, last):
            last += 1
        return range(first, last + 1) if last - first < MAX_RUN else None


def _text(case: Case, at: int) -> str:
    return case.sentences[at].of(case.response)


def _says(case: Case, text: str, *, but: int) -> bool:
    """Whether another sentence of the text says just that, so that it would be true there."""
    bare = _bare(text)
    return any(_bare(_text(case, at)) == bare for at in range(len(case.sentences)) if at != but)


def _bare(text: str) -> str:
    return " ".join(text.lower().split()).strip(" .!?,;:\"'“”‘’()")
