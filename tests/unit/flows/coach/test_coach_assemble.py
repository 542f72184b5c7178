"""C4, C5, C34-C37: from a choice to a draft of reviewed lines, own words and quotes."""

from __future__ import annotations

import pytest
from coach_sample import CONCERN

from handrail.content import CoachContent, load_coach
from handrail.domain.reply import (
    Block,
    BlockKind,
    Draft,
    Echo,
    EvidenceBundle,
    Quoted,
    Snippet,
    Vetted,
)
from handrail.domain.text import Case, Span
from handrail.flows.coach.assemble import Assembler, selected
from handrail.flows.coach.decider import DeciderOutput, LabelChoice, QuoteRef, SkillChoice
from handrail.flows.coach.feelings import FeelingReader, Feelings

RESPONSE = "Slow breathing calms. Walking lifts the mood. Writing it down helps. You matter."
SPANS = (Span(0, 21), Span(22, 45), Span(46, 68), Span(69, 80))
CASE = Case(id="a", context="", response=RESPONSE, sentences=SPANS)
SNIPPETS = tuple(
    Snippet(
        case_id="a",
        sent_id=at,
        span=span,
        text=span.of(RESPONSE),
        shown=span.of(RESPONSE),
        similarity=0.5,
    )
    for at, span in enumerate(SPANS)
)
BUNDLE = EvidenceBundle(cases=(CASE,), snippets=SNIPPETS)
REFS = [QuoteRef(case_id="a", sent_id=at) for at in range(4)]
BREATHE, WALK = "4-7-8 breathing", "10-minute walk 3x/week"


@pytest.fixture(scope="module")
def content() -> CoachContent:
    return load_coach()


def choice(
    *,
    skills: tuple[str, ...] = ("validation", "reflection"),
    comfort: tuple[int, ...] = (),
    coping: tuple[tuple[str, int], ...] = ((BREATHE, 0),),
    goals: tuple[tuple[str, int], ...] = ((WALK, 1),),
) -> DeciderOutput:
    return DeciderOutput(
        crisis_level="none",
        skills=tuple(
            SkillChoice.model_validate({"name": name, "quote_refs": [REFS[at] for at in comfort]})
            for name in skills
        ),
        coping_suggestions=tuple(
            LabelChoice(label=label, quote_refs=(REFS[at],)) for label, at in coping
        ),
        goals=tuple(LabelChoice(label=label, quote_refs=(REFS[at],)) for label, at in goals),
    )


def draft(
    content: CoachContent, made: DeciderOutput, *, message: str = CONCERN, mild: bool = False
) -> Draft:
    feelings = FeelingReader(content.emotions).read(message)
    return Assembler(content, BUNDLE, message, feelings).draft(made, mild=mild)


def kinds(of: Draft) -> list[BlockKind]:
    return [block.kind for block in of.blocks]


def quoted(blocks: tuple[Block, ...]) -> list[str]:
    return [quote.text for block in blocks for quote in block.quotes]


def test_c34_c37_the_blocks_stand_in_reading_order(content: CoachContent) -> None:
    made = draft(content, choice(comfort=(3,), coping=((BREATHE, 0), ("Box breathing", 2))))
    assert kinds(made) == [
        BlockKind.VALIDATION,
        BlockKind.REFLECTION,
        BlockKind.EVIDENCE,
        BlockKind.STEP,
        BlockKind.STEP,
        BlockKind.GOAL,
    ]
    assert quoted(made.blocks) == [SNIPPETS[at].text for at in (3, 0, 2, 1)]


def test_mild_begins_with_the_check_in(content: CoachContent) -> None:
    made = draft(content, choice(), mild=True)
    assert kinds(made)[:2] == [BlockKind.NOTICE, BlockKind.VALIDATION]
    assert made.blocks[0].sentences[0].text == content.notice("mild-checkin").text


def test_c34_the_opening_fits_the_feeling(content: CoachContent) -> None:
    made = draft(content, choice(), message="I am so lonely and alone")
    proof = made.blocks[0].sentences[0].fragments[0].provenance
    assert isinstance(proof, Vetted)
    assert next(v.family for v in content.validation if v.id == proof.item_id) == "loneliness"


def test_c35_without_words_or_feelings_to_reflect_there_is_no_reflection(
    content: CoachContent,
) -> None:
    feelings = Feelings(words=(), family="general", echo=None)
    made = Assembler(content, BUNDLE, "Why?", feelings).draft(choice(), mild=False)
    assert BlockKind.REFLECTION not in kinds(made)


def test_c35_an_echo_is_a_span_of_the_message(content: CoachContent) -> None:
    message = "It has been three weeks and my sister will not answer"
    fragments = [
        f for s in draft(content, choice(), message=message).sentences() for f in s.fragments
    ]
    echoes = [f for f in fragments if isinstance(f.provenance, Echo)]
    assert len(echoes) == 1
    assert isinstance(echoes[0].provenance, Echo)
    assert echoes[0].provenance.span.of(message) == echoes[0].text


def test_c36_every_step_and_goal_carries_its_reason(content: CoachContent) -> None:
    for block in draft(content, choice()).blocks:
        if block.kind in {BlockKind.STEP, BlockKind.GOAL}:
            line, reason = block.sentences
            assert isinstance(line.fragments[0].provenance, Vetted)
            assert [isinstance(f.provenance, Quoted) for f in reason.fragments] == [
                *(False, False, True, False)
            ]


def test_a_quote_is_said_once_and_what_leans_on_it_again_goes(content: CoachContent) -> None:
    made = draft(content, choice(comfort=(0,), coping=((BREATHE, 0),), goals=((WALK, 0),)))
    assert quoted(made.blocks) == [SNIPPETS[0].text]
    assert kinds(made).count(BlockKind.GOAL) == 0


def test_a_skill_keeps_its_quote_for_the_step_that_needs_it(content: CoachContent) -> None:
    made = draft(content, choice(comfort=(0,)))
    assert BlockKind.EVIDENCE not in kinds(made)
    assert quoted(made.blocks) == [SNIPPETS[0].text, SNIPPETS[1].text]


def test_a_label_or_reference_that_is_unknown_is_left_out(content: CoachContent) -> None:
    unknown = LabelChoice(label="Invented", quote_refs=(REFS[0],))
    lost = LabelChoice(label=WALK, quote_refs=(QuoteRef(case_id="a", sent_id=9),))
    made = draft(
        content, choice().model_copy(update={"coping_suggestions": (unknown,), "goals": (lost,)})
    )
    assert not {BlockKind.STEP, BlockKind.GOAL} & set(kinds(made))


def test_selected_holds_each_snippet_of_the_choice_once() -> None:
    made = choice(comfort=(3, 3), coping=((BREATHE, 0),), goals=((WALK, 0),))
    assert selected(made, BUNDLE) == (SNIPPETS[3], SNIPPETS[0])


def test_the_words_depend_on_the_message_alone(content: CoachContent) -> None:
    messages = [f"{CONCERN} {at}" for at in range(12)]
    drafts = [draft(content, choice(), message=message) for message in messages]
    assert drafts == [draft(content, choice(), message=message) for message in messages]
    assert len({made.blocks[0].sentences[0].text for made in drafts}) > 1
