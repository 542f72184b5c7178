"""BM25 reaches what is published for it; needs the third-party sets."""

from __future__ import annotations

import csv
import gzip
import json
import math
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import mean, median

import pytest

from handrail.adapters.bm25s import Bm25

Judged = dict[str, dict[str, int]]


def rows(path: Path) -> list[dict[str, str]]:
    raw = path.read_bytes()
    raw = gzip.decompress(raw) if path.suffix == ".gz" else raw
    return [json.loads(line) for line in raw.splitlines()]


def judgements(path: Path) -> Judged:
    found: Judged = {}
    for query, document, grade in list(csv.reader(path.read_text().splitlines(), "excel-tab"))[1:]:
        found.setdefault(query, {})[document] = int(grade)
    return found


def ndcg(ranked: Sequence[str], judged: Mapping[str, int], k: int = 10) -> float:
    """Normalised discounted cumulative gain (Järvelin and Kekäläinen 2002), linear gain."""
    gains = [judged.get(document, 0) for document in ranked[:k]]
    ideal = sorted(judged.values(), reverse=True)[:k]
    return _discounted(gains) / _discounted(ideal)


def _discounted(gains: Sequence[int]) -> float:
    return sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, start=1))


@pytest.mark.parametrize(
    ("corpus", "queries", "expected"),
    [
        ("scifact/corpus.jsonl.gz", "scifact/queries.test.jsonl", 0.677),
        ("cranfield/corpus.jsonl", "cranfield/queries.jsonl", 0.385),
    ],
    ids=["scifact", "cranfield"],
)
def test_c14_ndcg_is_that_of_the_published_baseline(
    shared_data: Callable[[str], Path], tmp_path: Path, corpus: str, queries: str, expected: float
) -> None:
    documents = rows(shared_data(corpus))
    judged = judgements(shared_data(corpus).parent / "qrels" / "test.tsv")
    format = Bm25()
    format.write([f"{row['title']} {row['text']}" for row in documents], tmp_path / "lexical")
    index = format.read(tmp_path / "lexical")
    scores, seconds = [], []
    for query in (query for query in rows(shared_data(queries)) if query["_id"] in judged):
        begun = time.perf_counter()
        hits = index.search(query["text"], k=10)
        seconds.append(time.perf_counter() - begun)
        ranked = [documents[hit.row]["_id"] for hit in hits]
        scores.append(ndcg(ranked, judged[query["_id"]]))
    assert mean(scores) == pytest.approx(expected, abs=0.01)
    assert median(seconds) < 0.005
