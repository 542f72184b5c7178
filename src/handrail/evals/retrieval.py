"""Does search find the judged cases: the whole pipeline, and each channel alone beside it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from handrail.domain.trace import Tracer
from handrail.engine import Engine
from handrail.errors import InvalidInput
from handrail.evals import metrics
from handrail.evals.banks import Grades, Query, read_judgements, read_queries
from handrail.evals.intervals import Estimate, mean, share
from handrail.evals.labels import Labels
from handrail.evals.scorecard import Scorecard
from handrail.retrieval import CaseSearch

K = 3  # C2: the cases that a concern gets
GROUPS = metrics.DEPTH
FIRST_DEPTH = 30  # C13: as deep as the pipeline itself reads
CHANNELS = ("dense", "lexical")
FUSED = "fused"
HIT = "hit_at_3"

Progress = Callable[[int, int], None]
Figures = Mapping[str, float]


def silent(done: int, total: int) -> None:
    """Report no progress."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A query with the grades of its judged ids, at least one of them above 0."""

    query: Query
    grades: Grades

    @property
    def relevant(self) -> frozenset[str]:
        """The ids whose grade is above 0."""
        return frozenset(id for id, grade in self.grades.items() if grade > 0)


def run_retrieval(
    engine: Engine,
    *,
    collection: str,
    queries: Path,
    qrels: Path,
    group_by: str | None = None,
    progress: Progress = silent,
) -> Scorecard:
    """Measure search over ``collection``; ``progress`` is told after each query.

    ``group_by`` names the metadata field whose values the judgements hold; without it they hold ids
    of the source, or of cases. Raises `InvalidInput` or `NotFound` for files that cannot be used,
    and what opening the collection raises.
    """
    asked, judgements = read_queries(queries), read_judgements(qrels)
    search = engine.searcher(collection)
    labels = Labels.of(search.collection, group_by)
    judged = _judged(asked, judgements)
    unknown = _unknown(judged, labels, collection)
    measured = []
    for done, item in enumerate(judged, start=1):
        measured.append(_measure(search, labels, item))
        progress(done, len(judged))
    return Scorecard(
        suite="retrieval",
        collection=search.collection.pin(),
        pipeline=search.pipeline,
        decider=None,
        metrics=_estimates(measured),
        counts=_counts(asked, judgements, judged, unknown),
        misses={HIT: _missed(judged, measured)},
    )


def _counts(
    asked: Sequence[Query],
    judgements: Mapping[str, Grades],
    judged: Sequence[Judged],
    unknown: frozenset[str],
) -> dict[str, int]:
    without = sum(query.id not in judgements for query in asked)
    return {
        "queries": len(asked),
        "queries_evaluated": len(judged),
        "queries_without_judgements": without,
        "queries_without_relevant": len(asked) - without - len(judged),
        "judged_ids_not_in_collection": len(unknown),
    }


def _missed(judged: Sequence[Judged], measured: Sequence[Mapping[str, Figures]]) -> tuple[str, ...]:
    pairs = zip(judged, measured, strict=True)
    return tuple(item.query.id for item, found in pairs if not found[FUSED][HIT])


def _judged(asked: Sequence[Query], judgements: Mapping[str, Grades]) -> tuple[Judged, ...]:
    found = (Judged(query, judgements.get(query.id, {})) for query in asked)
    judged = tuple(item for item in found if item.relevant)
    if not judged:
        raise InvalidInput("no query has a judgement above 0. Do the two files belong together?")
    return judged


def _unknown(judged: Sequence[Judged], labels: Labels, collection: str) -> frozenset[str]:
    """Relevant ids that no case goes by; all of them would mean another corpus."""
    wanted = frozenset(id for item in judged for id in item.relevant)
    unknown = wanted - labels.known
    if unknown == wanted:
        raise InvalidInput(
            f"none of the judged ids is in the collection {collection!r}. "
            "Give --group-by FIELD where they are values of a metadata field"
        )
    return unknown


def _measure(search: CaseSearch, labels: Labels, item: Judged) -> Mapping[str, Figures]:
    """The figures of one query for the pipeline and for each channel."""
    rankings = deep_rankings(search, labels, item.query.text)
    figures = {name: _figures(ranking, item) for name, ranking in rankings.items()}
    returned = three_cases(search, labels, item.query.text)
    figures[FUSED] = {**figures[FUSED], HIT: metrics.hit(returned, item.relevant, k=K)}
    return figures


def three_cases(search: CaseSearch, labels: Labels, text: str) -> tuple[str, ...]:
    """The labels of the cases that the whole pipeline returns."""
    found = search.search(text, k=K, tracer=Tracer("evaluation"))
    return labels.cases(c.passage.document_id for c in found.ranking.candidates)


def deep_rankings(search: CaseSearch, labels: Labels, text: str) -> Mapping[str, tuple[str, ...]]:
    """Labels ranked by the fusion and by each channel, read until ten differ or none are left."""
    depth = FIRST_DEPTH
    while True:
        found = search.rank(text, depth=depth)
        rankings = {name: labels.ranking(ids) for name, ids in found.items()}
        if all(len(rankings[name]) >= GROUPS or len(found[name]) < depth for name in found):
            return rankings
        depth *= 2


def _figures(ranking: Sequence[str], item: Judged) -> Figures:
    return {
        HIT: metrics.hit(ranking, item.relevant, k=K),
        "recall_at_10": metrics.recall(ranking, item.relevant),
        "ndcg_at_10": metrics.ndcg(ranking, item.grades),
        "mrr": metrics.reciprocal_rank(ranking, item.relevant),
    }


def _estimates(measured: Sequence[Mapping[str, Figures]]) -> dict[str, Estimate]:
    """Every figure; ``vs_`` is the fused figure less the channel's, paired by query."""
    columns = {
        name: {figure: [m[name][figure] for m in measured] for figure in measured[0][name]}
        for name in (FUSED, *CHANNELS)
    }
    found = {figure: _estimate(figure, values) for figure, values in columns[FUSED].items()}
    for name in CHANNELS:
        for figure, values in columns[name].items():
            gains = [
                ours - theirs for ours, theirs in zip(columns[FUSED][figure], values, strict=True)
            ]
            found[f"{name}.{figure}"] = _estimate(figure, values)
            found[f"vs_{name}.{figure}"] = mean(gains)
    return found


def _estimate(figure: str, values: Sequence[float]) -> Estimate:
    return share(round(sum(values)), len(values)) if figure == HIT else mean(values)
