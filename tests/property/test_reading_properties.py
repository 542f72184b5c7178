"""Any message whatever: reading never fails, and what it hands on can be quoted."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from handrail.adapters.re2 import Re2Engine
from handrail.domain.text import Span
from handrail.flows.reframe.reading import (
    FAMILIES,
    LONGEST_QUOTE,
    Act,
    Asked,
    Number,
    Reader,
    Reading,
)

READER = Reader.packaged(Re2Engine())
PIECES = (
    "I think that",
    "everyone will judge me",
    "I’m not angry",
    "my boss is furious",
    "because I had an exam yesterday",
    "todos me van a juzgar",
    "siento que soy un fracaso",
    "me da miedo",
    "discutí con mi hermana",
    "no",
    "sí",
    "yes but",
    "8/10",
    "7-8",
    "-3",
    "80%",
    "from 8 to 5",
    "anxiety 4",
    "confianza 6",
    "at 8 o'clock",
    "what is mind reading?",
    "😔",
    "…",
    "\n\n",
    "“",
    "”",
    "I'm so stupid",
    "fuck off",
    "gracias",
    "K!LL TH3 l\u00adights",
    "\ud800",
    "a" * 200,
)
MESSAGES = st.one_of(
    st.text(max_size=200),
    st.lists(st.sampled_from(PIECES), max_size=12).map(" ".join),
    st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=8)), max_size=8).map(", ".join),
)
ASKED = st.sampled_from(Asked)


def numbers(reading: Reading) -> list[Number]:
    ratings = reading.ratings
    single = (reading.intensity, ratings.truth, ratings.anxiety, ratings.confidence)
    return [*filter(None, single), *ratings.unlabelled]


def quotes(reading: Reading) -> list[Span]:
    told = (reading.thought, reading.situation, reading.evidence)
    return [*filter(None, told), *(emotion.span for emotion in reading.emotions)]


@given(MESSAGES, ASKED)
def test_a61_numbers_stay_on_the_scale_and_point_at_what_was_written(
    message: str, asked: Asked
) -> None:
    for number in numbers(READER.read(message, asked=asked)):
        assert 0 <= number.value <= 10
        assert 0 <= number.span.start < number.span.end <= len(message)


@given(MESSAGES, ASKED)
def test_a8_quotes_are_words_of_the_message(message: str, asked: Asked) -> None:
    for span in quotes(READER.read(message, asked=asked)):
        quote = span.of(message)
        assert quote in message
        assert 0 < len(quote) <= LONGEST_QUOTE
        assert any(map(str.isalnum, quote))
        assert quote == quote.strip()


@given(MESSAGES, ASKED)
def test_a8_families_are_known_and_named_once(message: str, asked: Asked) -> None:
    families = [emotion.family for emotion in READER.read(message, asked=asked).emotions]
    assert len(set(families)) == len(families)
    assert set(families) <= set(FAMILIES)


@given(MESSAGES, ASKED)
def test_the_same_message_is_read_the_same(message: str, asked: Asked) -> None:
    again = Reader.packaged(Re2Engine()) if len(message) % 20 == 0 else READER
    assert again.read(message, asked=asked) == READER.read(message, asked=asked)


@given(MESSAGES, ASKED)
def test_only_a_message_without_letters_is_silence(message: str, asked: Asked) -> None:
    silent = READER.read(message, asked=asked).act is Act.SILENCE
    assert silent is not any(map(str.isalnum, message))


@given(MESSAGES, ASKED, st.sampled_from([" ", "\n", "  \n ", "\t"]))
def test_white_space_around_a_message_changes_nothing_but_places(
    message: str, asked: Asked, space: str
) -> None:
    bare = message.strip()
    wide = READER.read(space + bare + space, asked=asked)
    assert moved(READER.read(bare, asked=asked), len(space)) == wide


def moved(reading: Reading, by: int) -> Reading:
    """The same reading of words that stand further on."""

    def span(of: Span | None) -> Span | None:
        return of and Span(of.start + by, of.end + by)

    def number(of: Number | None) -> Number | None:
        return of and Number(value=of.value, span=Span(of.span.start + by, of.span.end + by))

    ratings = replace(
        reading.ratings,
        truth=number(reading.ratings.truth),
        anxiety=number(reading.ratings.anxiety),
        confidence=number(reading.ratings.confidence),
        unlabelled=tuple(one for one in map(number, reading.ratings.unlabelled) if one),
    )
    emotions = tuple(
        replace(emotion, span=Span(emotion.span.start + by, emotion.span.end + by))
        for emotion in reading.emotions
    )
    return replace(
        reading,
        thought=span(reading.thought),
        situation=span(reading.situation),
        evidence=span(reading.evidence),
        intensity=number(reading.intensity),
        ratings=ratings,
        emotions=emotions,
    )
