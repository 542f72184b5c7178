"""Building, adding, opening: with plain formats and an embedder that counts."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from corpus_sample import CASES, PLAIN, CountingEmbedder, case

from handrail.corpus.build import BuildReport, Standing, build
from handrail.corpus.collection import Collection
from handrail.corpus.library import Library
from handrail.corpus.pool import Progress, Watch
from handrail.corpus.reading import context_text, sentence_texts
from handrail.domain.text import Case, Span
from handrail.errors import IndexNotReady, InvalidInput, NotFound, UnreadableFile
from handrail.testing.hash_embedder import HashEmbedder


def built(library: Library, *cases: Case, name: str = "main", **options: object) -> BuildReport:
    made: BuildReport = build(
        library.home,
        name,
        cases,
        embedder=library.embedder,
        formats=library.formats,
        **options,  # type: ignore[arg-type]
    )
    return made


@pytest.fixture
def opened(library: Library) -> Collection:
    built(library, *CASES)
    return library.open("main")


def test_c39_the_report_counts(library: Library) -> None:
    report = built(library, *CASES, CASES[0])
    assert (report.records, report.added, report.model) == (4, 4, "testing/counting")
    assert (report.dim, report.exact_duplicates, report.near_duplicates) == (32, 1, 0)
    assert report.embedded == 3 + 6
    assert report.changed
    assert report.build_ms >= 0


def test_c8_a_context_has_one_vector_however_many_answers(opened: Collection) -> None:
    assert opened.contexts.count == opened.lexical.count == 3
    embedder = CountingEmbedder()
    for row in range(3):
        first = opened.first_case(opened.context_id(row))
        assert np.array_equal(
            opened.contexts.vectors([row])[0], embedder.embed_query(context_text(first))
        )
        assert opened.context_row(opened.context_id(row)) == row


def test_c9_sentences_lie_in_case_order_with_their_vectors(opened: Collection) -> None:
    embedder = CountingEmbedder()
    for found in opened.cases:
        vectors = opened.sentence_vectors(found.id)
        assert np.array_equal(vectors, embedder.embed_documents(sentence_texts(found)))


def test_c64_sentences_are_spans_of_the_response(opened: Collection) -> None:
    texts = [[span.of(found.response) for span in found.sentences] for found in opened.cases]
    assert texts == [
        ["Sleep comes late.", "Keep the phone away!"],
        ["Write to her first.", "Keep it short."],
        ["Walk in the evening, e.g. by the river."],
        ["Set an end to the day."],
    ]


def test_c10_the_sentence_list_says_what_each_row_is(opened: Collection, library: Library) -> None:
    folder = library.home / "collections" / "main" / opened.manifest.checksum[:12]
    lines = (folder / "sent_manifest.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    assert len(rows) == opened.sentences.index.count == 6
    for row in rows:
        found = opened.case(row["case_id"])
        assert found.sentences[row["sent_id"]] == Span(row["start"], row["end"])
        assert found.response[row["start"] : row["end"]] == row["sentence"]


def test_c68_cases_are_found_by_their_ids(opened: Collection) -> None:
    for made in CASES:
        found = opened.by_id(made.id)
        assert found is not None
        assert replace(found, group="", sentences=()) == made
    assert opened.by_id("nobody") is None
    with pytest.raises(NotFound, match=r"'nobody'.*'main'"):
        opened.case("nobody")
    with pytest.raises(NotFound):
        opened.sentence_vectors("nobody")


def test_answers_share_their_context(opened: Collection) -> None:
    context = opened.context_of(CASES[2].id)
    assert [found.id for found in opened.answers(context)] == [CASES[0].id, CASES[2].id]
    assert opened.first_case(context).id == CASES[0].id


def test_cases_are_a_sequence(opened: Collection) -> None:
    assert len(opened.cases) == 4
    assert opened.cases[-1].id == CASES[3].id
    assert [c.id for c in opened.cases[1:3]] == [CASES[1].id, CASES[2].id]
    assert opened.cases[0] is opened.cases[0]
    with pytest.raises(IndexError):
        opened.cases[4]


def test_token_vectors_are_those_of_the_embedder(opened: Collection) -> None:
    assert opened.tokens is not None
    embedder = CountingEmbedder()
    for row in range(3):
        text = context_text(opened.first_case(opened.context_id(row)))
        pieces, tokens = opened.tokens.block(row)
        assert np.array_equal(pieces, embedder.read([text])[0].pieces)
        assert np.array_equal(tokens, embedder.read([text])[0].tokens)


def test_rare_pieces_weigh_more_and_markers_nothing(opened: Collection) -> None:
    assert opened.tokens is not None
    embedder = CountingEmbedder()
    piece = {w: int(embedder.read([w])[0].pieces[1]) for w in ("i", "exams", "unheard")}
    idf = opened.tokens.idf
    assert idf[piece["i"]] < idf[piece["exams"]] < idf[piece["unheard"]]
    assert list(idf[:2]) == [0, 0]


def test_an_embedder_without_token_vectors_is_enough(library: Library) -> None:
    plain = replace(library, embedder=HashEmbedder(16))
    built(plain, *CASES)
    opened = plain.open("main")
    assert opened.tokens is None
    assert opened.contexts.count == 3


@pytest.mark.parametrize("text", ["?", "-----", "a"])
def test_a_corpus_of_one_case_can_be_indexed(library: Library, text: str) -> None:
    built(library, case(text, text))
    opened = library.open("main")
    assert (len(opened.cases), opened.sentences.index.count) == (1, int(text == "a"))


def test_nothing_to_index_is_said(library: Library) -> None:
    with pytest.raises(InvalidInput, match="handrail index add"):
        built(library)
    built(library, *CASES)
    with pytest.raises(InvalidInput, match="handrail index add"):
        built(library, standing=Standing.DISCARD)


def test_a_file_that_cannot_be_read_leaves_no_collection(library: Library, tmp_path: Path) -> None:
    (tmp_path / "a.ndjson").write_text("rubbish", encoding="utf-8")
    with pytest.raises(UnreadableFile):
        library.add([tmp_path / "a.ndjson"], "main")
    assert library.list() == ()


def test_adding_embeds_only_what_is_new(library: Library) -> None:
    built(library, *CASES[:2])
    assert isinstance(library.embedder, CountingEmbedder)
    library.embedder.asked.clear()
    report = built(library, *CASES)
    assert (report.records, report.added, report.exact_duplicates) == (4, 2, 2)
    assert sorted(library.embedder.asked) == [
        "Set an end to the day.",
        "Walk in the evening, e.g. by the river.",
        "Work follows me home.",
    ]
    assert report.embedded == 3


def test_c68_the_way_to_an_index_leaves_no_trace_in_it(library: Library) -> None:
    at_once = built(library, *CASES, name="one").manifest
    for made in CASES:
        built(library, made, name="two")
    assert library.open("two").manifest == at_once


def test_adding_the_same_again_changes_nothing(library: Library) -> None:
    first = built(library, *CASES)
    before = sorted((library.home / "collections" / "main").rglob("*"))
    times = [path.stat().st_mtime_ns for path in before]
    again = built(library, *CASES)
    assert (again.changed, again.added, again.embedded) == (False, 0, 0)
    assert again.manifest == first.manifest
    assert [path.stat().st_mtime_ns for path in before if path.name != "lock"] == [
        time for path, time in zip(before, times, strict=True) if path.name != "lock"
    ]


def test_discarding_begins_with_nothing(library: Library) -> None:
    built(library, *CASES)
    report = built(library, CASES[1], standing=Standing.DISCARD)
    assert report.records == 1
    assert [found.id for found in library.open("main").cases] == [CASES[1].id]


def test_rebuilding_makes_the_same_index_anew(library: Library) -> None:
    first = built(library, *CASES)
    report = library.rebuild("main")
    assert report.manifest == first.manifest
    assert report.embedded == first.embedded
    assert library.open("main").manifest == first.manifest


def test_rebuilding_changes_the_model(library: Library) -> None:
    built(library, *CASES)
    other = replace(library, embedder=CountingEmbedder("testing/other"))
    report = other.rebuild("main")
    assert report.model == "testing/other"
    assert len(other.open("main").cases) == 4


def test_old_indexes_are_deleted_after_the_swap(library: Library) -> None:
    built(library, *CASES[:1])
    report = built(library, *CASES)
    names = {path.name for path in (library.home / "collections" / "main").iterdir()}
    assert names == {report.manifest.checksum[:12], "current", "lock"}


def test_an_open_collection_outlives_its_index(library: Library) -> None:
    built(library, *CASES[:2])
    opened = library.open("main")
    built(library, *CASES)
    assert np.isfinite(opened.sentence_vectors(CASES[1].id)).all()
    assert opened.lexical.search("sister", k=1)


def test_progress_runs_to_the_end_and_time_left_to_zero(library: Library) -> None:
    seen: list[Progress] = []
    clock = iter(range(1_000))
    watch = Watch(progress=seen.append, clock=lambda: float(next(clock)))
    many = [case(f"context number {n}", f"Answer number {n}.") for n in range(200)]
    built(library, *many, watch=watch)
    assert [step.total for step in seen] == [400] * 4
    assert [step.done for step in seen] == [128, 200, 328, 400]
    assert seen[-1].seconds_left == 0
    left = [step.seconds_left for step in seen]
    assert all(step.rate > 0 for step in seen)
    assert left == sorted(left, reverse=True)


def test_what_was_embedded_before_a_stop_is_kept(library: Library) -> None:
    many = [case(f"context number {n}", f"Answer number {n}.") for n in range(200)]
    seen: list[Progress] = []
    watch = Watch(progress=seen.append, cancelled=lambda: len(seen) == 2)
    with pytest.raises(IndexNotReady, match="same command"):
        built(library, *many, watch=watch)
    assert not library.exists("main")
    assert built(library, *many).embedded == 200
    assert not (library.home / "collections" / "main" / "journal").exists()


def test_an_exception_in_the_model_loses_nothing(library: Library) -> None:
    class Broken(CountingEmbedder):
        def embed_documents(self, texts: object) -> object:  # type: ignore[override]
            raise KeyboardInterrupt

    built(library, *CASES[:1])
    broken = replace(library, embedder=Broken())
    with pytest.raises(KeyboardInterrupt):
        built(broken, *CASES)
    assert len(library.open("main").cases) == 1
    assert built(library, *CASES).embedded == 4  # the contexts were kept


def test_files_are_indexed_by_the_library(library: Library, tmp_path: Path) -> None:
    path = tmp_path / "cases.ndjson"
    path.write_text('{"Context": "a b", "Response": "C d."}\nrubbish\n', encoding="utf-8")
    report = library.add([path], "main")
    assert (report.records, report.files[0].records, report.files[0].skipped) == (1, 1, 1)
    assert PLAIN is library.formats
