"""C30, C34, C35: phrases, feelings and how plain a sentence is."""

from __future__ import annotations

import pytest

from handrail.content import load_coach
from handrail.domain.text import Span
from handrail.flows.coach.feelings import GENERAL, FeelingReader, Feelings
from handrail.flows.coach.phrases import Phrases, words
from handrail.flows.coach.plainness import SAMPLE, Plainness, stems

TABLE = Phrases([("sad", 1), ("so sad", 2), ("can't sleep", 3), ("sad", 4)])


@pytest.fixture(scope="module")
def reader() -> FeelingReader:
    return FeelingReader(load_coach().emotions)


def echo(reader: FeelingReader, message: str) -> str | None:
    span = reader.read(message).echo
    return span.of(message) if span else None


def test_words_are_folded_and_keep_their_place() -> None:
    assert words("I CAN’T  go.") == [("i", Span(0, 1)), ("can't", Span(2, 7)), ("go", Span(9, 11))]


def test_the_longest_phrase_wins_and_none_overlap() -> None:
    assert TABLE.longest("So sad, I can’t sleep, sad") == [
        (2, Span(0, 6), 0),
        (3, Span(10, 21), 3),
        (1, Span(23, 26), 5),
        (4, Span(23, 26), 5),
    ]


def test_all_phrases_are_found_also_within_others_and_only_as_whole_words() -> None:
    assert TABLE.all("so sad") == {1, 2, 4}
    assert TABLE.all("sadly, a saddle; I can't, so I sleep") == set()


def test_an_empty_table_or_text_finds_nothing() -> None:
    assert TABLE.longest("") == []
    assert Phrases([]).all("sad") == set()


def test_c30_feelings_are_named_in_order_and_lead_to_a_family(reader: FeelingReader) -> None:
    feelings = reader.read("I feel lonely, anxious and lonely again")
    assert [word.feeling for word in feelings.named] == ["lonely", "anxious"]
    assert (feelings.family, feelings.present) == ("loneliness", True)


@pytest.mark.parametrize("said", ["I am not sad about it", "I don't feel anxious", "never lonely"])
def test_c30_a_negated_feeling_is_no_feeling(reader: FeelingReader, said: str) -> None:
    feelings = reader.read(said)
    assert (feelings.named, feelings.family, feelings.present) == ((), GENERAL, False)


def test_c34_at_most_three_feelings_are_named(reader: FeelingReader) -> None:
    assert len(reader.read("sad, lonely, angry, ashamed, anxious").named) <= 3


def test_c35_a_clause_that_names_a_feeling_is_preferred(reader: FeelingReader) -> None:
    said = "My flat is on the fourth floor of the house. I feel so lonely in it."
    assert echo(reader, said) == "I feel so lonely in it"


@pytest.mark.parametrize(
    "said",
    ["Why me?", "no.", "See https://x.example/_a_b", "Call 5551234 for me now please", ""],
)
def test_c35_what_cannot_be_said_back_is_not_echoed(reader: FeelingReader, said: str) -> None:
    assert echo(reader, said) is None


def test_c35_the_echo_keeps_clear_of_what_must_be_avoided(reader: FeelingReader) -> None:
    said = "I feel so lonely in my room. I keep my door closed all day."
    spared = reader.read(said, avoid=[Span(7, 16)])
    assert spared.echo is not None
    assert spared.echo.of(said) == "I keep my door closed all day"


def test_feelings_without_a_word_have_no_family_of_their_own() -> None:
    assert Feelings(words=(), family=GENERAL, echo=None).named == ()


def test_a_word_is_common_when_many_answers_use_it() -> None:
    plain = Plainness.of(["People breathe and walk.", "Walking helps people.", "People who walk."])
    assert plain.details("People walked with a parrot") == {"with", "a", "parrot"}


def test_only_a_sample_of_a_large_corpus_is_read_and_all_of_it_is_sampled() -> None:
    answers = ["People walk."] * 5 * SAMPLE + ["Parrots sing."] * 5 * SAMPLE
    assert Plainness.of(answers).common == {"people", "walk", "parrot", "sing"}
    rare = ["People walk."] * 100 * SAMPLE + ["Parrots sing."]
    assert Plainness.of(rare).common == {"people", "walk"}


def test_stems_join_word_families() -> None:
    assert stems("walks walking walked WALK") == {"walk"}


@pytest.mark.parametrize(
    ("message", "named"),
    [
        ("My husband is angry every evening.", []),
        ("She says she feels lonely.", []),
        ("They never call. I feel lonely.", ["lonely"]),
        ("No. I feel sad.", ["sad"]),
        ("I am not sad, just tired.", ["tired"]),
        ("My husband shouts and I feel anxious.", ["anxious"]),
    ],
)
def test_c34_only_a_feeling_of_the_writer_is_named_back(
    reader: FeelingReader, message: str, named: list[str]
) -> None:
    assert [word.feeling for word in reader.read(message).named] == named
