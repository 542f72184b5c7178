"""The contract of restatement: what a model wrote may say again what a passage says (L18, L56).

A claim cites the passages it stands on, and each of them holds one sentence that it restates.
Overlap with that sentence is asked first and decides least. A claim that leans on what comes before
it, or that the passage goes on to take back, may stand only beside that neighbour: alone it would
take its meaning from whatever stands there instead.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from handrail.domain.reply import Contracted, EvidenceBundle, Fragment, Layout, Vetted
from handrail.domain.scores import Score, ScoreKind, Threshold
from handrail.domain.text import Case, Passage, Span
from handrail.rails.agreement import Agreement
from handrail.rails.overlap import rouge_l
from handrail.rails.quotability import Quotability

RESTATEMENT = "restatement/1"
"""The name that a fragment gives of its contract."""

Segment = Callable[[str], Sequence[Span]]


@dataclass(frozen=True, slots=True)
class _Claim:
    """A claim with the sentences it restates, by passage; empty where there is no neighbour."""

    text: str = ""
    held: Mapping[str, frozenset[int]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ContractGate:
    """Judges claims by the passages that they cite; ``segment`` finds a passage's sentences."""

    agreement: Agreement
    quotability: Quotability
    alpha: Threshold
    segment: Segment

    def fault(self, fragments: Sequence[Fragment], bundle: EvidenceBundle) -> str | None:
        """Why the claims among the fragments of one block may not leave, or None.

        The reasons: other-contract, uncited, not-shown, overlap, what `Agreement.fault` gives,
        leans-back, overturned. The first faulty claim speaks for the block.
        """
        cases: dict[str, Case] = {}
        claims = [_Claim()]
        for fragment in fragments:
            if isinstance(fragment.provenance, Contracted):
                found = self._held(fragment.text, fragment.provenance, bundle, cases)
                if isinstance(found, str):
                    return found
                claims.append(_Claim(fragment.text, found))
            elif not isinstance(fragment.provenance, Vetted | Layout):
                claims.append(_Claim())
        return self._isolated([*claims, _Claim()], cases)

    def _held(
        self, claim: str, cited: Contracted, bundle: EvidenceBundle, cases: dict[str, Case]
    ) -> Mapping[str, frozenset[int]] | str:
        """The sentences that the claim restates in each cited passage, or the reason against it."""
        if cited.contract != RESTATEMENT:
            return "other-contract"
        if not cited.passage_ids:
            return "uncited"
        held: dict[str, frozenset[int]] = {}
        for id in cited.passage_ids:
            passage = bundle.passage(id)
            if passage is None:
                return "not-shown"
            case = cases.setdefault(id, self._read(passage))
            found = self._restated(claim, case)
            if isinstance(found, str):
                return found
            held[id] = found
        return held

    def _read(self, passage: Passage) -> Case:
        """The passage with its sentences, in the form that quotability reads."""
        spans = tuple(self.segment(passage.text))
        return Case(id=passage.id, context="", response=passage.text, sentences=spans)

    def _restated(self, claim: str, case: Case) -> frozenset[int] | str:
        texts = [span.of(case.response) for span in case.sentences]
        scores = [rouge_l(claim, text) for text in texts]
        near = [at for at, score in enumerate(scores) if self._reaches(score)]
        if not near:
            return "overlap"
        faults = {at: self.agreement.fault(claim, texts[at]) for at in near}
        sound = frozenset(at for at, fault in faults.items() if fault is None)
        return sound or str(faults[max(near, key=lambda at: (scores[at], -at))])

    def _reaches(self, score: float) -> bool:
        return self.alpha.passes(Score(ScoreKind.OVERLAP, score))

    def _isolated(self, claims: Sequence[_Claim], cases: Mapping[str, Case]) -> str | None:
        """Why a claim does not mean here what it means there."""
        for before, claim, after in zip(claims, claims[1:], claims[2:], strict=False):
            places = [(cases[id], at) for id, found in claim.held.items() for at in found]
            if self.quotability.leans_back(claim.text):
                places = [(c, at) for c, at in places if at - 1 in before.held.get(c.id, ())]
            if claim.held and not places:
                return "leans-back"
            if places and all(self._taken_back(*place, after) for place in places):
                return "overturned"
        return None

    def _taken_back(self, case: Case, at: int, after: _Claim) -> bool:
        """Whether the next sentence denies this one, and is not said as well."""
        return self.quotability.taken_back(case, at) and (at + 1 not in after.held.get(case.id, ()))
