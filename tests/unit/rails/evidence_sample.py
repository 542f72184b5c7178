"""Three invented cases, a gate over the packaged rules, and drafts to bring before it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from handrail.adapters.re2 import Re2Engine
from handrail.content import CoachContent, load_coach
from handrail.domain.reply import (
    Block,
    BlockKind,
    Draft,
    Echo,
    EvidenceBundle,
    Fragment,
    Provenance,
    Quoted,
    Sentence,
    Snippet,
    Vetted,
)
from handrail.domain.scores import ScoreKind, Threshold
from handrail.domain.text import Case, Span
from handrail.rails.denylist import Denylist
from handrail.rails.evidence import ALPHA, EvidenceGate
from handrail.rails.quotability import Quotability

MESSAGE = "I lie awake most nights and worry about everything at once."


def case(name: str, *sentences: str) -> Case:
    """A case whose answer is ``sentences`` with a space between them."""
    spans, at = [], 0
    for sentence in sentences:
        spans.append(Span(at, at + len(sentence)))
        at += len(sentence) + 1
    return Case(id=name, context="", response=" ".join(sentences), sentences=tuple(spans))


CALM = case(
    "calm",
    "Slow breathing tells the body that the moment is safe.",
    "Writing a worry down takes some of its weight away.",
    "Sleep comes easier when the phone stays in another room.",
)
STEADY = case(
    "steady",
    "A short walk after lunch can steady the rest of the day.",
    "Most people find that small plans hold better than large ones.",
    "You could ask your doctor to prescribe something for the nights.",
    "That is the reason why so many plans fall apart.",
    "— … —",
)
KIND = case(
    "kind",
    "Talking to a friend can bring some relief, even when nothing is solved.",
    "Being patient with slow progress is part of the work.",
)
CASES = (CALM, STEADY, KIND)


def snippet(of: Case, sent_id: int) -> Snippet:
    """The sentence as it would be shown."""
    span = of.sentences[sent_id]
    text = span.of(of.response)
    return Snippet(case_id=of.id, sent_id=sent_id, span=span, text=text, shown=text, similarity=0.5)


SNIPPETS = tuple(snippet(of, at) for of in CASES for at in range(len(of.sentences)))
BUNDLE = EvidenceBundle(cases=CASES, snippets=SNIPPETS)


@cache
def content() -> CoachContent:
    """The packaged lines, read once."""
    return load_coach()


@cache
def gate() -> EvidenceGate:
    """The gate as it ships, compiled once."""
    engine = Re2Engine()
    return EvidenceGate(
        Denylist.packaged(engine),
        Quotability.packaged(engine),
        Threshold(ScoreKind.OVERLAP, ALPHA),
        lines=content().piece,
    )


def quoted(of: Case, sent_id: int, *, text: str | None = None) -> Fragment:
    """A quoting fragment; with ``text`` it says something else than its span."""
    span = of.sentences[sent_id]
    said = span.of(of.response) if text is None else text
    return Fragment(said, Quoted(case_id=of.id, sent_id=sent_id, span=span))


def vetted(item_id: str, text: str, piece: int = 0) -> Fragment:
    """A fragment that claims to be a reviewed line."""
    return Fragment(text, Vetted(item_id=item_id, piece=piece))


def block(kind: BlockKind, *fragments: Fragment) -> Block:
    """A block of one sentence for each fragment."""
    return Block(kind, tuple(Sentence((fragment,)) for fragment in fragments))


def step(quote: Fragment, at: int = 0) -> Block:
    """A vetted step with its justification."""
    item = content().steps[at]
    return block(BlockKind.STEP, vetted(item.id, item.text), quote)


def goal(quote: Fragment) -> Block:
    """A vetted goal with its justification."""
    item = content().goals[0]
    return block(BlockKind.GOAL, vetted(item.id, item.text), quote)


def echo(start: int, end: int, text: str | None = None) -> Fragment:
    """The person's own words, or words put into their mouth."""
    span = Span(start, end)
    return Fragment(span.of(MESSAGE) if text is None else text, Echo(span=span))


def sound_draft() -> Draft:
    """A draft with nothing wrong: validation, evidence, a step and a goal."""
    opening = content().validation[0]
    return Draft(
        (
            block(BlockKind.VALIDATION, vetted(opening.id, opening.text)),
            block(BlockKind.REFLECTION, echo(0, 24)),
            block(BlockKind.EVIDENCE, quoted(KIND, 0)),
            step(quoted(CALM, 0)),
            goal(quoted(STEADY, 0)),
        )
    )


@dataclass(frozen=True)
class Forgery:
    """One way to slip something past the gate, and the reason that must stop it."""

    name: str
    fragment: Fragment
    reason: str


def relabelled(fragment: Fragment, provenance: Provenance) -> Fragment:
    """The same words under another provenance."""
    return Fragment(fragment.text, provenance)
