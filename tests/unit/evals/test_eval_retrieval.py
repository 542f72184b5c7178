"""Measuring retrieval: over a small real index, and over rankings made up for the purpose."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import pytest
from evals_sample import write_rows

from handrail.engine import Engine
from handrail.errors import InvalidInput
from handrail.evals import Scorecard, run_retrieval
from handrail.evals.labels import Labels
from handrail.evals.retrieval import deep_rankings

FIGURES = {"hit_at_3", "recall_at_10", "ndcg_at_10", "mrr"}


@pytest.fixture
def queries(tmp_path: Path) -> Path:
    return write_rows(
        tmp_path / "queries.jsonl",
        {"_id": "a", "text": "I cannot sleep at night"},
        {"_id": "b", "text": "My sister argues with me at dinner"},
        {"_id": "unjudged", "text": "I panic before the exam"},
        {"_id": "nothing", "text": "My colleagues ignore me"},
    )


@pytest.fixture
def qrels(tmp_path: Path) -> Path:
    path = tmp_path / "qrels.tsv"
    path.write_text(
        "query-id\tcorpus-id\tscore\na\ts1\t2\na\ts2\t1\nb\tq1\t1\nb\tgone\t1\nnothing\tw1\t0\n"
    )
    return path


@pytest.fixture
def measured(engine: Engine, queries: Path, qrels: Path) -> Scorecard:
    return run_retrieval(engine, collection="small", queries=queries, qrels=qrels)


def test_every_ranking_has_every_figure_by_a_flat_name(measured: Scorecard) -> None:
    prefixes = ["", "dense.", "lexical.", "vs_dense.", "vs_lexical."]
    assert measured.metrics.keys() == {p + figure for p in prefixes for figure in FIGURES}
    body = cast("dict[str, Any]", measured.to_json())
    assert body["metrics"]["hit_at_3"] == {
        "value": 1.0,
        "low": pytest.approx(0.158114, abs=1e-6),
        "high": 1.0,
        "n": 2,
    }


def test_queries_without_judgements_are_left_out_and_counted(measured: Scorecard) -> None:
    assert measured.counts == {
        "queries": 4,
        "queries_evaluated": 2,
        "queries_without_judgements": 1,
        "queries_without_relevant": 1,
        "judged_ids_not_in_collection": 1,
    }


def test_a_judged_case_that_is_not_there_costs_recall(measured: Scorecard) -> None:
    assert measured.metrics["recall_at_10"].value == pytest.approx((1 + 0.5) / 2)


def test_the_figure_of_a_channel_is_the_fused_one_less_the_gain(measured: Scorecard) -> None:
    for figure in FIGURES:
        values = [measured.metrics[p + figure].value or 0 for p in ("", "dense.", "vs_dense.")]
        assert values[0] == pytest.approx(values[1] + values[2])


def test_c60_the_scorecard_pins_the_corpus_and_the_constants(
    engine: Engine, measured: Scorecard
) -> None:
    constants = {"rrf_c": 60, "mmr_lambda": 0.7, "k1": 30, "n": 10, "m": 3}
    assert constants.items() <= dict(measured.pipeline).items()
    assert measured.collection["checksum"] == engine.library.open("small").manifest.checksum


def test_groups_are_judged_by_the_values_of_their_field(
    engine: Engine, queries: Path, tmp_path: Path
) -> None:
    qrels = tmp_path / "grouped.tsv"
    qrels.write_text("a\tsleep\t1\n")
    found = run_retrieval(
        engine, collection="small", queries=queries, qrels=qrels, group_by="topic"
    )
    assert found.metrics["mrr"].value == 1
    assert found.metrics["dense.recall_at_10"].value == 1


def test_c66_a_miss_is_listed_and_lowers_the_figure(
    engine: Engine, queries: Path, tmp_path: Path
) -> None:
    qrels = tmp_path / "wrong.tsv"
    qrels.write_text("a\ts1\t1\nb\tgone\t1\n")
    found = run_retrieval(engine, collection="small", queries=queries, qrels=qrels)
    assert found.metrics["hit_at_3"].value == 0.5
    assert found.misses == {"hit_at_3": ("b",)}


def test_progress_is_told_after_each_query(engine: Engine, queries: Path, qrels: Path) -> None:
    told: list[tuple[int, int]] = []
    run_retrieval(
        engine,
        collection="small",
        queries=queries,
        qrels=qrels,
        progress=lambda done, total: told.append((done, total)),
    )
    assert told == [(1, 2), (2, 2)]


def test_judgements_of_another_corpus_are_refused(
    engine: Engine, queries: Path, tmp_path: Path
) -> None:
    qrels = tmp_path / "other.tsv"
    qrels.write_text("a\tsleep\t1\n")
    with pytest.raises(InvalidInput, match="--group-by FIELD"):
        run_retrieval(engine, collection="small", queries=queries, qrels=qrels)
    qrels.write_text("z\ts1\t1\n")
    with pytest.raises(InvalidInput, match="no query has a judgement above 0"):
        run_retrieval(engine, collection="small", queries=queries, qrels=qrels)


@dataclass
class Shelf:
    """Rankings over many contexts that are few groups; remembers how deep it was read."""

    contexts: int
    depths: list[int] = field(default_factory=list)

    def rank(self, text: str, *, depth: int) -> Mapping[str, tuple[str, ...]]:
        """The first contexts in order; the lexical channel knows two."""
        self.depths.append(depth)
        ids = tuple(str(at) for at in range(min(depth, self.contexts)))
        return {"fused": ids, "dense": ids, "lexical": ids[:2]}


def labels_in_twelves(contexts: int) -> Labels:
    """Twelve contexts a group."""
    return Labels({}, {str(at): (f"g{at // 12}",) for at in range(contexts)})


@pytest.mark.parametrize(
    ("contexts", "depths", "groups"), [(500, [30, 60, 120], 10), (40, [30, 60], 4)]
)
def test_rankings_are_read_until_ten_groups_or_none_are_left(
    contexts: int, depths: list[int], groups: int
) -> None:
    shelf = Shelf(contexts)
    found = deep_rankings(cast("Any", shelf), labels_in_twelves(contexts), "x")
    assert shelf.depths == depths
    assert found["fused"] == tuple(f"g{at}" for at in range(groups))
    assert found["lexical"] == ("g0",)
