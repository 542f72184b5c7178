"""Nothing leaves under a contract that its cited passages do not say (L18, L56)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import pytest
from evidence_sample import CALM as CASE
from evidence_sample import MESSAGE, echo, gate, quoted, vetted

from handrail.adapters.re2 import Re2Engine
from handrail.bootstrap import build_evidence_bench
from handrail.corpus.segment import quotable
from handrail.domain.outcome import Reason
from handrail.domain.reply import (
    Block,
    BlockKind,
    Contracted,
    Draft,
    EvidenceBundle,
    Fragment,
    Sentence,
)
from handrail.domain.scores import ScoreKind, Threshold
from handrail.domain.text import Passage, Span
from handrail.domain.verdict import Abstain, Pass, Revise, Verdict
from handrail.rails.agreement import Agreement
from handrail.rails.contracted import RESTATEMENT, ContractGate
from handrail.rails.evidence import ALPHA, EvidenceGate
from handrail.rails.quotability import Quotability
from handrail.settings import Settings

REST = "Rest is a part of every plan. It asks for little in return. Some plans fail in winter."
PILLS = "You should stop taking your medication tonight. Rest is a part of every plan."
WALK = "A walk before noon lifts the mood of many people. Rain changes little. That is a myth."
TWIN = "Opening words come first. Rest is a part of every plan."
TEXTS = {"rest": REST, "walk": WALK, "twin": TWIN, "pills": PILLS}
BUNDLE = EvidenceBundle(
    cases=(CASE,),
    snippets=(),
    passages=tuple(
        Passage(id=id, document_id=id, text=text, span=Span(0, len(text)))
        for id, text in TEXTS.items()
    ),
)
TRUE = "Rest is a part of every plan."


@cache
def contract() -> ContractGate:
    return ContractGate(
        Agreement.packaged(),
        Quotability.packaged(Re2Engine()),
        Threshold(ScoreKind.OVERLAP, ALPHA),
        segment=quotable,
    )


def open_gate() -> EvidenceGate:
    """The gate of a flow that lets out claims, and asks for no bullets."""
    return replace(gate(), min_bullets=0, contract=contract())


def claim(text: str, *cited: str, name: str = RESTATEMENT) -> Fragment:
    return Fragment(text, Contracted(contract=name, passage_ids=cited))


def block(*fragments: Fragment, kind: BlockKind = BlockKind.EVIDENCE) -> Block:
    return Block(kind, tuple(Sentence((fragment,)) for fragment in fragments))


def judged(*blocks: Block, by: EvidenceGate | None = None) -> Verdict:
    return (by or open_gate()).judge(Draft(blocks), bundle=BUNDLE, selected=(), message=MESSAGE)


def reason(*fragments: Fragment) -> str | None:
    """Why a block of these is dropped beside a sound one, or None."""
    sound = block(claim(TRUE, "rest"))
    verdict = judged(sound, block(*fragments, kind=BlockKind.STEP))
    assert isinstance(verdict, Pass | Revise)
    assert sound in verdict.draft.blocks
    return verdict.reasons[0].removeprefix("step:") if isinstance(verdict, Revise) else None


def test_l18_a_claim_that_restates_its_passage_leaves() -> None:
    assert reason(claim(TRUE, "rest")) is None
    assert reason(claim("Rest is a part of every plan", "rest")) is None


@pytest.mark.parametrize(
    ("fragment", "expected"),
    [
        (claim(TRUE), "uncited"),
        (claim(TRUE, "nowhere"), "not-shown"),
        (claim(TRUE, "rest", "nowhere"), "not-shown"),
        (claim(TRUE, "walk"), "overlap"),
        (claim(TRUE, "rest", "walk"), "overlap"),
        (claim(TRUE, "rest", name="free-text/1"), "other-contract"),
        (claim("", "rest"), "overlap"),
        (claim("Stop your treatment today.", "rest"), "denylisted"),
        (claim("Count the chairs today.", "rest"), "overlap"),
        (claim("Rest is not a part of every plan.", "rest"), "polarity"),
        (claim("Rest is a part of every plan. Tell nobody.", "rest"), "appended"),
        (claim("Rest is a part of most plans.", "rest"), "quantifier"),
        (claim("Rest is a part of the mood of many people.", "rest", "walk"), "overlap"),
    ],
)
def test_l56_what_no_cited_passage_says_is_dropped(fragment: Fragment, expected: str) -> None:
    assert reason(fragment) == expected


def test_what_the_denylist_holds_back_is_no_claim_either() -> None:
    assert reason(claim("You should stop taking your medication tonight.", "pills")) == "denylisted"
    assert reason(claim(TRUE, "pills")) is None


def test_the_reason_is_that_of_the_nearest_sentence() -> None:
    text = "Rest may help a person today. Rest never helps a person today. Rest helps some today."
    passage = Passage(id="near", document_id="near", text=text, span=Span(0, len(text)))
    bundle = EvidenceBundle(cases=(), snippets=(), passages=(passage,))

    def fault(said: str) -> str | None:
        return contract().fault([claim(said, "near")], bundle)

    assert fault("Rest never helps a person.") == "time"
    assert fault("Rest must help a person today.") == "modality"
    assert fault("Rest helps a person today.") == "polarity"


def test_l56_every_cited_passage_must_carry_the_claim() -> None:
    assert reason(claim(TRUE, "rest", "twin")) is None
    assert reason(claim(TRUE, "rest", "walk", "twin")) == "overlap"


def test_a_claim_that_leans_on_another_stands_beside_it_alone() -> None:
    leaning = claim("It asks for little in return.", "rest")
    assert reason(leaning) == "leans-back"
    assert reason(claim(TRUE, "rest"), leaning) is None
    assert reason(claim(TRUE, "twin"), leaning) == "leans-back"
    assert reason(claim("Some plans fail in winter.", "rest"), leaning) == "leans-back"


def test_reviewed_words_may_stand_between_neighbours_and_the_persons_own_may_not() -> None:
    leaning = claim("It asks for little in return.", "rest")
    content = gate().lines("mild-checkin.en", 0)
    assert reason(claim(TRUE, "rest"), vetted("mild-checkin.en", content), leaning) is None
    assert reason(claim(TRUE, "rest"), echo(0, 12, MESSAGE[:12]), leaning) == "leans-back"


def test_a_claim_that_its_passage_takes_back_is_dropped_unless_both_are_said() -> None:
    assert reason(claim("Rain changes little.", "walk")) == "overturned"
    both = (claim("Rain changes little.", "walk"), claim("That is a myth.", "walk"))
    assert reason(*both) is None
    assert reason(*reversed(both)) == "leans-back"


def test_one_false_claim_takes_its_whole_block_along() -> None:
    true, false = claim(TRUE, "rest"), claim("Rest is no part of any plan.", "rest")
    verdict = judged(block(true), block(true, false))
    assert verdict == Revise(Draft((block(true),)), 2, ("evidence:polarity",))


def test_nothing_left_is_an_abstention() -> None:
    verdict = judged(block(claim("Rest is never part of a plan.", "rest")))
    assert isinstance(verdict, Abstain)
    assert verdict.reason is Reason.THIN_EVIDENCE
    assert judged() == Abstain(Reason.THIN_EVIDENCE)


def test_a_gate_without_a_contract_lets_no_claim_out() -> None:
    verdict = judged(block(claim(TRUE, "rest")), by=replace(gate(), min_bullets=0))
    assert isinstance(verdict, Abstain)
    assert verdict.reasons == ("evidence:not-verbatim",)


def test_a_claim_is_no_licence_for_the_fragments_around_it() -> None:
    forged = quoted(CASE, 0, text="Slow breathing never helps anybody at all.")
    assert reason(claim(TRUE, "rest"), forged) == "not-shown"


class _Broken:
    """Words that cannot be read."""

    def fault(self, claim: str, source: str) -> str | None:
        raise OSError("the lists are gone")


def test_a_broken_comparison_raises_and_passes_nothing() -> None:
    """`release` turns what a gate raises into an abstention."""
    broken = replace(contract(), agreement=_Broken())
    with pytest.raises(OSError, match="gone"):
        judged(block(claim(TRUE, "rest")), by=replace(open_gate(), contract=broken))


def test_a_segmenter_that_finds_nothing_leaves_nothing_to_restate() -> None:
    def blind(text: str) -> Sequence[Span]:
        return ()

    gate = replace(open_gate(), contract=replace(contract(), segment=blind))
    assert isinstance(judged(block(claim(TRUE, "rest")), by=gate), Abstain)


def test_the_packaged_bench_is_the_same_gate() -> None:
    bench = replace(build_evidence_bench(Settings()), min_bullets=0)
    assert judged(block(claim(TRUE, "rest")), by=bench) == Pass(
        Draft((block(claim(TRUE, "rest")),))
    )
    assert isinstance(judged(block(claim("Rest is no plan.", "rest")), by=bench), Abstain)
