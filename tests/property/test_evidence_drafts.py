"""Whatever a draft claims, what passes is the bytes of shown and selected sentences."""

from __future__ import annotations

from functools import cache

from hypothesis import given
from hypothesis import strategies as st

from handrail.adapters.re2 import Re2Engine
from handrail.domain.reply import (
    Block,
    BlockKind,
    Draft,
    EvidenceBundle,
    Fragment,
    Quoted,
    Sentence,
    Snippet,
    Vetted,
)
from handrail.domain.scores import ScoreKind, Threshold
from handrail.domain.text import Case, Span
from handrail.domain.verdict import Pass, Revise
from handrail.errors import ContentInvalid
from handrail.rails.denylist import Denylist
from handrail.rails.evidence import ALPHA, MIN_BULLETS, EvidenceGate
from handrail.rails.quotability import Quotability

MESSAGE = "I cannot sleep and worry about everything."
LINE = "Breathe out slowly, and let the shoulders drop."
SENTENCES = (
    "Slow breathing tells the body that the moment is safe.",
    "That is a myth that many people carry around.",
    "Writing a worry down takes some of its weight away.",
    "You must forgive before you can move on.",
    "Sleep comes easier when the phone stays in another room.",
    "Being patient with slow progress is part of the work.",
    "Rest is part of the work, and the work can wait.",
)


def answer(name: str, sentences: tuple[str, ...]) -> Case:
    text, spans = "", []
    for sentence in sentences:
        spans.append(Span(len(text), len(text) + len(sentence)))
        text += sentence + " "
    return Case(id=name, context="", response=text, sentences=tuple(spans))


def shown(case: Case, sent_id: int) -> Snippet:
    span = case.sentences[sent_id]
    text = span.of(case.response)
    return Snippet(
        case_id=case.id, sent_id=sent_id, span=span, text=text, shown=text, similarity=0.5
    )


TRUE_LINE = Fragment(LINE, Vetted(item_id="line"))


def register(item_id: str, piece: int) -> str:
    if (item_id, piece) != ("line", 0):
        raise ContentInvalid(item_id)
    return LINE


@cache
def gate() -> EvidenceGate:
    engine = Re2Engine()
    return EvidenceGate(
        Denylist.packaged(engine),
        Quotability.packaged(engine),
        Threshold(ScoreKind.OVERLAP, ALPHA),
        lines=register,
    )


SOUND = answer("sound", (SENTENCES[0], SENTENCES[2]))
OFTEN = st.sampled_from([True, True, True, False])
CASES = st.lists(
    st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=5).map(tuple), min_size=1, max_size=3
).map(lambda rows: tuple(answer(f"case-{at}", row) for at, row in enumerate(rows)))


@st.composite
def bundles(draw: st.DrawFn) -> tuple[EvidenceBundle, tuple[Snippet, ...]]:
    """A bundle of the sound case and up to three others, and the part of it that was selected."""
    others = draw(CASES)
    every = [shown(case, at) for case in others for at in range(len(case.sentences))]
    snippets = [snippet for snippet in every if draw(OFTEN)]
    selected = [snippet for snippet in snippets if draw(OFTEN)]
    sound = [shown(SOUND, 0), shown(SOUND, 1)]
    bundle = EvidenceBundle(cases=(*others, SOUND), snippets=(*sound, *snippets))
    return bundle, (*selected, *sound)


@st.composite
def quotes(draw: st.DrawFn, cases: tuple[Case, ...]) -> Fragment:
    """A quote that is sometimes true and sometimes wrong in one place or another."""
    case = draw(st.sampled_from(cases))
    at = draw(st.integers(0, len(case.sentences) - 1))
    span = case.sentences[at]
    text = span.of(case.response)
    true = Fragment(text, Quoted(case_id=case.id, sent_id=at, span=span))
    if draw(st.booleans()):
        return true
    return draw(
        st.one_of(
            st.builds(Fragment, st.sampled_from(SENTENCES), st.just(true.provenance)),
            st.builds(Fragment, st.just(text), provenances(case, at)),
            provenances(case, at).map(lambda quote: Fragment(quote.span.of(case.response), quote)),
            st.builds(Fragment, mutations(text), st.just(true.provenance)),
        )
    )


