"""Retrieval over one collection of cases: its channels, its pipeline, its sentences."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import isfinite
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from handrail.domain.ranking import Candidate, Ranking, Support
from handrail.domain.scores import Score, ScoreKind
from handrail.domain.text import Case, Passage, Span
from handrail.domain.trace import Tracer
from handrail.errors import HandrailError, ModelFailed, SearchFailed
from handrail.retrieval.channel import ChannelRanking, Hit, ranked
from handrail.retrieval.evidence_fusion import EvidenceFusion
from handrail.retrieval.fusion import RRF_C, Fusion, ReciprocalRank
from handrail.retrieval.pipeline import Pipeline
from handrail.retrieval.question import Question
from handrail.retrieval.scope import Scope, ScopeTest
from handrail.retrieval.stage import Distinct, Diversify, Probe, Settle, Stage, Top, supported
from handrail.retrieval.store import CaseStore

if TYPE_CHECKING:
    from handrail.ports import Matrix, Reading, RowHit, Vector

K1 = 30  # C13: dense depth
K_LEXICAL = 10  # an exact rare word gets a hearing in the pool
N = 10  # C16
M = 3  # C17
MMR_LAMBDA = 0.7  # C19
UNIT_SLACK = 0.01  # of a squared length; float16 weights stay within it

Preset: TypeAlias = Literal["default", "rrf"]


@dataclass(frozen=True, slots=True)
class Found:
    """What one search gave: the ranking, the question as it was embedded, and its scope."""

    ranking: Ranking
    question: Question
    scope: Scope


@dataclass(frozen=True, slots=True)
class Dense:
    """Nearest contexts by cosine."""

    collection: CaseStore
    name: str = "dense"

    def search(self, question: Question, *, k: int) -> ChannelRanking:
        """At most ``k`` distinct contexts."""
        contexts = self.collection.contexts
        found = _sound(contexts.search(question.vector, k=k), contexts.count)
        hits = (Hit(self.collection.context_id(hit.row), hit.score) for hit in found)
        return ranked(self.name, ScoreKind.COSINE, hits)


@dataclass(frozen=True, slots=True)
class Lexical:
    """BM25 over every context of the corpus (resolution 7)."""

    collection: CaseStore
    name: str = "lexical"

    def search(self, question: Question, *, k: int) -> ChannelRanking:
        """At most ``k`` contexts that share a term with the question."""
        lexical = self.collection.lexical
        found = _sound(lexical.search(question.text, k=k), lexical.count)
        hits = (Hit(self.collection.context_id(hit.row), hit.score) for hit in found)
        return ranked(self.name, ScoreKind.BM25, hits)


@dataclass(frozen=True, slots=True)
class CaseSearch:
    """Finds similar cases; one object a collection, safe to share between threads."""

    collection: CaseStore
    read: Callable[[str], Reading]
    scope: ScopeTest
    preset: Preset = "default"
    pipeline: Mapping[str, object] = field(init=False)

    def __post_init__(self) -> None:
        described = {
            "fusion": self.fusion().name,
            "rrf_c": RRF_C,
            "mmr_lambda": MMR_LAMBDA,
            "k1": K1,
            "k_lexical": K_LEXICAL,
            "n": N,
            "m": M,
        }
        object.__setattr__(self, "pipeline", described)

    def fusion(self) -> Fusion:
        """The fusion of the preset."""
        if self.preset == "rrf":
            return ReciprocalRank(self._passage)
        return EvidenceFusion(
            passages=self._passage,
            rows=self.collection.context_row,
            vectors=self.collection.contexts.vectors,
            tokens=self.collection.tokens,
            coverage=self._coverage,
            evidence=self._evidence,
        )

    def search(self, text: str, *, k: int, tracer: Tracer, reading: Reading | None = None) -> Found:
        """The ``k`` most similar distinct cases with their nearest sentences.

        ``reading`` is that of ``text`` where it was read before.
        """
        question = self._embedded(text, tracer, reading)
        stages: tuple[Stage, ...] = (
            Distinct(self._group),  # first, so that many tellings of one case never fill the N
            Top(max(N, k)),
            Probe(self._best_answer),
            Settle(),
            Diversify(self._vectors, k=k, weight=MMR_LAMBDA),
        )
        ranking = self._ranked(question, stages, tracer, depth=max(K1, 3 * k))
        ranking = self._with_similarity(ranking, question)
        with tracer.step("scope") as facts:
            scope = self.scope.judge(question, ranking)
            facts.update(scope.facts)
        return Found(ranking, question, scope)

    def rank(self, text: str, *, depth: int) -> Mapping[str, tuple[str, ...]]:
        """Passage ids by ranking (fused, dense, lexical), each at least ``depth`` deep, for
        evaluation."""
        tracer = Tracer("evaluation")
        question = self._embedded(text, tracer)
        depth = max(depth, K1)
        line = self._pipeline((), depth=depth)
        found = line.find(question, tracer)
        deep = {ranking.channel: _ids(ranking) for ranking in found}
        lexical = Lexical(self.collection).search(question, k=depth)
        fused = self.fusion().fuse(found, question)
        return {
            "fused": tuple(c.passage.id for c in fused.candidates),
            "dense": deep["dense"],
            "lexical": _ids(lexical),
        }

    def answered(self, candidate: Candidate, case: Case, question: Question) -> Candidate:
        """The candidate with ``case`` as the answer to its context, and that answer's support."""
        return supported(_answered(candidate, case), self._nearest(case, question))

    def candidates(self, case_ids: Sequence[str], question: Question) -> tuple[Candidate, ...]:
        """Given cases as candidates, with their nearest sentences; the ids must exist."""
        made = [self._given(case_id, question) for case_id in case_ids]
        return tuple(
            supported(candidate, self._nearest(self._case(candidate), question))
            for candidate in made
        )

    def sentence_vectors(self, case_id: str) -> Matrix:
        """One vector for each sentence of a case's response, in order."""
        return self.collection.sentence_vectors(case_id)

    def _embedded(self, text: str, tracer: Tracer, reading: Reading | None = None) -> Question:
        with tracer.step("embed"):
            reading = reading or self._read(text)
        intent = self.scope.intent(reading.vector)
        return Question(text, reading.vector, intent, reading if len(reading.pieces) else None)

    def _read(self, text: str) -> Reading:
        try:
            reading = self.read(text)
            sound = self._is_unit(reading.vector)
        except HandrailError:
            raise
        except Exception as error:  # noqa: BLE001  a library's own words may quote the text
            raise ModelFailed(
                f"the embedder failed with {type(error).__name__}. Check the embedding settings"
            ) from None
        if not sound:
            raise ModelFailed("the embedder gave no unit vector of its length. Check its settings")
        return reading

    def _is_unit(self, vector: Vector) -> bool:
        """Whether a vector may be compared with the stored ones at all."""
        shape = self.scope.inside.shape[1:]
        return vector.shape == shape and abs(float(vector @ vector) - 1) < UNIT_SLACK

    def _pipeline(self, stages: Sequence[Stage], *, depth: int) -> Pipeline:
        lexical_depth = depth if self.preset == "rrf" else K_LEXICAL
        channels = ((Dense(self.collection), depth), (Lexical(self.collection), lexical_depth))
        return Pipeline(channels, self.fusion(), stages)

    def _ranked(
        self, question: Question, stages: Sequence[Stage], tracer: Tracer, *, depth: int
    ) -> Ranking:
        return self._pipeline(stages, depth=depth).run(question, tracer)

    def _with_similarity(self, ranking: Ranking, question: Question) -> Ranking:
        bare = [c for c in ranking.candidates if c.similarity is None]
        if not bare:
            return ranking
        cosines = self._vectors(ranking.candidates) @ question.vector
        scored = (
            replace(c, similarity=Score(ScoreKind.COSINE, float(cosine)))
            for c, cosine in zip(ranking.candidates, cosines, strict=True)
        )
        return replace(ranking, candidates=tuple(scored))

    def _coverage(self, text: str, rows: Sequence[int]) -> Vector:
        """BM25 as the share of the question's information that each context holds."""
        lexical = self.collection.lexical
        total = max(lexical.information(text), 1e-6)
        shares: Vector = np.asarray(lexical.scores(text, rows), np.float32) / np.float32(total)
        return shares

    def _evidence(self, passage_ids: Sequence[str], question: Question) -> Vector:
        """Mean cosine of the nearest sentences over all answers of each context; 0 without any."""
        means = np.zeros(len(passage_ids), np.float32)
        for at, passage_id in enumerate(passage_ids):
            answers = self.collection.answers(passage_id)
            rows = [self.sentence_vectors(case.id) for case in answers if case.sentences]
            if rows:
                cosines = np.sort(np.concatenate(rows) @ question.vector)
                means[at] = cosines[-M:].mean()
        return means

    def _passage(self, passage_id: str) -> Passage:
        return _context_passage(passage_id, self.collection.first_case(passage_id))

    def _group(self, candidate: Candidate) -> str:
        return self._case(candidate).group or candidate.passage.id

    def _vectors(self, candidates: Sequence[Candidate]) -> Matrix:
        rows = [self.collection.context_row(c.passage.id) for c in candidates]
        return self.collection.contexts.vectors(rows)

    def _case(self, candidate: Candidate) -> Case:
        return self.collection.case(candidate.passage.document_id)

    def _best_answer(self, candidate: Candidate, question: Question) -> Candidate:
        """The answer to this context whose sentences are nearest to the question."""
        found = [
            self.answered(candidate, case, question)
            for case in self.collection.answers(candidate.passage.id)
        ]
        return min(found, key=_by_evidence)

    def _nearest(self, case: Case, question: Question) -> list[Support]:
        if not case.sentences:
            return []
        cosines = self.sentence_vectors(case.id) @ question.vector
        best = np.argsort(-cosines, kind="stable")[:M]
        return [
            Support(
                passage=case.sentence(int(at)), score=Score(ScoreKind.COSINE, float(cosines[at]))
            )
            for at in best
        ]

    def _given(self, case_id: str, question: Question) -> Candidate:
        case = self.collection.case(case_id)
        passage = _context_passage(self.collection.context_of(case_id), case)
        row = self.collection.context_row(passage.id)
        cosine = float((self.collection.contexts.vectors([row]) @ question.vector)[0])
        score = Score(ScoreKind.COSINE, cosine)
        return Candidate(passage=passage, score=score, similarity=score)


