"""The last rail of a turn: one fault, and nothing leaves (A25, A57, A60)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from composer_space import NUMBER, progress, reading, turn

from handrail.domain.outcome import Reason
from handrail.domain.reply import (
    Block,
    BlockKind,
    Contracted,
    Draft,
    Echo,
    EvidenceBundle,
    Fragment,
    Layout,
    Provenance,
    Quoted,
    Sentence,
    Vetted,
)
from handrail.domain.text import Span
from handrail.domain.verdict import Abstain, Pass, Verdict
from handrail.errors import ContentInvalid
from handrail.flows.reframe.compose import Voice, count_words, packaged_lines, plan
from handrail.flows.reframe.emit import kept_words
from handrail.flows.reframe.gate import TurnGate
from handrail.flows.reframe.phases import Phase
from handrail.flows.reframe.reading import Act
from handrail.flows.reframe.state import Kept, Memory

LINES = packaged_lines()
MESSAGE = "They will all laugh, and I will have to leave the room"
KNOWN = progress(frozenset({"situation", "thought", "emotion"}))
SUMMARY = turn(Phase.SUMMARY, reading(Act.CONTENT), known=KNOWN)
TRUE = (
    Voice(lines=LINES, language="en", seed=1)
    .voiced(plan(SUMMARY), Memory(), number=NUMBER, words=160)
    .draft
)
LENGTH = sum(count_words(sentence.text) for sentence in TRUE.sentences())


def judged(
    draft: Draft,
    *,
    words: int = 160,
    questions: int = 1,
    keeps: Callable[[str], bool] = lambda _text: False,
) -> Verdict:
    gate = TurnGate(
        lines=LINES.piece,
        own=kept_words(SUMMARY.state),
        keeps=keeps,
        words=words,
        questions=questions,
    )
    bundle = EvidenceBundle(cases=(), snippets=())
    return gate.judge(draft, bundle=bundle, selected=(), message=MESSAGE)


def one(text: str, provenance: Provenance) -> Draft:
    sentence = Sentence((Fragment(text, provenance),))
    return Draft((Block(BlockKind.SPEECH, (sentence,)),))


def changed(kind: type[object], change: Callable[[Fragment], Fragment]) -> Draft:
    """The true draft with the first fragment of that kind changed."""
    done = False

    def fragment(each: Fragment) -> Fragment:
        nonlocal done
        if done or not isinstance(each.provenance, kind):
            return each
        done = True
        return change(each)

    blocks = tuple(
        replace(
            block,
            sentences=tuple(
                Sentence(tuple(map(fragment, sentence.fragments))) for sentence in block.sentences
            ),
        )
        for block in TRUE.blocks
    )
    assert done
    return Draft(blocks)


def faults(verdict: Verdict) -> tuple[str, ...]:
    assert isinstance(verdict, Abstain)
    assert verdict.reason is Reason.GATE_FAILED
    return tuple(verdict.reasons)


def test_a57_the_true_draft_passes() -> None:
    assert judged(TRUE) == Pass(TRUE)


@pytest.mark.parametrize("change", [str.upper, lambda text: text + " ", lambda text: text[:-1]])
def test_a60_a_changed_line_goes_nowhere(change: Callable[[str], str]) -> None:
    forged = changed(Vetted, lambda each: Fragment(change(each.text), each.provenance))
    assert "unproved" in faults(judged(forged))


def test_a60_an_echo_that_was_not_said_goes_nowhere() -> None:
    forged = changed(Echo, lambda each: Fragment("I never said this", each.provenance))
    assert faults(judged(forged)) == ("unproved",)


def test_a60_an_echo_of_the_message_must_stand_where_it_says() -> None:
    assert judged(one("They", Echo(span=Span(0, 4)))) == Pass(one("They", Echo(span=Span(0, 4))))
    assert faults(judged(one("They", Echo(span=Span(1, 5))))) == ("unproved",)
    assert faults(judged(one("beyond", Echo(span=Span(900, 906))))) == ("unproved",)


def test_a60_an_echo_of_an_earlier_message_must_be_kept_with_its_number() -> None:
    thought = KNOWN.thought
    assert isinstance(thought, Kept)
    said = Echo(span=thought.span, number=thought.number)
    assert isinstance(judged(one(thought.text, said)), Pass)
    assert faults(judged(one(thought.text, replace(said, number=4)))) == ("unproved",)
    shifted = replace(said, span=Span(1, thought.span.end + 1))
    assert faults(judged(one(thought.text, shifted))) == ("unproved",)


def test_a31_a_bullet_too_many_goes_nowhere() -> None:
    bullet = next(block for block in TRUE.blocks if block.kind is BlockKind.BULLET)
    assert faults(judged(Draft((*TRUE.blocks, bullet)), words=400)) == ("too-many-bullets",)


def test_a25_two_questions_go_nowhere() -> None:
    ask = TRUE.blocks[-1]
    assert ask.sentences[-1].text.endswith("?")
    assert faults(judged(Draft((*TRUE.blocks, ask)), words=400)) == ("too-many-questions",)
    assert faults(judged(TRUE, questions=0)) == ("too-many-questions",)


def test_a25_a_question_in_the_persons_words_is_theirs() -> None:
    asked = "Why me? Why now?"
    own = Kept.of(asked, Span(0, len(asked)), 3)
    draft = one(asked, Echo(span=own.span, number=3))
    gate = TurnGate(lines=LINES.piece, own=(own,), keeps=lambda _text: False, words=60, questions=0)
    bundle = EvidenceBundle(cases=(), snippets=())
    assert isinstance(gate.judge(draft, bundle=bundle, selected=(), message=""), Pass)


def test_a25_a_question_mark_of_another_script_is_one() -> None:
    contract = Contracted(contract="x", passage_ids=())
    text = "How is it\N{FULLWIDTH QUESTION MARK} And now?"
    verdict = judged(one(text, contract), keeps=lambda _text: True)
    assert faults(verdict) == ("too-many-questions",)


def test_a25_one_word_too_many_goes_nowhere() -> None:
    assert isinstance(judged(TRUE, words=LENGTH), Pass)
    assert faults(judged(TRUE, words=LENGTH - 1)) == ("too-many-words",)


def test_a60_a_models_text_passes_where_its_contract_holds() -> None:
    draft = one("That sounds heavy.", Contracted(contract="x", passage_ids=()))
    assert isinstance(judged(draft, keeps=lambda text: text == "That sounds heavy."), Pass)
    assert faults(judged(draft)) == ("unproved",)


def test_a60_words_disguised_as_layout_go_nowhere() -> None:
    assert faults(judged(one("Just do it.", Layout()))) == ("unproved",)
    assert isinstance(judged(one("\n\n", Layout())), Pass)


def test_a60_an_unknown_line_goes_nowhere_or_breaks_the_gate() -> None:
    """The door takes a gate that raises for one that refuses."""
    with pytest.raises(ContentInvalid):
        judged(one("Hello", Vetted(item_id="reframe/hello.99.en", piece=0)))


def test_a60_a_quoted_answer_of_the_corpus_has_no_place_here() -> None:
    quoted = Quoted(case_id="c1", sent_id=0, span=Span(0, 4))
    assert faults(judged(one("They", quoted))) == ("unproved",)


def test_a60_every_fault_is_named() -> None:
    bullet = next(block for block in TRUE.blocks if block.kind is BlockKind.BULLET)
    forged = changed(Echo, lambda each: Fragment("never", each.provenance))
    verdict = judged(Draft((*forged.blocks, bullet)), words=10, questions=0)
    assert faults(verdict) == (
        "too-many-words",
        "too-many-questions",
        "too-many-bullets",
        "unproved",
    )
