"""Stored text: canonical form, spans, passages and ids that depend on bytes alone."""

from __future__ import annotations

import subprocess
import sys

import pytest

from handrail.domain.text import Case, Document, Span, canonical, case_id, digest, short_id


@pytest.mark.parametrize(
    ("raw", "stored"),
    [
        ("a\r\nb\rc\n", "a\nb\nc"),
        ("  so  tired \t", "so  tired"),
        ("a\x00b", "ab"),
        ("a\ud800b", "a\ufffdb"),
        ("e\u0301 👩‍👧 ﬁ", "e\u0301 👩‍👧 ﬁ"),  # nothing else is composed, folded or joined
    ],
)
def test_the_canonical_form_touches_line_ends_nuls_surrogates_and_outer_space(
    raw: str, stored: str
) -> None:
    assert canonical(raw) == stored
    assert canonical(stored) == stored


@pytest.mark.parametrize(("start", "end"), [(-1, 2), (3, 2), (-3, -1)])
def test_a_span_that_counts_nothing_is_refused(start: int, end: int) -> None:
    with pytest.raises(ValueError, match="not a span"):
        Span(start, end)


def test_c64_a_passage_is_its_span_of_the_document_in_code_points() -> None:
    document = Document.of("  👩‍👧 first. Second.\r\n")
    second = document.passage(Span(document.text.index("Second"), len(document.text)))
    assert second.text == "Second."
    assert second.span.of(document.text) == second.text
    assert second.document_id == document.id


def test_c68_ids_depend_on_the_text_and_on_nothing_else() -> None:
    assert Document.of("a\r\n").id == Document.of("a").id
    assert Document.of("a").id != Document.of("b").id
    assert Document.of("ab").passage(Span(0, 1)).id != Document.of("ab").passage(Span(1, 2)).id
    assert case_id("question", "answer") != case_id("answer", "question")
    assert len(short_id("x")) == 16


def test_c68_no_two_splits_of_a_text_share_a_digest() -> None:
    assert len({digest("ab", "c"), digest("a", "bc"), digest("abc"), digest("", "abc")}) == 4


def test_c68_ids_are_the_same_in_another_process() -> None:
    code = "from handrail.domain.text import case_id; print(case_id('q', 'a'))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == case_id("q", "a")


CASE = Case(id="c", context="q", response="One. Two.", sentences=(Span(0, 4), Span(5, 9)))


def test_c65_a_sentence_number_never_counts_from_the_back() -> None:
    assert [CASE.sentence(at).text for at in (0, 1)] == ["One.", "Two."]
    assert CASE.sentence(1).id == "c/1"
    for beyond in (-1, 2):
        with pytest.raises(IndexError):
            CASE.sentence(beyond)