def _sound(found: Sequence[RowHit], count: int) -> Sequence[RowHit]:
    """The hits as they are; raises `SearchFailed` for rows that are not there, or no scores."""
    for hit in found:
        if not (0 <= hit.row < count and isfinite(hit.score)):
            raise SearchFailed("an index gave what it does not hold. Run: handrail index verify")
    return found


def _ids(ranking: ChannelRanking) -> tuple[str, ...]:
    return tuple(hit.passage_id for hit in ranking.hits)


def _made_up(case: Case) -> dict[str, str]:
    """The mark of a case that nobody lived, where its record bears one."""
    mark = case.metadata.get("synthetic", "").lower()
    return {"synthetic": "true"} if mark == "true" else {}


def _context_passage(context_id: str, case: Case) -> Passage:
    return Passage(
        id=context_id,
        document_id=case.id,
        text=case.context,
        span=Span(0, len(case.context)),
        metadata={"title": case.title, **_made_up(case)},
    )


def _answered(candidate: Candidate, case: Case) -> Candidate:
    return replace(candidate, passage=replace(candidate.passage, document_id=case.id))


def _by_evidence(candidate: Candidate) -> tuple[float, str]:
    evidence = candidate.evidence.value if candidate.evidence else -1.0
    return (-evidence, candidate.passage.document_id)