def provenances(case: Case, at: int) -> st.SearchStrategy[Quoted]:
    span = case.sentences[at]
    spans = st.tuples(st.integers(-2, 2), st.integers(-2, 2)).map(
        lambda shift: Span(max(0, span.start + shift[0]), max(span.start + 2, span.end + shift[1]))
    )
    return st.builds(
        Quoted,
        case_id=st.just(case.id) | st.sampled_from(["case-0", "case-9"]),
        sent_id=st.just(at) | st.integers(-6, 6),
        span=spans,
    )


def mutations(text: str) -> st.SearchStrategy[str]:
    """The text with a character less, more, doubled or replaced."""
    places = st.integers(0, len(text) - 1)
    letters = st.sampled_from(["", "\u200b", "\u043e", " not ", "e\u0301", "."])
    return st.builds(lambda at, new: text[:at] + new + text[at + 1 :], places, letters)


def bullet(kind: BlockKind, at: int) -> Block:
    """A block with nothing wrong."""
    span = SOUND.sentences[at]
    quote = Fragment(span.of(SOUND.response), Quoted(case_id=SOUND.id, sent_id=at, span=span))
    return Block(kind, (Sentence((TRUE_LINE,)), Sentence((quote,))))


@st.composite
def drafts(draw: st.DrawFn, cases: tuple[Case, ...]) -> Draft:
    """Blocks of every kind around two sound bullets, so that something is always left."""
    blocks = [bullet(BlockKind.STEP, 0), bullet(BlockKind.GOAL, 1)]
    for _ in range(draw(st.integers(0, 4))):
        kind = draw(st.sampled_from(list(BlockKind)))
        line = TRUE_LINE if draw(OFTEN) else Fragment(LINE, Vetted(item_id="other"))
        fragments = [line, *draw(st.lists(quotes(cases), min_size=1, max_size=2))]
        block = Block(kind, tuple(Sentence((fragment,)) for fragment in fragments))
        blocks.insert(draw(st.integers(0, len(blocks))), block)
    return Draft(tuple(blocks))


@given(st.data())
def test_c32_what_passes_is_byte_for_byte_what_was_shown_and_selected(data: st.DataObject) -> None:
    bundle, selected = data.draw(bundles())
    draft = data.draw(drafts(bundle.cases))
    verdict = gate().judge(draft, bundle=bundle, selected=selected, message=MESSAGE)
    assert isinstance(verdict, (Pass, Revise))
    for sentence in verdict.draft.sentences():
        for fragment in sentence.fragments:
            assert is_true(fragment, bundle, selected)


def is_true(fragment: Fragment, bundle: EvidenceBundle, selected: tuple[Snippet, ...]) -> bool:
    if isinstance(fragment.provenance, Vetted):
        return fragment == TRUE_LINE
    quote = fragment.provenance
    assert isinstance(quote, Quoted)
    case = next(case for case in bundle.cases if case.id == quote.case_id)
    return (
        quote.span in case.sentences
        and quote.span.of(case.response) == fragment.text
        and any((s.case_id, s.sent_id) == (quote.case_id, quote.sent_id) for s in selected)
        and not gate().denylist.hits(fragment.text)
        and gate().quotability.fault(case, quote.sent_id, message=MESSAGE) is None
    )


@given(st.data())
def test_c33_what_passes_has_its_bullets_and_every_drop_is_counted(data: st.DataObject) -> None:
    bundle, selected = data.draw(bundles())
    draft = data.draw(drafts(bundle.cases))
    verdict = gate().judge(draft, bundle=bundle, selected=selected, message=MESSAGE)
    assert isinstance(verdict, (Pass, Revise))
    bullets = [b for b in verdict.draft.blocks if b.kind in (BlockKind.STEP, BlockKind.GOAL)]
    assert len(bullets) >= MIN_BULLETS
    assert all(block.quotes for block in bullets)
    dropped = verdict.dropped_sentences if isinstance(verdict, Revise) else 0
    kept = len(list(verdict.draft.sentences()))
    assert kept + dropped == len(list(draft.sentences()))
    rest = iter(draft.blocks)
    assert all(block in rest for block in verdict.draft.blocks)  # in the same order
    again = gate().judge(verdict.draft, bundle=bundle, selected=selected, message=MESSAGE)
    assert again == Pass(verdict.draft)
