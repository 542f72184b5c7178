"""Nothing passes the evidence gate but whole, shown, selected sentences and reviewed lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from evidence_sample import (
    BUNDLE,
    CALM,
    CASES,
    KIND,
    MESSAGE,
    SNIPPETS,
    STEADY,
    Forgery,
    block,
    case,
    content,
    echo,
    gate,
    goal,
    quoted,
    relabelled,
    snippet,
    sound_draft,
    step,
    vetted,
)

from handrail.domain.outcome import Reason
from handrail.domain.reply import (
    Block,
    BlockKind,
    Contracted,
    Draft,
    EvidenceBundle,
    Fragment,
    Layout,
    Quoted,
    Snippet,
)
from handrail.domain.scores import ScoreKind, Threshold
from handrail.domain.text import Span
from handrail.domain.verdict import Abstain, Pass, Revise, Verdict
from handrail.errors import KindMismatch, UnreachableThreshold
from handrail.rails.overlap import rouge_l

TRUE = quoted(CALM, 0)
SPAN = CALM.sentences[0]


def judged(draft: Draft, *, selected: Sequence[Snippet] = SNIPPETS) -> Verdict:
    return gate().judge(draft, bundle=BUNDLE, selected=selected, message=MESSAGE)


def reasons(fragment: Fragment, *, selected: Sequence[Snippet] = SNIPPETS) -> tuple[str, ...]:
    """Why a step that leans on ``fragment`` is dropped, beside two sound bullets."""
    draft = Draft((step(quoted(KIND, 1), 1), goal(quoted(STEADY, 0)), step(fragment)))
    verdict = judged(draft, selected=selected)
    assert isinstance(verdict, (Pass, Revise))
    return verdict.reasons if isinstance(verdict, Revise) else ()


def test_c32_whole_shown_selected_sentences_pass_as_they_are() -> None:
    assert judged(sound_draft()) == Pass(sound_draft())


def at(start: int, end: int, text: str) -> Fragment:
    """A quote of the first sentence whose span was moved."""
    return Fragment(text, Quoted(case_id="calm", sent_id=0, span=Span(start, end)))


FORGERIES = [
    Forgery(
        "a case that was never found",
        relabelled(TRUE, Quoted(case_id="other", sent_id=0, span=SPAN)),
        "not-shown",
    ),
    Forgery(
        "a number one past the end",
        relabelled(TRUE, Quoted(case_id="calm", sent_id=3, span=SPAN)),
        "not-shown",
    ),
    Forgery(
        "a number far past the end",
        relabelled(TRUE, Quoted(case_id="calm", sent_id=999, span=SPAN)),
        "not-shown",
    ),
    Forgery(
        "a number counted from the back",
        relabelled(TRUE, Quoted(case_id="calm", sent_id=-3, span=SPAN)),
        "not-shown",
    ),
    Forgery("the span one later", at(1, SPAN.end + 1, TRUE.text), "not-a-whole-sentence"),
    Forgery("the span one shorter", at(0, SPAN.end - 1, TRUE.text[:-1]), "not-a-whole-sentence"),
    Forgery(
        "truncation",
        at(0, 14, "Slow breathing"),
        "not-a-whole-sentence",
    ),
    Forgery(
        "two sentences in one quote",
        at(0, CALM.sentences[1].end, CALM.response[: CALM.sentences[1].end]),
        "not-a-whole-sentence",
    ),
    Forgery(
        "another sentence of the case",
        relabelled(quoted(CALM, 1), Quoted(case_id="calm", sent_id=0, span=CALM.sentences[1])),
        "not-a-whole-sentence",
    ),
    Forgery("text of another case", quoted(CALM, 0, text=quoted(KIND, 0).text), "bytes-differ"),
    Forgery(
        "negation",
        quoted(CALM, 0, text="Slow breathing never tells the body that the moment is safe."),
        "bytes-differ",
    ),
    Forgery(
        "antonym",
        quoted(CALM, 0, text="Slow breathing tells the body that the moment is dangerous."),
        "bytes-differ",
    ),
    Forgery(
        "number",
        quoted(CALM, 0, text="Slow breathing tells the body that the 10 moments are safe."),
        "bytes-differ",
    ),
    Forgery(
        "modality",
        quoted(CALM, 0, text="Slow breathing must tell the body that the moment is safe."),
        "bytes-differ",
    ),
    Forgery(
        "quantifier",
        quoted(CALM, 0, text="Slow breathing tells the body that every moment is safe."),
        "bytes-differ",
    ),
    Forgery(
        "subject",
        quoted(CALM, 0, text="Fast breathing tells the body that the moment is safe."),
        "bytes-differ",
    ),
    Forgery(
        "time",
        quoted(CALM, 0, text="Slow breathing told the body that the moment was safe."),
        "bytes-differ",
    ),
    Forgery(
        "appended advice",
        quoted(CALM, 0, text=f"{TRUE.text[:-1]}, so stop your treatment."),
        "bytes-differ",
    ),
    Forgery(
        "a letter from another alphabet",
        quoted(CALM, 0, text=TRUE.text.replace("o", "\u043e", 1)),
        "bytes-differ",
    ),
    Forgery(
        "an invisible letter",
        quoted(CALM, 0, text=TRUE.text.replace(" ", " \u200b", 1)),
        "bytes-differ",
    ),
    Forgery("capitals", quoted(CALM, 0, text=TRUE.text.upper()), "bytes-differ"),
    Forgery("advice about medicine", quoted(STEADY, 2), "denylisted"),
    Forgery("a sentence that leans on another", quoted(STEADY, 3), "leans-back"),
    Forgery("a sentence without a word", quoted(STEADY, 4), "overlap"),
    Forgery(
        "a reviewed line with other words",
        vetted(content().steps[0].id, "Stop your treatment today."),
        "not-the-reviewed-line",
    ),
    Forgery(
        "a reviewed line that does not exist", vetted("no-such", "Rest."), "not-the-reviewed-line"
    ),
    Forgery(
        "a piece that does not exist",
        vetted(content().steps[0].id, content().steps[0].text, piece=-1),
        "not-the-reviewed-line",
    ),
    Forgery("words put in their mouth", echo(0, 24, "I lie awake every nights"), "not-their-words"),
    Forgery("words as layout", Fragment("Leave him. ", Layout()), "words-in-layout"),
    Forgery(
        "words of a model",
        relabelled(TRUE, Contracted(contract="any", passage_ids=("calm/0",))),
        "not-verbatim",
    ),
]


@pytest.mark.parametrize("forgery", FORGERIES, ids=lambda forgery: forgery.name)
def test_c65_a_forged_fragment_takes_its_block_with_it(forgery: Forgery) -> None:
    bad = block(BlockKind.STEP, TRUE, forgery.fragment)
    draft = Draft((step(quoted(KIND, 1), 1), goal(quoted(STEADY, 0)), bad))
    verdict = judged(draft)
    assert isinstance(verdict, Revise)
    assert verdict.reasons == (f"step:{forgery.reason}",)
    assert verdict.draft == Draft(draft.blocks[:2])


def test_c32_overlap_alone_would_have_passed_most_forgeries() -> None:
    altered = [f.fragment.text for f in FORGERIES if f.reason == "bytes-differ"]
    passed = [text for text in altered if rouge_l(text, TRUE.text) >= 0.6]
    assert len(passed) >= len(altered) - 2


def test_c65_a_shown_sentence_that_nobody_selected_is_not_quoted() -> None:
    others = [s for s in SNIPPETS if (s.case_id, s.sent_id) != ("calm", 0)]
    assert reasons(TRUE, selected=others) == ("step:not-selected",)
    assert reasons(TRUE) == ()


def test_c65_a_selected_snippet_from_outside_the_bundle_opens_nothing() -> None:
    stranger = case("stranger", "Rest is a skill like any other.")
    foreign = snippet(stranger, 0)
    assert reasons(quoted(stranger, 0), selected=[*SNIPPETS, foreign]) == ("step:not-shown",)


def test_c65_a_bundle_with_a_false_snippet_does_not_make_it_true() -> None:
    false = replace(snippet(CALM, 0), text="Slow breathing cures everything.")
    bundle = EvidenceBundle(cases=CASES, snippets=(false,))
    draft = Draft((step(quoted(CALM, 0, text=false.text)), goal(quoted(CALM, 0))))
    verdict = gate().judge(draft, bundle=bundle, selected=[false], message=MESSAGE)
    assert isinstance(verdict, Abstain)
    assert verdict.reasons == ("step:bytes-differ", "goal:bytes-differ")


def test_c65_a_bundle_that_numbers_from_the_back_is_not_followed() -> None:
    backwards = replace(snippet(CALM, 2), sent_id=-1)
    bundle = EvidenceBundle(cases=CASES, snippets=(backwards,))
    quote = Fragment(backwards.text, Quoted(case_id="calm", sent_id=-1, span=CALM.sentences[2]))
    verdict = gate().judge(
        Draft((step(quote), goal(quote))), bundle=bundle, selected=[backwards], message=MESSAGE
    )
    assert isinstance(verdict, Abstain)
    assert verdict.reasons == ("step:not-shown", "goal:not-shown")


def test_c32_the_floor_is_on_overlap_and_on_nothing_else() -> None:
    assert gate().alpha == Threshold(ScoreKind.OVERLAP, 0.6)
    cosine = replace(gate(), alpha=Threshold(ScoreKind.COSINE, 0.6))
    with pytest.raises(KindMismatch):
        cosine.judge(sound_draft(), bundle=BUNDLE, selected=SNIPPETS, message=MESSAGE)


@pytest.mark.parametrize("floor", [0.0, -0.1, 1.01])
def test_c32_a_floor_that_all_or_none_would_pass_is_refused(floor: float) -> None:
    with pytest.raises(UnreachableThreshold):
        Threshold(ScoreKind.OVERLAP, floor)


@pytest.mark.parametrize(
    ("bullets", "answers"),
    [
        ([], False),
        ([step(TRUE)], False),
        ([goal(TRUE)], False),
        ([step(TRUE), goal(quoted(KIND, 0))], True),
        ([step(TRUE), step(quoted(KIND, 0), 1)], True),
        ([step(TRUE), step(quoted(STEADY, 2), 1)], False),
    ],
    ids=["none", "a step", "a goal", "both", "two steps", "one of two was dropped"],
)
def test_c33_fewer_than_two_bullets_are_no_answer(bullets: list[Block], answers: bool) -> None:
    opening = block(BlockKind.EVIDENCE, quoted(KIND, 1))
    verdict = judged(Draft((opening, *bullets)))
    assert isinstance(verdict, Pass) == answers
    if not answers:
        assert isinstance(verdict, Abstain)
        assert verdict.reason is Reason.THIN_EVIDENCE


def test_c33_dropped_sentences_are_counted_with_their_reasons() -> None:
    verdict = judged(Draft((step(quoted(STEADY, 2)), goal(quoted(STEADY, 3)))))
    assert verdict == Abstain(Reason.THIN_EVIDENCE, 4, ("step:denylisted", "goal:leans-back"))


def test_c36_a_vetted_step_goes_with_its_justification() -> None:
    verdict = judged(Draft((*sound_draft().blocks, step(quoted(STEADY, 3), 1))))
    assert isinstance(verdict, Revise)
    said = " ".join(sentence.text for sentence in verdict.draft.sentences())
    assert content().steps[1].text not in said
    assert verdict.dropped_sentences == 2


@pytest.mark.parametrize("kind", [BlockKind.STEP, BlockKind.GOAL, BlockKind.EVIDENCE])
def test_c33_what_stands_on_evidence_falls_without_a_quote(kind: BlockKind) -> None:
    item = content().steps[2]
    bare = block(kind, vetted(item.id, item.text))
    verdict = judged(Draft((*sound_draft().blocks, bare)))
    assert isinstance(verdict, Revise)
    assert verdict.reasons == (f"{kind.value}:no-evidence",)


def test_c69_a_denylisted_word_in_a_reviewed_line_drops_nothing() -> None:
    lines = [step(TRUE, at) for at in range(len(content().steps))]
    verdict = judged(Draft((*lines, goal(quoted(KIND, 0)))))
    assert isinstance(verdict, Pass)
