"""No family of forgeries agrees with its sentence, over the sentences of the packaged corpus."""

from __future__ import annotations

import json
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handrail.bootstrap import build_evidence_bench
from handrail.content import corpora
from handrail.corpus.segment import quotable
from handrail.domain.text import Case
from handrail.evals import run_evidence
from handrail.evals.counterfactuals import FAMILIES, Rules, counterfactual
from handrail.evals.rewordings import reworded
from handrail.rails.agreement import Agreement
from handrail.settings import Settings


@cache
def cases() -> tuple[Case, ...]:
    lines = [line for path in corpora("starter") for line in path.read_text("utf-8").splitlines()]
    texts = [str(json.loads(line)["Response"]) for line in lines if line]
    return tuple(
        Case(id=str(at), context="", response=text, sentences=quotable(text))
        for at, text in enumerate(texts)
    )


@cache
def rules() -> Rules:
    return Rules.packaged()


@cache
def agreement() -> Agreement:
    return Agreement.packaged()


PLACES = st.integers(0, 10**6)
SEEDS = st.text("abc", max_size=4)


def sentence(number: int) -> str:
    """A sentence of the corpus by number."""
    case = cases()[number % len(cases())]
    return case.sentence(number % len(case.sentences)).text


BY_TEXT = [family for family in FAMILIES if family != "wrong_document"]


@pytest.mark.parametrize("family", BY_TEXT)
@given(at=PLACES, other=PLACES, seed=SEEDS)
def test_l18_no_counterfactual_agrees_with_its_sentence(
    family: str, at: int, other: int, seed: str
) -> None:
    true, borrowed = sentence(at), sentence(other)
    false = counterfactual(family, true, other=borrowed, rules=rules(), seed=seed)
    if false is not None:
        assert false != true
        assert agreement().fault(false, true)


@given(at=PLACES, other=PLACES)
def test_l18_another_sentence_is_no_restatement(at: int, other: int) -> None:
    true, borrowed = sentence(at), sentence(other)
    assert (agreement().fault(borrowed, true) is None) == (borrowed == true)


@given(at=PLACES, seed=SEEDS)
def test_l18_a_true_sentence_agrees_with_itself_and_with_its_rewording(at: int, seed: str) -> None:
    true = sentence(at)
    assert agreement().fault(true, true) is None
    said = reworded(true, agreement().words, seed=seed)
    assert said is None or agreement().fault(said, true) is None


@given(at=PLACES, cut=PLACES, new=st.text(max_size=3))
def test_l18_one_changed_place_never_changes_the_words_and_passes(
    at: int, cut: int, new: str
) -> None:
    """Whatever stands in for one character: what agrees has the same words, marks aside."""
    true = sentence(at)
    place = cut % len(true)
    said = true[:place] + new + true[place + 1 :]
    if agreement().fault(said, true) is None:
        words = agreement().words
        assert words.tokens(said) == words.tokens(true)


def test_c32_l18_no_forgery_of_the_packaged_corpus_passes_the_whole_gate() -> None:
    """Forty of each family as quotes and forty as claims, among true ones that all pass."""
    card = run_evidence(build_evidence_bench(Settings()), cases(), limit=40)
    accepted = {name: card.metrics[f"accepted.{name}"] for name in FAMILIES}
    assert {name: (figure.value, figure.n) for name, figure in accepted.items()} == (
        dict.fromkeys(FAMILIES, (0.0, 40))
    )
    assert card.metrics["false_rejection"].value == 0


@given(claim=st.text(max_size=60), source=st.text(max_size=60))
def test_any_two_texts_are_compared_without_a_fault_of_its_own(claim: str, source: str) -> None:
    reason = agreement().fault(claim, source)
    assert reason is None or reason
