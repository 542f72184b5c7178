"""The evidence gate: every quote is a whole, shown, selected sentence, byte for byte (C31-C33).

Overlap alone would pass a negated quote, a quote with advice appended and a quote from another
case, so it is asked last and decides least. The other fragments are held to their proof as well: a
reviewed line to the reviewed text, an echo to the message, layout to white space and numbers, and
what a model wrote, where a flow allows it at all, to the contract that it was written under.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from handrail.content import load_coach
from handrail.domain.outcome import Reason
from handrail.domain.reply import (
    NEEDS_EVIDENCE,
    Block,
    BlockKind,
    Contracted,
    Draft,
    Echo,
    EvidenceBundle,
    Fragment,
    Layout,
    Quoted,
    Snippet,
    Vetted,
)
from handrail.domain.scores import Score, ScoreKind, Threshold
from handrail.domain.verdict import Abstain, Pass, Revise, Verdict
from handrail.errors import ContentInvalid
from handrail.rails.contracted import ContractGate
from handrail.rails.denylist import Denylist
from handrail.rails.layout import is_layout
from handrail.rails.overlap import rouge_l
from handrail.rails.quotability import Quotability

ALPHA = 0.6  # C32
MIN_BULLETS = 2  # C33: steps and goals left standing
_BULLETS = frozenset({BlockKind.STEP, BlockKind.GOAL})

Lines = Callable[[str, int], str]
"""The reviewed text of an item's piece; raises `ContentInvalid` for one that does not exist."""


def _packaged_lines() -> Lines:
    return load_coach().piece


@dataclass(frozen=True, slots=True)
class EvidenceGate:
    """Judges drafts; overlap is necessary, the other checks make it sufficient.

    ``lines`` is the register of reviewed text, by default the packaged one. Without ``contract``
    nothing leaves that a model wrote.
    """

    denylist: Denylist
    quotability: Quotability
    alpha: Threshold
    min_bullets: int = MIN_BULLETS
    lines: Lines = field(default_factory=_packaged_lines)
    contract: ContractGate | None = None

    def judge(
        self, draft: Draft, *, bundle: EvidenceBundle, selected: Sequence[Snippet], message: str
    ) -> Verdict:
        """Drop every block whose evidence fails; abstain when too few bullets are left.

        A block without a quote or claim fails if its kind stands on evidence. Nothing is mended: a
        block stays as it is or goes whole, with its reason.
        """
        hearing = _Hearing(self, bundle, selected, message)
        kept: list[Block] = []
        reasons: list[str] = []
        dropped = 0
        for block in draft.blocks:
            reason = hearing.fault(block)
            if reason is None:
                kept.append(block)
                continue
            reasons.append(f"{block.kind.value}:{reason}")
            dropped += len(block.sentences)
        if not kept or sum(block.kind in _BULLETS for block in kept) < self.min_bullets:
            return Abstain(Reason.THIN_EVIDENCE, dropped, tuple(reasons))
        left = Draft(tuple(kept))
        return Revise(left, dropped, tuple(reasons)) if reasons else Pass(left)


@dataclass(frozen=True, slots=True)
class _Hearing:
    """One draft before the gate, with everything it may be held against."""

    gate: EvidenceGate
    bundle: EvidenceBundle
    selected: Sequence[Snippet]
    message: str

    def fault(self, block: Block) -> str | None:
        """Why the block must go, or None; the first faulty fragment speaks for it."""
        if block.kind in NEEDS_EVIDENCE and not (block.quotes or block.claims):
            return "no-evidence"
        fragments = [f for sentence in block.sentences for f in sentence.fragments]
        return next(filter(None, map(self._fragment_fault, fragments)), None) or (
            self.gate.contract.fault(fragments, self.bundle)
            if self.gate.contract and block.claims
            else None
        )

    def _fragment_fault(self, fragment: Fragment) -> str | None:
        text = fragment.text
        match fragment.provenance:
            case Quoted() as quote:
                return self._forgery(text, quote) or self._weakness(text, quote)
            case Vetted() as vetted:
                return None if self._reviewed(vetted) == text else "not-the-reviewed-line"
            case Echo(span=span):
                return None if span.of(self.message) == text else "not-their-words"
            case Layout():
                return None if is_layout(text) else "words-in-layout"
            case Contracted():
                if self.gate.contract is None:
                    return "not-verbatim"
                return "denylisted" if self.gate.denylist.hits(text) else None

    def _reviewed(self, vetted: Vetted) -> str | None:
        try:
            return self.gate.lines(vetted.item_id, vetted.piece)
        except ContentInvalid:
            return None

    def _forgery(self, text: str, quote: Quoted) -> str | None:
        """Why the quote is not a shown and selected sentence of the stored case."""
        case = self.bundle.case(quote.case_id)
        shown = self.bundle.find(quote.case_id, quote.sent_id)
        if case is None or shown is None or not 0 <= quote.sent_id < len(case.sentences):
            return "not-shown"
        if shown not in self.selected:
            return "not-selected"
        if quote.span != case.sentences[quote.sent_id]:
            return "not-a-whole-sentence"
        if not text == shown.text == quote.span.of(case.response):
            return "bytes-differ"
        return None

    def _weakness(self, text: str, quote: Quoted) -> str | None:
        """Why a genuine quote may still not be said to this person."""
        best = max((rouge_l(text, snippet.text) for snippet in self.selected), default=0.0)
        if not self.gate.alpha.passes(Score(ScoreKind.OVERLAP, best)):
            return "overlap"
        if self.gate.denylist.hits(text):
            return "denylisted"
        case = self.bundle.case(quote.case_id)
        assert case is not None
        return self.gate.quotability.fault(case, quote.sent_id, message=self.message)
