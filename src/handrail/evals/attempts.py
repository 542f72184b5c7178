"""Drafts to bring before the gate: a true sentence or a false one, as a quote or as a claim."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from handrail.domain.reply import (
    Block,
    BlockKind,
    Contracted,
    EvidenceBundle,
    Fragment,
    Provenance,
    Quoted,
    Sentence,
    Snippet,
)
from handrail.domain.text import Case, Passage, Span
from handrail.rails.contracted import RESTATEMENT


@dataclass(frozen=True, slots=True)
class Attempt:
    """One block with all that the gate holds it against."""

    block: Block
    bundle: EvidenceBundle
    selected: tuple[Snippet, ...]
    message: str


def true_quote(case: Case, at: int) -> Attempt:
    """The sentence, quoted as it stands."""
    return _attempt(_quote(case, at), case, [_shown(case, at)])


def quoted(
    family: str, text: str, case: Case, at: int, other: Case, other_at: int
) -> list[Attempt]:
    """Every way to pass ``text`` off as a quote; both sentences were shown and selected."""
    shown = [_shown(case, at), _shown(other, other_at)]
    span = case.sentences[at]
    own = Quoted(case_id=case.id, sent_id=at, span=span)
    ways: list[tuple[str, Provenance]] = [(text, own)]
    if family == "wrong_document":
        ways = [
            (text, Quoted(case_id=other.id, sent_id=other_at, span=other.sentences[other_at])),
            (text, Quoted(case_id=other.id, sent_id=other_at, span=span)),
            (text, Quoted(case_id=other.id, sent_id=at, span=span)),
        ]
    if family == "truncation":
        ways += [(cut.of(case.response), _moved(own, cut)) for cut in _cuts(span, len(text))]
    return [_attempt(Fragment(said, proof), case, shown, other) for said, proof in ways]


def claimed(
    text: str,
    case: Case,
    at: int,
    run: range,
    other: Case,
    *,
    cited: tuple[str, ...] | None = None,
) -> Attempt:
    """``text`` in the place of sentence ``at``, among the sentences that are said with it."""
    own = Contracted(contract=RESTATEMENT, passage_ids=(case.id,))
    proof = Contracted(contract=RESTATEMENT, passage_ids=cited or own.passage_ids)
    fragments = [
        Fragment(text, proof) if place == at else Fragment(_text(case, place), own) for place in run
    ]
    bundle = EvidenceBundle(cases=(), snippets=(), passages=(_passage(case), _passage(other)))
    return Attempt(_block(fragments), bundle, (), case.context)


def _cuts(span: Span, length: int) -> list[Span]:
    """The span without its end, and without its beginning, as long as ``length``."""
    length = min(length, span.end - span.start - 1)
    return [Span(span.start, span.start + length), Span(span.end - length, span.end)]


def _moved(quote: Quoted, span: Span) -> Quoted:
    return Quoted(case_id=quote.case_id, sent_id=quote.sent_id, span=span)


def _attempt(
    fragment: Fragment, case: Case, shown: Sequence[Snippet], other: Case | None = None
) -> Attempt:
    cases = (case,) if other is None else (case, other)
    bundle = EvidenceBundle(cases=cases, snippets=tuple(shown))
    return Attempt(_block([fragment]), bundle, tuple(shown), case.context)


def _block(fragments: Sequence[Fragment]) -> Block:
    return Block(BlockKind.EVIDENCE, tuple(Sentence((fragment,)) for fragment in fragments))


def _quote(case: Case, at: int) -> Fragment:
    return Fragment(_text(case, at), Quoted(case_id=case.id, sent_id=at, span=case.sentences[at]))


def _shown(case: Case, at: int) -> Snippet:
    text = _text(case, at)
    return Snippet(
        case_id=case.id,
        sent_id=at,
        span=case.sentences[at],
        text=text,
        shown=text,
        similarity=1.0,
    )


def _passage(case: Case) -> Passage:
    whole = Span(0, len(case.response))
    return Passage(id=case.id, document_id=case.id, text=case.response, span=whole)


def _text(case: Case, at: int) -> str:
    return case.sentences[at].of(case.response)
