"""The last rail of a turn: every fragment is proved again, and the reply keeps its limits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from handrail.domain.outcome import Reason
from handrail.domain.reply import (
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
from handrail.domain.verdict import Abstain, Pass, Verdict
from handrail.flows.reframe.compose import count_words
from handrail.flows.reframe.state import Kept
from handrail.rails.layout import is_layout

MARKS = "?\N{FULLWIDTH QUESTION MARK}"


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnGate:
    """Judges the draft of one turn.

    ``lines`` is the register of reviewed lines, ``own`` the person's words of earlier messages,
    ``keeps`` the contract for what a model wrote; ``words`` and ``questions`` are the most of each.
    """

    lines: Callable[[str, int], str]
    own: Sequence[Kept]
    keeps: Callable[[str], bool]
    words: int
    questions: int

    def judge(
        self, draft: Draft, *, bundle: EvidenceBundle, selected: Sequence[Snippet], message: str
    ) -> Verdict:
        """`Pass`, or `Abstain` with the reasons; one fault and nothing leaves."""
        faults = [*self._limits(draft), *self._unproved(draft, message)]
        if faults:
            return Abstain(Reason.GATE_FAILED, reasons=tuple(faults))
        return Pass(draft)

    def _limits(self, draft: Draft) -> Sequence[str]:
        spoken = list(draft.sentences())
        ours = "".join(f.text for s in spoken for f in s.fragments if not _is_echo(f))
        too_long = sum(count_words(sentence.text) for sentence in spoken) > self.words
        asks = sum(ours.count(mark) for mark in MARKS)
        bullets = sum(block.kind is BlockKind.BULLET for block in draft.blocks)
        found = {
            "too-many-words": too_long,
            "too-many-questions": asks > self.questions,
            "too-many-bullets": bullets > 3,
        }
        return [name for name, is_fault in found.items() if is_fault]

    def _unproved(self, draft: Draft, message: str) -> Sequence[str]:
        fragments = [f for sentence in draft.sentences() for f in sentence.fragments]
        return ["unproved" for fragment in fragments if not self._stands(fragment, message)]

    def _stands(self, fragment: Fragment, message: str) -> bool:
        match fragment.provenance:
            case Vetted(item_id=item_id, piece=piece):
                return self.lines(item_id, piece) == fragment.text
            case Echo(span=span, number=None):
                return span.of(message) == fragment.text
            case Echo(span=span, number=number):
                return any(
                    (kept.number, kept.span, kept.text) == (number, span, fragment.text)
                    for kept in self.own
                )
            case Contracted():
                return self.keeps(fragment.text)
            case Layout():
                return is_layout(fragment.text)
            case Quoted():
                return False


def _is_echo(fragment: Fragment) -> bool:
    return isinstance(fragment.provenance, Echo)
