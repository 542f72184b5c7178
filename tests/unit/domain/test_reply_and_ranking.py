"""Sentences in fragments, the bundle that may be cited, and rankings that keep their pins."""

from __future__ import annotations

from handrail.domain.ranking import Candidate, ChannelHit, Drop, Pin, Ranking
from handrail.domain.reply import (
    Block,
    BlockKind,
    Draft,
    Echo,
    EvidenceBundle,
    Fragment,
    Quoted,
    Sentence,
    Snippet,
    Vetted,
)
from handrail.domain.scores import Score, ScoreKind
from handrail.domain.text import Case, Passage, Span

QUOTE = Fragment("Rest counts.", Quoted(case_id="c", sent_id=0, span=Span(0, 12)))
LINE = Fragment("A counsellor wrote: ", Vetted(item_id="bridge"))
SNIPPET = Snippet(
    case_id="c",
    sent_id=0,
    span=Span(0, 12),
    text="Rest counts.",
    shown="Rest counts.",
    similarity=0.4,
)


def test_a_sentence_reads_as_its_fragments_and_knows_its_quotes() -> None:
    sentence = Sentence((LINE, QUOTE))
    assert sentence.text == "A counsellor wrote: Rest counts."
    assert sentence.quotes == (QUOTE,)
    block = Block(BlockKind.STEP, (Sentence((LINE,)), sentence))
    assert block.quotes == (QUOTE,)
    assert list(Draft((block, block)).sentences()) == [*block.sentences, *block.sentences]


def test_an_echo_is_no_quote() -> None:
    assert Sentence((Fragment("so tired", Echo(span=Span(0, 8))),)).quotes == ()


def test_c65_a_bundle_finds_what_was_shown_and_nothing_near_it() -> None:
    case = Case(id="c", context="", response="Rest counts.", sentences=(Span(0, 12),))
    bundle = EvidenceBundle(cases=(case,), snippets=(SNIPPET,))
    assert bundle.find("c", 0) is SNIPPET
    assert [bundle.find("c", n) for n in (-1, 1, 99)] == [None, None, None]
    assert bundle.find("d", 0) is None
    assert bundle.case("c") is case
    assert bundle.case("d") is None


def candidate(name: str, pin: Pin | None = None) -> Candidate:
    passage = Passage(id=name, document_id=name, text="", span=Span(0, 0))
    hit = ChannelHit(channel="dense", rank=1, score=Score(ScoreKind.COSINE, 0.5))
    return Candidate(passage=passage, score=hit.score, hits=(hit,), pin=pin)


def test_every_drop_names_its_stage_and_reason() -> None:
    a, b, c = map(candidate, "abc")
    kept = Ranking(candidates=(a, b, c)).keep((c, a), stage="mmr", reason="too-near")
    assert kept.candidates == (c, a)
    assert kept.dropped == (Drop(passage_id="b", stage="mmr", reason="too-near"),)
    again = kept.keep((c,), stage="cut", reason="beyond-k")
    assert [drop.stage for drop in again.dropped] == ["mmr", "cut"]


def test_a_pin_cannot_be_dropped() -> None:
    pinned = candidate("p", Pin("crisis"))
    ranking = Ranking(candidates=(candidate("a"), pinned)).keep((), stage="cut", reason="beyond-k")
    assert ranking.candidates == (pinned,)
    assert [drop.passage_id for drop in ranking.dropped] == ["a"]


def test_a_hit_is_found_by_its_channel() -> None:
    found = candidate("a")
    assert found.hit("dense") is found.hits[0]
    assert found.hit("lexical") is None
