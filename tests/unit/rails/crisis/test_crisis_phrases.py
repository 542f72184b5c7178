"""The language in which lexicons are written."""

from __future__ import annotations

import pytest

from handrail.adapters.re2 import Re2Engine
from handrail.errors import ContentInvalid
from handrail.rails.crisis.phrases import Book


def book(**concepts: str) -> Book:
    return Book(concepts, frozenset({"i", "to", "the"}), "xx.yaml")


def found(book: Book, phrase: str, text: str) -> list[str]:
    """What the phrase matches in a normal text."""
    (only,) = book.phrases("test", phrase)
    hits = Re2Engine().compile([only.pattern]).scan(text)
    return [text[hit.start : hit.end].rstrip(" ,\n") for hit in hits]


@pytest.mark.parametrize(
    ("phrase", "text", "hits"),
    [
        ("want to", "i want to go", ["want to"]),
        ("want to", "i want. to go", []),
        ("want to", "i want,to go", ["want,to"]),
        ("want to", "i want\nto go", ["want\nto"]),
        ("want to", "unwant too", []),
        ("i? truly? want", "i truly want", ["i truly want"]),
        ("i? truly? want", "want", ["want"]),
        ("i truly? want", "i want", ["i want"]),
        ("(go|be) (far|away)?", "go away be", ["go away", "be"]),
        ("kick*", "kicking kicked kick", ["kicking", "kicked", "kick"]),
        ("not so~ bad", "not so so so bad", ["not so so so bad"]),
        ("not so~ bad", "not bad", ["not bad"]),
        ("take ... tins", "take some of my tins", ["take some of my tins"]),
        ("take ... tins", "take some of my own tins", []),
        ("take ... tins", "take them,the tins", []),
        ("take ..1 tins", "take my tins", ["take my tins"]),
        ("{away} now", "go off now", ["go of now"]),
        ("hell", "hel", ["hel"]),
    ],
)
def test_a_phrase_matches_what_it_says(phrase: str, text: str, hits: list[str]) -> None:
    assert found(book(away="leave | go off"), phrase, text.replace("off", "of")) == hits


@pytest.mark.parametrize(
    ("phrase", "called_by"),
    [
        ("i want to go", {"want"}),
        ("i to", {"to"}),
        ("want? to kick*", {"kick*"}),
        ("(far|gone) i", {"far", "gone"}),
        ("(i|the|to) (up and|down)", {"up", "down"}),
        ("the {away}", {"leave", "go"}),
    ],
)
def test_a_phrase_is_called_by_its_rarest_firm_item(phrase: str, called_by: set[str]) -> None:
    (only,) = book(away="leave | go off").phrases("test", phrase)
    assert only.triggers == called_by


def test_a_phrase_knows_every_word_it_cannot_do_without() -> None:
    (only,) = book().phrases("test", "i (hate|love) truly? all* cats")
    assert set(only.required()) == {
        frozenset({"i"}),
        frozenset({"hate", "love"}),
        frozenset({"al*"}),
        frozenset({"cats"}),
    }


def test_each_line_is_a_phrase_of_its_own() -> None:
    assert len(book().phrases("test", "one two\n\n  three\n")) == 2


@pytest.mark.parametrize(
    "broken",
    [
        "(one",
        "one)",
        "()",
        "one|",
        "(one||two)",
        "one?",
        "...",
        "one; two",
        "{nowhere}",
        "[one]",
        "(a?|b)",
    ],
)
def test_a_phrase_that_cannot_be_read_is_refused_by_name(broken: str) -> None:
    with pytest.raises(ContentInvalid, match=r"^xx\.yaml: "):
        book().phrases("the.rule", f"fine\n{broken}")


def test_a_concept_may_not_mean_itself() -> None:
    with pytest.raises(ContentInvalid, match="means itself"):
        book(one="{two}", two="{one}")


def test_a_phrase_with_alternatives_of_its_own_needs_no_word_of_each() -> None:
    (only,) = book().phrases("test", "red cat | blue dog")
    assert only.triggers == {"red", "blue"}
    assert only.required() == ()
    assert found(book(), "red cat | blue dog", "a blue dog") == ["blue dog"]


def test_other_spellings_of_a_word_say_it_wherever_it_is_said() -> None:
    short = Book({"way": "to | off to"}, frozenset({"to"}), "xx.yaml", {"to": "2", "off": "of"})
    (only,) = short.phrases("test", "(go|run) {way} town")
    assert only.triggers == {"town"}
    assert frozenset({"to", "2", "of"}) in only.required()
    assert found(short, "(go|run) {way} town", "run 2 town, go of 2 town") == [
        "run 2 town",
        "go of 2 town",
    ]
    (called,) = short.phrases("test", "off")
    assert called.triggers == {"off", "of"}


def test_a_line_that_begins_with_a_hash_is_a_remark() -> None:
    (only,) = book().phrases("test", "# red things\nred cat\n  # blue ones are not here")
    assert only.text == "red cat"
