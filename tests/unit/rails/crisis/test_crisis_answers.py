"""Answers to a direct question: doubt is never a no."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handrail.errors import ContentInvalid
from handrail.rails.crisis.answers import (
    Answer,
    Answers,
    AnswersModel,
    packaged_answers,
    read_answer,
    read_reply,
)


@pytest.mark.parametrize(
    "said",
    [
        "yes",
        "Yeah, kind of",
        "yeah kind of",
        "honestly? yeah",
        "well… um, yes",
        "i mean sometimes",
        "I am",
        "I have",
        "yess",
        "yes but I won't do it",
        "Yes. No, I have no plan.",
        "I've thought about it",
        "sí",
        "si",
        "Sí, a veces",
        "a veces",
        "la verdad sí",
        "claro que sí",
        "lo he pensado",
        "no lo niego",
    ],
)
def test_a49_an_affirmation_is_yes(said: str) -> None:
    """A49: contextual analysis starts with the answer to a question."""
    assert read_answer(said) is Answer.YES


@pytest.mark.parametrize(
    "said",
    [
        "no",
        "No.",
        "nooo",
        "nope",
        "no, not really",
        "No, nothing like that.",
        "no i'm okay, just tired",
        "never",
        "I don't",
        "nah I'm good",
        "no, but thanks for asking",
        "no, para nada",
        "nunca",
        "claro que no",
        "no lo he pensado",
        "No, nada de eso",
    ],
)
def test_a49_a_plain_denial_is_no(said: str) -> None:
    """A49."""
    assert read_answer(said) is Answer.NO


@pytest.mark.parametrize(
    "said",
    [
        "idk",
        "maybe",
        "i guess",
        "not really",
        "not right now",
        "I don't think so",
        "yes and no",
        "no, but sometimes at night",
        "No. But I can't promise anything",
        "no, not anymore",
        "I'd rather not say",
        "does it matter?",
        "please don't tell anyone",
        "I wouldn't go through with it",
        "no comment",
        "quizás",
        "no sé",
        "prefiero no decir",
        "más o menos",
        "no, pero a veces sí",
        "hoy no",
        "creo que no",
    ],
)
def test_a49_doubt_and_refusal_are_unsure(said: str) -> None:
    """A49: what is not plainly a no is never read as one."""
    assert read_answer(said) is Answer.UNSURE


@pytest.mark.parametrize(
    "said",
    [
        "",
        "👀",
        "my landlord raised the rent",
        "no hope left",
        "no one cares",
        "I don't see a way out",
        "I am so tired",
        "no quiero vivir",
        "no me siento bien",
        "si no duermo me pongo mal",
        "nobody said yes to me",
    ],
)
def test_what_only_begins_like_an_answer_is_none(said: str) -> None:
    assert read_answer(said) is Answer.NONE


def test_a_language_that_is_named_is_the_only_one_read() -> None:
    assert read_answer("prefiero no decir", "en") is Answer.NONE
    assert read_answer("prefiero no decir", "es") is Answer.UNSURE
    assert read_answer("prefiero no decir", "fr") is Answer.UNSURE


def test_a_denial_taken_back_says_that_it_was_one() -> None:
    reading = read_reply("no, but work is hard")
    assert (reading.answer, reading.denied, reading.qualified) == (Answer.UNSURE, True, True)
    assert not read_reply("idk").denied
    assert not read_reply("no, sometimes").qualified


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("Yes. No, I have no plan.", Answer.YES),
        ("Yeah, thanks for asking me. No, I don't.", Answer.UNSURE),
        ("No. Work was long today.", Answer.NO),
        ("No. But I can't promise anything.", Answer.UNSURE),
        ("idk. no", Answer.UNSURE),
        ("no... well, sometimes", Answer.UNSURE),
        ("maybe. yes", Answer.YES),
        ("No! Why would you ask that?", Answer.NO),
        ("No. Not really.", Answer.NO),
        ("No but I wish I was gone", Answer.UNSURE),
    ],
)
def test_a_later_sentence_takes_back_only_what_it_can(said: str, answer: Answer) -> None:
    assert read_answer(said) is answer


@given(st.text(alphabet="yesno,. butimaybeáñ'", max_size=60))
def test_a_denial_followed_by_a_yes_is_never_a_plain_no(more: str) -> None:
    assert read_answer(f"no, yes. {more}") is not Answer.NO


@given(st.text(max_size=200))
def test_any_text_has_an_answer(text: str) -> None:
    assert read_answer(text) in Answer


def test_brackets_that_nest_or_do_not_pair_are_an_error() -> None:
    model = AnswersModel.model_validate(
        {
            "id": "answers.xx",
            "version": "1",
            "language": "xx",
            "reviewer": "nobody",
            "fillers": [],
            "contradictions": [],
            "harmless": [],
            "groups": [
                {"id": "xx.yes", "review": "none", "answer": "yes", "say": "ja (doch (ja|so))"}
            ],
        }
    )
    with pytest.raises(ContentInvalid, match="do not nest"):
        Answers(model)


def test_a_language_is_a_file() -> None:
    assert {name: book.language for name, book in packaged_answers().items()} == {
        "en": "en",
        "es": "es",
    }
