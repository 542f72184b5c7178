"""Numbers and feelings: what is a rating, what counts something else, and whose feeling it is."""

from __future__ import annotations

import pytest

from handrail.adapters.re2 import Re2Engine
from handrail.domain.text import Span
from handrail.flows.reframe.reading import Asked, Number, Reader

READER = Reader.packaged(Re2Engine())


def intensity(message: str, asked: Asked = Asked.INTENSITY) -> int | None:
    found = READER.read(message, asked=asked).intensity
    return None if found is None else found.value


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("8", 8),
        ("8/10", 8),
        ("80 out of 100", 8),
        ("7.5", 8),
        ("7,5", 8),
        ("7-8", 8),
        ("between 6 and 8", 7),
        ("seven and a half", 8),
        ("siete y medio", 8),
        ("un 85%", 9),
        ("from 8 down to 5 now", 5),
        ("on a scale from 0 to 10, six", 6),
        ("I'm 34, I have 2 kids and it is a 9", 9),
        ("a las 8 era un 5", 5),
        ("at 8", 8),
        ("10", 10),
        ("cero", 0),
    ],
)
def test_a61_a_number_is_read(message: str, expected: int) -> None:
    assert intensity(message) == expected


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("none", 1),
        ("mild", 3),
        ("moderate", 5),
        ("strong", 7),
        ("overwhelming", 9),
        ("very", 7),
        ("ninguna", 1),
        ("leve", 3),
        ("moderada", 5),
        ("fuerte", 7),
        ("abrumadora", 9),
        ("muchísimo", 9),
        ("a tope", 9),
        ("una barbaridad", 9),
    ],
)
def test_a61_a_word_is_the_number_of_the_contract(word: str, expected: int) -> None:
    assert intensity(word) == expected


@pytest.mark.parametrize(
    "message", ["15", "100", "-3", "11/10", "more than 10", "más de 10", "120%", "twelve"]
)
def test_a61_a_number_off_the_scale_is_flagged_and_not_taken(message: str) -> None:
    reading = READER.read(message, asked=Asked.INTENSITY)
    assert reading.intensity is None
    assert reading.out_of_range


@pytest.mark.parametrize(
    "message",
    [
        "I have 2 kids and I'm anxious",
        "I'm scared, the meeting is at 8",
        "tengo 9 años y miedo",
        "me da miedo la reunión de las 8",
        "my rent went up 10% and I'm sad",
        "it's the 3rd time this week that I feel numb",
    ],
)
def test_a61_what_counts_something_else_is_no_intensity(message: str) -> None:
    assert intensity(message, Asked.NOTHING) is None


def test_a61_an_intensity_is_taken_where_nobody_asked_for_it() -> None:
    assert intensity("my anxiety is at 8/10", Asked.NOTHING) == 8
    assert intensity("shame, like a 9", Asked.EMOTION) == 9


@pytest.mark.parametrize(
    ("message", "truth", "anxiety", "confidence"),
    [
        ("7, 4, 6", 7, 4, 6),
        ("7/4/6", 7, 4, 6),
        ("7,5,6", 7, 5, 6),
        ("7/10, 4/10 and 6/10", 7, 4, 6),
        ("4 and 6", None, 4, 6),
        ("anxiety 4, confidence 6, true 7", 7, 4, 6),
        ("la ansiedad un 4 y la confianza un 6", None, 4, 6),
        ("anxiety's down to a 3", None, 3, None),
        ("anxiety: from 8 to 5; confidence: 6", None, 5, 6),
        ("12, 4, 5", None, 4, 5),
        ("5 para todo", 5, 5, 5),
    ],
)
def test_a61_ratings_find_their_places(
    message: str, truth: int | None, anxiety: int | None, confidence: int | None
) -> None:
    ratings = READER.read(message, asked=Asked.RATINGS).ratings
    found = (ratings.truth, ratings.anxiety, ratings.confidence)
    assert [one and one.value for one in found] == [truth, anxiety, confidence]
    assert ratings.unlabelled == ()


def test_a61_one_bare_number_is_left_for_whoever_asked() -> None:
    assert [one.value for one in READER.read("5", asked=Asked.RATINGS).ratings.unlabelled] == [5]


def test_a_number_off_the_scale_cannot_be_made() -> None:
    with pytest.raises(ValueError, match="not on the scale"):
        Number(value=11, span=Span(0, 2))


@pytest.mark.parametrize(
    ("message", "families"),
    [
        ("I'm not angry, just hurt", ["hurt"]),
        ("my boss is angry", []),
        ("my boss is angry and I'm scared", ["anxiety"]),
        ("she's mad at me", []),
        ("EMBARASSED AND LONLEY", ["shame", "loneliness"]),
        ("no estoy triste, más bien vacía", ["numbness"]),
        ("mi jefe está enojado", []),
        ("él está furioso y yo asustada", ["anxiety"]),
        ("enojada no. dolida.", ["hurt"]),
        ("berguenza y anciedad", ["shame", "anxiety"]),
    ],
)
def test_a8_only_feelings_of_the_writer_count(message: str, families: list[str]) -> None:
    reading = READER.read(message, asked=Asked.EMOTION)
    assert [emotion.family for emotion in reading.emotions] == families
