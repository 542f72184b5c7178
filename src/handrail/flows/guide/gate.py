"""The last rail of the guide: every fragment is looked up again, and belongs to the final set."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from handrail.domain.outcome import Reason
from handrail.domain.reply import Draft, EvidenceBundle, Fragment, Layout, Snippet, Vetted
from handrail.domain.verdict import Abstain, Pass, Verdict
from handrail.flows.guide.lines import cited, is_entity_line
from handrail.rails.layout import is_layout


@dataclass(frozen=True, slots=True, kw_only=True)
class GuideGate:
    """Judges a draft: reviewed lines alone, and of entities only those in ``final``."""

    lines: Callable[[str, int], str]
    final: Collection[str]

    def judge(
        self, draft: Draft, *, bundle: EvidenceBundle, selected: Sequence[Snippet], message: str
    ) -> Verdict:
        """`Pass`, or `Abstain`; one unproved fragment and nothing leaves."""
        fragments = [f for sentence in draft.sentences() for f in sentence.fragments]
        if not any(_of_entity(fragment) for fragment in fragments):
            return Abstain(Reason.NOTHING_SIMILAR)
        if not all(map(self._stands, fragments)):
            return Abstain(Reason.GATE_FAILED, reasons=("unproved",))
        return Pass(draft)

    def _stands(self, fragment: Fragment) -> bool:
        match fragment.provenance:
            case Layout():
                return is_layout(fragment.text)
            case Vetted(item_id=item_id, piece=piece):
                if is_entity_line(item_id) and cited(item_id)[0] not in self.final:
                    return False
                return self.lines(item_id, piece) == fragment.text
            case _:
                return False


def _of_entity(fragment: Fragment) -> bool:
    made = fragment.provenance
    return isinstance(made, Vetted) and is_entity_line(made.item_id)
