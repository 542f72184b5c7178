"""C2, C13-C20, C55, C60: search over a small corpus, with the real embedder."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from handrail.bootstrap import build_engine
from handrail.domain.scores import ScoreKind
from handrail.domain.trace import Tracer
from handrail.engine import Engine
from handrail.errors import ModelFailed
from handrail.ports import Reading, RowHit
from handrail.retrieval import CaseSearch, Found
from handrail.retrieval.search import K1, K_LEXICAL, MMR_LAMBDA, M, N, Preset
from handrail.settings import Settings
from handrail.testing.hash_embedder import HashEmbedder
from invented_corpus import BREATHE, CASES, EXAM, FRIEND, INVENTED, SLEEP, WALK, write_corpus
from wrapping import Wrapping

MESSAGE = "My boss shouts at me and I feel worthless and anxious every morning"
PRESETS: tuple[Preset, ...] = ("default", "rrf")


@pytest.fixture(params=PRESETS)
def search(request: pytest.FixtureRequest, invented: Engine) -> CaseSearch:
    return replace(invented.searcher(INVENTED), preset=request.param)


def find(search: CaseSearch, text: str = MESSAGE, *, k: int = 3) -> Found:
    return search.search(text, k=k, tracer=Tracer("test"))


def titles(found: Found) -> list[str]:
    return [c.passage.metadata["title"] for c in found.ranking.candidates]


def test_c2_c20_a_concern_gives_three_cases_with_their_quotes(search: CaseSearch) -> None:
    found = find(search)
    assert len(found.ranking.candidates) == 3
    assert titles(found)[0] == "Worthless at work"
    for candidate in found.ranking.candidates:
        case = search.collection.case(candidate.passage.document_id)
        assert candidate.passage.text == case.context
        assert 1 <= len(candidate.support) <= M
        for support in candidate.support:
            span = support.passage.span
            assert case.response[span.start : span.end] == support.passage.text
            assert case.sentences[int(support.passage.metadata["sent_id"])] == span


def test_c17_c18_the_quotes_are_the_nearest_sentences_and_their_mean_is_the_evidence(
    search: CaseSearch,
) -> None:
    found = find(search)
    for candidate in found.ranking.candidates:
        case_id = candidate.passage.document_id
        cosines = sorted(search.sentence_vectors(case_id) @ found.question.vector, reverse=True)
        shown = [support.score.value for support in candidate.support]
        assert shown == pytest.approx(cosines[:M])
        assert candidate.evidence is not None
        assert candidate.evidence.value == pytest.approx(sum(shown) / len(shown))


def test_c13_c16_c17_c19_c60_the_constants_of_the_contract_are_those_in_use(
    invented: Engine,
) -> None:
    assert (K1, N, M, MMR_LAMBDA) == (30, 10, 3, 0.7)
    pipeline = invented.searcher(INVENTED).pipeline
    assert {key: pipeline[key] for key in ("rrf_c", "mmr_lambda", "k1", "n", "m")} == {
        "rrf_c": 60,
        "mmr_lambda": 0.7,
        "k1": 30,
        "n": 10,
        "m": 3,
    }


def watched(search: CaseSearch, asked: list[tuple[str, int]]) -> CaseSearch:
    """The same search, noting which index was searched and how deep."""

    def spied(name: str, index: Any) -> Wrapping:
        def search(question: object, *, k: int) -> Sequence[RowHit]:
            asked.append((name, k))
            return index.search(question, k=k)

        return Wrapping(index, search=search)

    store = search.collection
    changed = Wrapping(
        store, contexts=spied("dense", store.contexts), lexical=spied("lexical", store.lexical)
    )
    return replace(search, collection=changed)


def test_c13_c14_dense_looks_thirty_deep_and_lexical_over_the_whole_corpus(
    search: CaseSearch,
) -> None:
    """Resolution 7: the lexical channel is asked about every context, not about a shortlist."""
    asked: list[tuple[str, int]] = []
    find(watched(search, asked))
    assert asked == [("dense", K1), ("lexical", K1 if search.preset == "rrf" else K_LEXICAL)]
    assert search.collection.lexical.count == search.collection.contexts.count == 15


def test_more_cases_than_usual_are_searched_for_more_deeply(search: CaseSearch) -> None:
    asked: list[tuple[str, int]] = []
    found = find(watched(search, asked), k=14)
    assert asked[0] == ("dense", 42)
    assert len(found.ranking.candidates) == 14


def test_c14_an_exact_rare_word_is_heard_where_meaning_finds_nothing(search: CaseSearch) -> None:
    """Resolution 7: the lexical channel adds cases that the dense one does not have."""
    store = search.collection
    blind = Wrapping(store, contexts=Wrapping(store.contexts, search=lambda vector, *, k: []))
    found = find(replace(search, collection=blind), "thyroid").ranking.candidates
    assert [c.passage.metadata["title"] for c in found] == ["Only medicine"]
    assert [(hit.channel, hit.rank) for hit in found[0].hits] == [("lexical", 1)]
    assert found[0].similarity is not None


def test_c16_ten_candidates_are_looked_into_and_three_are_chosen(search: CaseSearch) -> None:
    tracer = Tracer("test")
    search.search(MESSAGE, k=3, tracer=tracer)
    counts = {step.name: step.facts.get("candidates") for step in tracer.steps}
    assert (counts["top"], counts["probe"], counts["mmr"]) == (N, N, 3)


def test_the_trace_has_every_stage_in_order(search: CaseSearch) -> None:
    tracer = Tracer("test")
    search.search(MESSAGE, k=3, tracer=tracer)
    assert [step.name for step in tracer.steps] == [
        *("embed", "search_dense", "search_lexical", "fuse"),
        *("distinct", "top", "probe", "settle", "mmr", "scope"),
    ]
    fused = next(step for step in tracer.steps if step.name == "fuse")
    assert fused.facts["fusion"] == {"default": "evidence.v1", "rrf": "rrf.v1"}[search.preset]


def test_every_candidate_carries_its_channels_and_every_drop_its_reason(
    search: CaseSearch,
) -> None:
    found = find(search)
    kept, dropped = found.ranking.candidates, found.ranking.dropped
    assert all(c.hit("dense") is not None for c in kept)
    for candidate in kept:
        for hit in candidate.hits:
            assert hit.rank >= 1
            assert (
                hit.score.kind
                is {"dense": ScoreKind.COSINE, "lexical": ScoreKind.BM25}[hit.channel]
            )
    assert len(kept) + len(dropped) == 15
    assert {drop.stage for drop in dropped} == {"distinct", "top", "mmr"}
    assert all(drop.reason for drop in dropped)


def test_the_public_score_is_the_cosine_to_the_question(search: CaseSearch) -> None:
    """Resolution 1: what people see is a cosine, whatever the fusion ranks by."""
    found = find(search)
    vectors = search.collection.contexts
    for candidate in found.ranking.candidates:
        row = search.collection.context_row(candidate.passage.id)
        cosine = float((vectors.vectors([row]) @ found.question.vector)[0])
        assert candidate.similarity is not None
        assert candidate.similarity.kind is ScoreKind.COSINE
        assert candidate.similarity.value == pytest.approx(cosine, abs=1e-6)


def test_c55_two_tellings_of_one_concern_never_come_together(search: CaseSearch) -> None:
    found = find(search, EXAM, k=14)
    named = titles(found)
    assert ("Worry before exams" in named) != ("Worry before my exams" in named)
    assert len(named) == 14
    gone = [drop for drop in found.ranking.dropped if drop.stage == "distinct"]
    assert [drop.reason for drop in gone] == ["same as a better one"]


@pytest.mark.parametrize("said", [SLEEP, BREATHE])
def test_c17_of_two_answers_to_one_context_the_nearer_one_is_shown(
    search: CaseSearch, said: str
) -> None:
    found = find(search, f"{EXAM} {said}", k=14)
    shown = {c.passage.id: c.passage.document_id for c in found.ranking.candidates}
    context = next(c for c in shown if len(search.collection.answers(c)) == 2)
    answers = {
        float(np.sort(search.sentence_vectors(case.id) @ found.question.vector)[-M:].mean()): case
        for case in search.collection.answers(context)
    }
    assert shown[context] == answers[max(answers)].id


def test_the_same_question_twice_gives_the_same_ranking(search: CaseSearch) -> None:
    first, second = find(search), find(search)
    assert first.ranking == second.ranking
    assert first.scope == second.scope


def test_c53_some_queries_pass_the_floor_and_some_do_not(search: CaseSearch) -> None:
    """Resolution 1: with the documented floor on a fused score every query would be refused."""
    passing = find(search).scope
    failing = find(search, "7 x 8 = ? and the capital of Peru").scope
    assert passing.refusal is None
    assert failing.refusal is not None
    floor = passing.facts["top1_floor"]
    assert failing.facts["top1_similarity"] < floor <= passing.facts["top1_similarity"]
    assert failing.facts["scope"] < passing.facts["scope_floor"] <= passing.facts["scope"]


def test_given_cases_become_candidates_with_their_nearest_sentences(search: CaseSearch) -> None:
    question = find(search).question
    ids = [case.id for case in search.collection.cases][3:5]
    made = search.candidates(ids, question)
    assert [c.passage.document_id for c in made] == ids
    assert [len(c.support) for c in made] == [3, 3]


def test_the_evaluation_ranking_is_the_one_that_search_begins_with(search: CaseSearch) -> None:
    ranks = search.rank(MESSAGE, depth=5)
    assert set(ranks) == {"fused", "dense", "lexical"}
    assert len(ranks["dense"]) == 15
    best = find(search).ranking.candidates[0]
    assert ranks["fused"][0] == best.passage.id


class Broken:
    """Reading fails, in words that quote the text."""

    def __init__(self, error: Exception) -> None:
        self.error = error

    def __call__(self, text: str) -> Reading:
        raise self.error


def test_an_embedder_that_breaks_is_a_typed_error_without_the_text(search: CaseSearch) -> None:
    broken = replace(search, read=Broken(ValueError(f"cannot embed {MESSAGE}")))
    with pytest.raises(ModelFailed) as caught:
        find(broken)
    assert MESSAGE not in str(caught.value)
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__


def test_an_embedder_that_says_what_is_wrong_is_not_reworded(search: CaseSearch) -> None:
    broken = replace(search, read=Broken(ModelFailed("the server is down")))
    with pytest.raises(ModelFailed, match="the server is down"):
        find(broken)


ONE_CONCERN = (
    "My neighbour plays loud music every single night and I feel angry and helpless about it"
)


@pytest.fixture(scope="module")
def crowded(tmp_path_factory: pytest.TempPathFactory) -> CaseSearch:
    """Twenty tellings of one concern and three others, under another embedder without tokens."""
    home = tmp_path_factory.mktemp("crowded")
    tellings = [("", f"{ONE_CONCERN}{mark}", f"{WALK} {mark * 9}") for mark in _marks(20)]
    others = [("", context, FRIEND) for _, context, _ in CASES[3:6]]
    engine = build_engine(Settings(home=home), embedder=HashEmbedder())
    engine.add(write_corpus(home / "c.ndjson", [*tellings, *others]), collection="crowded")
    return engine.searcher("crowded")


def _marks(count: int) -> list[str]:
    return [chr(ord("a") + at) for at in range(count)]


@pytest.mark.parametrize("preset", PRESETS)
def test_c2_c55_many_tellings_of_one_case_leave_room_for_two_others(
    crowded: CaseSearch, preset: Preset
) -> None:
    found = find(replace(crowded, preset=preset), ONE_CONCERN)
    groups = {
        crowded.collection.case(c.passage.document_id).group for c in found.ranking.candidates
    }
    assert len(found.ranking.candidates) == len(groups) == 3


def test_an_embedder_without_tokens_ranks_by_the_rest(crowded: CaseSearch) -> None:
    found = find(crowded, ONE_CONCERN)
    assert found.question.reading is None
    assert crowded.collection.tokens is None
    assert set(found.ranking.candidates[0].parts) == {"cosine", "evidence", "coverage"}
    assert np.isfinite([c.score.value for c in found.ranking.candidates]).all()
