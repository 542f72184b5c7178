"""The evidence gate: every quote is a whole, shown, selected sentence, byte for byte (C31-C33)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from handrail.domain.outcome import Reason
from handrail.domain.reply import (
    NEEDS_EVIDENCE,
    Block,
    BlockKind,
    Draft,
    Echo,
    EvidenceBundle,
    Fragment,
    Quoted,
    Snippet,
)
from handrail.domain.scores import Score, ScoreKind, Threshold
from handrail.domain.verdict import Abstain, Pass, Revise, Verdict
from handrail.rails.denylist import Denylist
from handrail.rails.overlap import rouge_l
from handrail.rails.quotability import Quotability

ALPHA = 0.6  # C32
MIN_BULLETS = 2  # C33: steps and goals left standing
_BULLETS = frozenset({BlockKind.STEP, BlockKind.GOAL})


@dataclass(frozen=True, slots=True)
class EvidenceGate:
    """Judges drafts; overlap is necessary, the other checks make it sufficient."""

    denylist: Denylist
    quotability: Quotability
    alpha: Threshold
    min_bullets: int = MIN_BULLETS

    def judge(
        self, draft: Draft, *, bundle: EvidenceBundle, selected: Sequence[Snippet], message: str
    ) -> Verdict:
        """Drop every block whose evidence fails; abstain when too few bullets are left.

        A block without a quote fails if its kind stands on evidence. Nothing is mended: a block
        stays as it is or goes whole, with its reason.
        """
        kept: list[Block] = []
        reasons: list[str] = []
        dropped = 0
        for block in draft.blocks:
            reason = self._fault(block, bundle, selected, message)
            if reason is None:
                kept.append(block)
                continue
            reasons.append(f"{block.kind.value}:{reason}")
            dropped += len(block.sentences)
        if sum(block.kind in _BULLETS for block in kept) < self.min_bullets:
            return Abstain(Reason.THIN_EVIDENCE, dropped, tuple(reasons))
        left = Draft(tuple(kept))
        return Revise(left, dropped, tuple(reasons)) if reasons else Pass(left)

    def _fault(
        self, block: Block, bundle: EvidenceBundle, selected: Sequence[Snippet], message: str
    ) -> str | None:
        if block.kind in NEEDS_EVIDENCE and not block.quotes:
            return "no-evidence"
        for sentence in block.sentences:
            for fragment in sentence.fragments:
                fault = self._fragment_fault(fragment, bundle, selected, message)
                if fault:
                    return fault
        return None

    def _fragment_fault(
        self,
        fragment: Fragment,
        bundle: EvidenceBundle,
        selected: Sequence[Snippet],
        message: str,
    ) -> str | None:
        match fragment.provenance:
            case Quoted() as quote:
                return self._quote_fault(fragment.text, quote, bundle, selected, message)
            case Echo(span=span):
                return None if span.of(message) == fragment.text else "not-their-words"
            case _:
                return None

    def _quote_fault(
        self,
        text: str,
        quote: Quoted,
        bundle: EvidenceBundle,
        selected: Sequence[Snippet],
        message: str,
    ) -> str | None:
        case = bundle.case(quote.case_id)
        shown = bundle.find(quote.case_id, quote.sent_id)
        if case is None or shown is None:
            return "not-shown"
        if shown not in selected:
            return "not-selected"
        if case.sentences[quote.sent_id] != quote.span:
            return "not-a-whole-sentence"
        if quote.span.of(case.response) != text:
            return "bytes-differ"
        best = max((rouge_l(text, snippet.text) for snippet in selected), default=0.0)
        if not self.alpha.passes(Score(ScoreKind.OVERLAP, best)):
            return "overlap"
        if self.denylist.hits(text):
            return "denylisted"
        return self.quotability.fault(case, quote.sent_id, message=message)
