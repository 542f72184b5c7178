"""The last rail: reviewed lines alone, and of entities only those of the final set."""

from __future__ import annotations

import pytest
from guide_parts import entity

from handrail.domain.outcome import Reason
from handrail.domain.reply import (
    Block,
    BlockKind,
    Draft,
    Echo,
    EvidenceBundle,
    Fragment,
    Layout,
    Sentence,
    Vetted,
)
from handrail.domain.text import Span
from handrail.domain.verdict import Abstain, Pass, Verdict
from handrail.errors import ContentInvalid
from handrail.flows.guide.gate import GuideGate
from handrail.flows.guide.lines import cited, entity_piece, is_entity_line, line, packaged_lines

ONE = entity("one", version=3)
LINE = line(ONE, "guidance_do")
EMPTY = EvidenceBundle(cases=(), snippets=())


def by_version(name: str, version: int):  # type: ignore[no-untyped-def]
    return ONE if (name, version) == ("one", 3) else None


def piece(item_id: str, at: int) -> str:
    if is_entity_line(item_id):
        return entity_piece(item_id, at, by_version)
    return packaged_lines().piece(item_id, at)


def judged(*fragments: Fragment, final: tuple[str, ...] = ("one",)) -> Verdict:
    draft = Draft((Block(BlockKind.SPEECH, (Sentence(fragments),)),))
    gate = GuideGate(lines=piece, final=final)
    return gate.judge(draft, bundle=EMPTY, selected=(), message="m")


def joining() -> Fragment:
    lines = packaged_lines()
    return lines.fragments(lines.pick("lead-do", language="en", seed=0, count=0))[0]


def test_reviewed_lines_of_the_final_set_pass() -> None:
    assert isinstance(judged(joining(), LINE), Pass)
    assert isinstance(judged(LINE, Fragment(" ", Layout())), Pass)


def test_lines_of_no_entity_alone_are_nothing_to_say() -> None:
    assert judged(joining()) == Abstain(Reason.NOTHING_SIMILAR)


@pytest.mark.parametrize(
    "forged",
    [
        Fragment("Anything.", LINE.provenance),
        Fragment(LINE.text, Echo(span=Span(0, 1))),
        Fragment("Anything.", Layout()),
    ],
)
def test_one_fragment_that_is_not_what_it_claims_and_nothing_leaves(forged: Fragment) -> None:
    verdict = judged(LINE, forged)
    assert isinstance(verdict, Abstain)
    assert verdict.reason is Reason.GATE_FAILED


def test_h31_a_line_of_an_entity_outside_the_final_set_does_not_leave() -> None:
    verdict = judged(LINE, final=("two",))
    assert isinstance(verdict, Abstain)
    assert verdict.reason is Reason.GATE_FAILED


@pytest.mark.parametrize(
    ("item_id", "at"),
    [
        ("guide:one@3:guidance_do", 1), ("guide:one@3:guidance_do", -1),
        ("guide:one@4:guidance_do", 0), ("guide:two@3:guidance_do", 0),
        ("guide:one@3:title", 0), ("guide:one@3:", 0), ("guide:one@:guidance_do", 0),
        ("guide:one@-3:guidance_do", 0), ("guide:one@3:recognition", 0), ("guide:", 0),
        ("guide:one@3:concept_summary", 1),
    ],
)  # fmt: skip
def test_a_line_that_nobody_reviewed_is_none(item_id: str, at: int) -> None:
    with pytest.raises(ContentInvalid):
        entity_piece(item_id, at, by_version)
    with pytest.raises(ContentInvalid):  # which the door takes for a shut gate
        judged(Fragment("Anything.", Vetted(item_id=item_id, piece=at)), final=("one", "two", ""))


def test_each_line_of_an_entity_is_named_and_found_again() -> None:
    for field in ("acknowledgement", "guidance_do", "guidance_dont", "scripts", "red_flags"):
        made = line(ONE, field)
        assert isinstance(made.provenance, Vetted)
        assert cited(made.provenance.item_id) == ("one", 3, field)
        assert entity_piece(made.provenance.item_id, 0, by_version) == made.text
    summary = line(ONE, "concept_summary")
    assert summary.text == ONE.concept_summary
