"""The evidence suite sees a gate that leaks and a gate that refuses, and counts what it skips."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import pytest
from evals_sample import write_rows

from handrail.bootstrap import build_evidence_bench
from handrail.corpus.segment import quotable
from handrail.domain.outcome import Reason
from handrail.domain.reply import Draft, EvidenceBundle, Snippet
from handrail.domain.text import Case
from handrail.domain.verdict import Abstain, Pass, Verdict
from handrail.errors import InvalidInput
from handrail.evals import read_passages, run_evidence
from handrail.evals.counterfactuals import FAMILIES
from handrail.rails.evidence import EvidenceGate
from handrail.settings import Settings

ANSWERS = (
    "Slow breathing tells the body that the moment is safe. You may rest for 10 minutes before "
    "noon. Some people find that small plans hold better than large ones.",
    "Writing a worry down takes some of its weight away. Everyone needs a place where they can "
    "rest, because all work is hard. You do not have to earn it. Grief takes its time.",
    "A short walk after lunch can steady the rest of the day. That is a myth.",
)


def text_of(at: int, response: str) -> Case:
    return Case(id=f"text-{at}", context="", response=response, sentences=quotable(response))


CASES = tuple(text_of(at, response) for at, response in enumerate(ANSWERS))


@cache
def gate() -> EvidenceGate:
    return build_evidence_bench(Settings())


@dataclass(frozen=True, slots=True)
class Open(EvidenceGate):
    """A gate that lets everything out."""

    def judge(
        self, draft: Draft, *, bundle: EvidenceBundle, selected: Sequence[Snippet], message: str
    ) -> Verdict:
        return Pass(draft)


@dataclass(frozen=True, slots=True)
class Shut(EvidenceGate):
    """A gate that lets nothing out."""

    def judge(
        self, draft: Draft, *, bundle: EvidenceBundle, selected: Sequence[Snippet], message: str
    ) -> Verdict:
        return Abstain(Reason.THIN_EVIDENCE)


def like(kind: type[EvidenceGate]) -> EvidenceGate:
    real = gate()
    return kind(real.denylist, real.quotability, real.alpha, contract=real.contract)


def test_c32_l18_the_real_gate_refuses_every_forgery_and_no_true_sentence() -> None:
    card = run_evidence(gate(), CASES)
    for family in FAMILIES:
        figure = card.metrics[f"accepted.{family}"]
        assert figure.n > 0
        assert figure.value == 0
    assert card.metrics["false_rejection"].value == 0
    assert card.metrics["false_rejection.contracted.reworded"].n > 0
    assert card.misses == {}


def test_a_gate_that_leaks_is_seen_in_every_family_and_by_id() -> None:
    card = run_evidence(like(Open), CASES)
    for family in FAMILIES:
        assert card.metrics[f"accepted.{family}"].value == 1
        assert card.misses[f"accepted.contracted.{family}"]
    assert card.metrics["false_rejection"].value == 0


def test_a_gate_that_refuses_the_true_is_seen() -> None:
    card = run_evidence(like(Shut), CASES)
    assert card.metrics["false_rejection"].value == 1
    assert card.metrics["accepted.negation"].value == 0
    assert card.misses["false_rejection.quoted"]


def test_the_figure_of_a_family_is_the_worse_of_quotes_and_claims() -> None:
    leaky = replace(gate(), contract=replace(gate().contract, agreement=_Agreeable()))
    card = run_evidence(leaky, CASES)
    assert card.metrics["accepted.quoted.negation"].value == 0
    assert card.metrics["accepted.negation"] == card.metrics["accepted.contracted.negation"]
    assert (card.metrics["accepted.negation"].value or 0) > 0.5


class _Agreeable:
    """Agrees with everything, so that overlap alone decides."""

    words = gate().contract.agreement.words  # type: ignore[union-attr]

    def fault(self, claim: str, source: str) -> str | None:
        return None


def test_what_was_skipped_is_counted() -> None:
    counts = run_evidence(gate(), CASES).counts
    assert counts["texts"] == 3
    assert counts["sentences"] == sum(len(case.sentences) for case in CASES)
    assert counts["sentences_quotable"] < counts["sentences_tried"] == counts["sentences"]
    assert counts["skipped.contracted.number"] > 0


def test_a_limit_stops_each_figure() -> None:
    card = run_evidence(gate(), CASES, limit=1)
    assert {figure.n for figure in card.metrics.values()} == {1}


def test_the_same_texts_give_the_same_card() -> None:
    assert run_evidence(gate(), CASES).to_json() == run_evidence(gate(), CASES).to_json()


def test_it_needs_two_texts_and_a_contract() -> None:
    with pytest.raises(InvalidInput, match="two texts"):
        run_evidence(gate(), CASES[:1])
    with pytest.raises(InvalidInput, match="contract"):
        run_evidence(replace(gate(), contract=None), CASES)


def test_passages_are_read_with_their_sentences(tmp_path: Path) -> None:
    rows = [{"_id": case.id, "text": case.response} for case in CASES]
    assert read_passages(write_rows(tmp_path / "texts.jsonl", *rows)) == CASES


def test_a_card_holds_no_text() -> None:
    card = str(run_evidence(like(Open), CASES).to_json())
    for case in CASES:
        for at in range(len(case.sentences)):
            assert case.sentence(at).text not in card
