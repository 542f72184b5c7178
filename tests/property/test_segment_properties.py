"""What holds for every text whatsoever (C64)."""

from __future__ import annotations

import gc
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handrail.corpus.segment import quotable, segment

# Text as people write it: words, stops, quotes, lists, links, emoji and white space of all kinds.
LINES = (
    "word I the Dr e.g i.e U.S Ph.D etc vs no 1 2.5 3) (a) a. . .. ... … ! ? ?! 。 । , : ; ( ) [ ]",
    "\" ' “ ” ’ « » - – • * _ :) 😊 👩‍👧 https://a.b/C.D?e=F. x@y.Org www.A.Com é İ ß 日本",
)
SPACES = ("", " ", "  ", "\n", "\r\n", "\n\n", "\t", "\u00a0", "\u2028", "\u2029", "\x1c", "\x85")
PIECES = st.sampled_from([*(piece for line in LINES for piece in line.split()), *SPACES])
TEXTS = st.one_of(st.text(), st.lists(PIECES, max_size=60).map("".join))


@given(TEXTS)
def test_c64_every_sentence_is_its_slice_of_the_text(text: str) -> None:
    for span in segment(text):
        sentence = text[span.start : span.end]
        assert sentence == span.of(text)
        assert sentence
        assert sentence == sentence.strip()


@given(TEXTS)
def test_c64_sentences_come_in_order_and_do_not_overlap(text: str) -> None:
    spans = segment(text)
    edges = [edge for span in spans for edge in (span.start, span.end)]
    assert edges == sorted(edges)
    assert len(set(spans)) == len(spans)


@given(TEXTS)
def test_c64_nothing_but_white_space_is_left_out(text: str) -> None:
    left_out, place = "", 0
    for span in segment(text):
        left_out += text[place : span.start]
        place = span.end
    assert not (left_out + text[place:]).strip()


@given(TEXTS)
def test_c64_the_same_text_is_cut_the_same_way(text: str) -> None:
    assert segment(text) == segment(
        str(text.encode("utf-8", "surrogatepass"), "utf-8", "surrogatepass")
    )


@given(TEXTS, TEXTS)
def test_c64_a_blank_line_parts_what_no_rule_can_join(one: str, other: str) -> None:
    """Sentences never cross an empty line, so that a paragraph is cut as if it stood alone."""
    edge = len(one) + 1
    assert not [s for s in segment(f"{one}\n\n{other}") if s.start < edge < s.end]


@given(TEXTS)
def test_c9_quotable_sentences_are_the_ones_with_letters(text: str) -> None:
    kept = quotable(text)
    assert [s for s in segment(text) if any(c.isalpha() for c in s.of(text))] == list(kept)


@pytest.mark.parametrize(
    "unit",
    [
        "word ", "a", ".", ". ", "e.g. ", "A. ", "1. ", "\n", " ", "? ", "(", '"', "…", ".A", ".Ab",
        "\n- a", "😊 ", "a.b@", "http://a.B", "•\n", ". \u2028", "!" * 50, " " * 50 + "e.g.",
        "x.\n", "'.", ".)", "*", ":) A",
    ],
)  # fmt: skip
def test_c56_time_grows_with_the_text_and_no_faster(unit: str) -> None:
    def seconds(size: int) -> float:
        text = unit * (size // len(unit))
        gc.disable()  # what other tests left behind is not this text's to pay for
        try:
            begun = time.process_time()
            segment(text)
            return time.process_time() - begun
        finally:
            gc.enable()

    seconds(1_000)
    assert seconds(160_000) < 120 * max(seconds(10_000), 0.001)  # linear 16, quadratic 256
