"""Long messages are read theme by theme (H40)."""

from __future__ import annotations

from random import Random

import pytest

from handrail.flows.guide.themes import LONG, THEME, themes

SENTENCE = "My son came home late again and nobody said a word about it. "


@pytest.mark.parametrize("text", ["", " ", "Hello there.", "word " * LONG, "...", "\ud800\x00"])
def test_h40_a_message_of_ordinary_length_is_one_theme(text: str) -> None:
    assert themes(text) == [text]


@pytest.mark.parametrize(
    "text",
    [
        SENTENCE * 250,
        "word " * 3_000,
        "...and then " * 400,
        "  !!! " + SENTENCE * 60 + "\n\n- one\n- two ...",
        ". " * 700,
        "why?! " * 700,
        " .x" * 700,
    ],
)
def test_h40_the_themes_of_a_long_message_are_the_whole_of_it(text: str) -> None:
    found = themes(text)
    assert "".join(found) == text
    assert len(found) > 1
    assert max(len(part.split()) for part in found) <= THEME


def test_h40_nothing_is_lost_between_themes() -> None:
    dice = Random(40)
    pieces = ["a", "b. ", "c?\n", " ", "...", "\t", "d e f ", "!"]
    for _ in range(20):
        text = " ".join(dice.choices(pieces, k=900))
        assert "".join(themes(text)) == text


def test_h40_a_theme_ends_with_a_sentence() -> None:
    assert {part.strip()[-1] for part in themes(SENTENCE * 100)} == {"."}
