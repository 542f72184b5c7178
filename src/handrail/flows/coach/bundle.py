"""From three similar cases to at most nine sentences that may be shown, chosen and quoted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from handrail.domain.duties import Duties
from handrail.domain.ranking import Candidate, Drop
from handrail.domain.reply import EvidenceBundle, Snippet
from handrail.domain.text import Case
from handrail.flows.coach.support import SupportIndex
from handrail.rails.denylist import Denylist, forbids
from handrail.rails.injection import PassageGuard, Way
from handrail.rails.quotability import Quotability
from handrail.retrieval import CaseSearch, Question

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from handrail.ports import Matrix

PER_CASE = 3  # C26: three cases with at most three sentences each
NEAR_MESSAGE = 0.36  # cosine from which the sentence nearest to the message is one of them
MAX_ANSWERS = 4  # answers to one concern that are read for the best reasons


@dataclass(frozen=True, slots=True)
class Evidence:
    """The bundle, a vector and a distance for each of its snippets, and what was held back.

    The distance is how much smaller the cosine of its case to the message is than the largest.
    ``unscreened`` says that a screen failed on one of its cases, so that no model may see it.
    """

    bundle: EvidenceBundle
    vectors: Matrix
    distances: NDArray[np.float32]
    dropped: Counter[str]
    drops: tuple[Drop, ...] = ()
    unscreened: bool = False


@dataclass(frozen=True, slots=True)
class Screened:
    """The sentences of one case that may be quoted: near the message, and worth as reasons."""

    candidate: Candidate
    case: Case
    sent_ids: tuple[int, ...]
    vectors: Matrix
    similarity: NDArray[np.float32]
    worth: NDArray[np.float32]
    faults: Counter[str]

    @property
    def richness(self) -> float:
        """How much the case has to say: the worth of its best sentences."""
        return float(np.sort(self.worth)[-PER_CASE:].sum())


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceFinder:
    """Screens answers before anybody can select from them (C25)."""

    search: CaseSearch
    denylist: Denylist
    passages: PassageGuard
    quotability: Quotability
    coping: SupportIndex
    goals: SupportIndex

    def find(
        self, message: str, candidates: Sequence[Candidate], question: Question, *, fixed: bool
    ) -> tuple[tuple[Candidate, ...], Evidence]:
        """The candidates and their evidence.

        Where several answers were given to one concern, the candidate becomes the answer that has
        most to say; ``fixed`` candidates were named by the caller and stay. Only a case that speaks
        to the machine leaves, with its drop recorded, whoever named it.
        """
        value = self._value(message, question)
        chosen, drops, ways = [], [], set[Way]()
        for candidate in candidates:
            answers = [candidate] if fixed else self._answers(candidate, question)
            screened = [self._screen(message, answer, question, value) for answer in answers]
            for item in sorted(screened, key=lambda item: -item.richness):
                way = self._way(item.case)
                ways.add(way)
                if way is not Way.CLOSED:
                    chosen.append(item)
                    break
                drops.append(_drop(item.case))
        evidence = replace(
            _bundle(chosen, question), drops=tuple(drops), unscreened=Way.RULES in ways
        )
        return tuple(item.candidate for item in chosen), evidence

    def showable(self, candidates: Sequence[Candidate], duties: Duties) -> tuple[Candidate, ...]:
        """The candidates without the sentences that a duty forbids to show beside a reply."""
        forbidden = forbids(duties)
        return tuple(
            replace(
                candidate,
                support=tuple(
                    support
                    for support in candidate.support
                    if not forbidden & self.denylist.subjects(support.passage.text)
                ),
            )
            for candidate in candidates
        )

    def _way(self, case: Case) -> Way:
        """How a stored case goes on: its whole text is read, for an order may span sentences."""
        return self.passages.way(case.id, f"{case.title}\n\n{case.context}\n\n{case.response}")

    def _answers(self, candidate: Candidate, question: Question) -> list[Candidate]:
        """The candidate first, so that it stays where others are no richer."""
        others = self.search.collection.answers(candidate.passage.id)
        cases = [case for case in others if case.id != candidate.passage.document_id]
        return [
            candidate,
            *(self.search.answered(candidate, c, question) for c in cases[: MAX_ANSWERS - 1]),
        ]

    def _value(self, message: str, question: Question) -> list[NDArray[np.float32]]:
        """What a reason for each step is worth to this person; -inf for steps that do not fit."""
        return [
            np.where(index.fitting(message), index.relevance(question.vector), -np.inf)
            for index in (self.coping, self.goals)
        ]

    def _screen(
        self,
        message: str,
        candidate: Candidate,
        question: Question,
        value: Sequence[NDArray[np.float32]],
    ) -> Screened:
        case = self.search.collection.case(candidate.passage.document_id)
        faults: Counter[str] = Counter()
        kept = []
        for sent_id in range(len(case.sentences)):
            fault = self._fault(case, sent_id, message)
            if fault:
                faults[fault] += 1
            else:
                kept.append(sent_id)
        vectors = self.search.sentence_vectors(case.id)[kept]
        texts = [case.sentences[at].of(case.response) for at in kept]
        worth = [
            (index.scores(texts, vectors) + bonus[:, np.newaxis]).max(axis=0)
            for index, bonus in zip((self.coping, self.goals), value, strict=True)
        ]
        return Screened(
            candidate=candidate,
            case=case,
            sent_ids=tuple(kept),
            vectors=vectors,
            similarity=vectors @ question.vector,
            worth=np.maximum(*worth),
            faults=faults,
        )

    def _fault(self, case: Case, sent_id: int, message: str) -> str | None:
        if fault := self.quotability.fault(case, sent_id, message=message):
            return fault
        hits = self.denylist.hits(case.sentences[sent_id].of(case.response))
        return f"denylist:{hits[0].category}" if hits else None


def _drop(case: Case) -> Drop:
    return Drop(passage_id=case.id, stage="injection", reason="speaks-to-the-machine")


def _bundle(screened: Sequence[Screened], question: Question) -> Evidence:
    snippets: list[Snippet] = []
    rows: list[NDArray[np.float32]] = []
    near: list[float] = []
    for item in screened:
        for at in _picks(item):
            snippet = _snippet(item, at)
            if snippet.text.casefold() not in {s.text.casefold() for s in snippets}:
                snippets.append(snippet)
                rows.append(item.vectors[at])
                near.append(item.candidate.nearness)
    vectors = np.array(rows, np.float32).reshape(len(rows), question.vector.shape[0])
    nearest = max((item.candidate.nearness for item in screened), default=0.0)
    distances = np.float32(nearest) - np.array(near, np.float32)
    dropped = sum((item.faults for item in screened), Counter[str]())
    cases = tuple(item.case for item in screened)
    return Evidence(
        EvidenceBundle(cases=cases, snippets=tuple(snippets)), vectors, distances, dropped
    )


def _picks(item: Screened) -> list[int]:
    """The sentence nearest to the message, if it is near, then the best reasons."""
    first = np.argsort(-item.similarity, kind="stable")[:1]
    nearest = [int(at) for at in first if item.similarity[at] >= NEAR_MESSAGE]
    others = [int(at) for at in np.argsort(-item.worth, kind="stable") if int(at) not in nearest]
    return [*nearest, *others[: PER_CASE - len(nearest)]]


def _snippet(item: Screened, at: int) -> Snippet:
    span = item.case.sentences[item.sent_ids[at]]
    text = span.of(item.case.response)
    return Snippet(
        case_id=item.case.id,
        sent_id=item.sent_ids[at],
        span=span,
        text=text,
        shown=text,
        similarity=float(item.similarity[at]),
    )
