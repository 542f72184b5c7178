"""How what a person says is received: the right piece said back, and nothing taken for another."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from reframe_sample import Talk

from handrail.adapters.re2 import Re2Engine
from handrail.domain.text import Span
from handrail.flows.reframe.reading import Act, Asked, Reader, Topic

Begin = Callable[..., Talk]

READER = Reader.packaged(Re2Engine())


def quoted(message: str, asked: Asked, part: str) -> str | None:
    """What the reader would say back of a message."""
    span: Span | None = getattr(READER.read(message, asked=asked), part)
    return span.of(message) if span else None


@pytest.mark.parametrize(
    ("message", "thought"),
    [
        ("that she'll leave me when she finds out", "she'll leave me when she finds out"),
        ("que me va a dejar cuando se entere", "me va a dejar cuando se entere"),
        ("it doesn't count, I just got lucky", "it doesn't count, I just got lucky"),
        ("I can't do anything right", "I can't do anything right"),
        ("God must hate me", "God must hate me"),
    ],
)
def test_a_thought_is_quoted_whole(message: str, thought: str) -> None:
    assert quoted(message, Asked.WORRY, "thought") == thought


@pytest.mark.parametrize(
    "message",
    [
        "But it was my fault. I saw that he was grey and I said nothing.",
        "Pero fue mi culpa. Vi que estaba pálido y no dije nada.",
    ],
)
def test_a_word_deep_in_a_sentence_is_no_strength(message: str) -> None:
    assert READER.read(message, asked=Asked.INTENSITY).intensity is None


@pytest.mark.parametrize("message", ["what does 10 mean?", "¿qué significa 10?"])
def test_a_question_about_the_scale_gives_no_number(message: str) -> None:
    reading = READER.read(message, asked=Asked.INTENSITY)
    assert (reading.intensity, reading.topic) == (None, Topic.SCALE)


@pytest.mark.parametrize(
    "message", ["why do you want to know?", "¿por qué quieres saberlo?", "why do you ask"]
)
def test_a_question_why_we_ask_is_one(message: str) -> None:
    assert READER.read(message, asked=Asked.NOTHING).topic is Topic.WHY_ASKED


@pytest.mark.parametrize("language", ["en", "es"])
def test_a_bare_number_in_place_of_a_feeling_is_its_strength(talk: Begin, language: str) -> None:
    session = talk(language)
    session.say({"en": "everyone will judge me", "es": "todos me van a juzgar"}[language], "8")
    assert session.moves[0] == "note-intensity-high"


def test_feelings_of_two_sentences_are_not_run_together(talk: Begin) -> None:
    told = talk("en").say("I failed the exam", "I'm a failure", "Full of dread. Ashamed.")
    assert "“dread. Ashamed”" not in told["ui_text"]


@pytest.mark.parametrize(
    ("language", "said"), [("en", ("I had a row with my flatmate", "eh")), ("es", ("hola", "ok"))]
)
def test_a_word_or_two_do_not_change_the_language(
    talk: Begin, language: str, said: tuple[str, ...]
) -> None:
    session = talk()
    session.say(*said)
    assert session.told[-1].record["state"]["user_language"] == language


@pytest.mark.parametrize(
    ("language", "event"),
    [("en", "I got promoted last week"), ("es", "la semana pasada me despidieron")],
)
def test_an_event_where_none_was_told_is_no_thought(talk: Begin, language: str, event: str) -> None:
    session = talk(language)
    session.say({"en": "sad", "es": "triste"}[language])
    session.say(event)
    assert "reflect-situation" in session.moves
    assert session.moves[-1].startswith("ask-")


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "My husband died in March"), ("es", "Mi esposo murió en marzo")],
)
def test_a_death_is_received_as_one(talk: Begin, language: str, said: str) -> None:
    session = talk(language)
    session.say(said)
    assert session.moves[-2:] == ("reflect-loss", "ask-worry-loss")


@pytest.mark.parametrize(
    ("language", "first", "turn", "then"),
    [
        (
            "en",
            ("I'm nervous about my driving test", "I'll fail again"),
            "actually forget that, my boyfriend just texted that we need to talk",
            "he will lose interest in me",
        ),
        (
            "es",
            ("Tengo nervios por el examen de conducir", "voy a suspender otra vez"),
            "olvida eso, mi novio acaba de escribirme que tenemos que hablar",
            "va a perder el interés en mí",
        ),
    ],
)
def test_who_turns_to_something_else_is_followed(
    talk: Begin, language: str, first: tuple[str, ...], turn: str, then: str
) -> None:
    session = talk(language)
    session.say(*first)
    session.say(turn)
    assert session.moves[0] == "take-turn"
    assert session.moves[-1].startswith("ask-worry")
    assert then in session.say(then)["ui_text"]


@pytest.mark.parametrize(
    ("language", "said", "feeling"),
    [
        ("en", "I'm terrible at this and I feel so ashamed of it", "ashamed"),
        ("es", "Soy malo en esto y me da mucha vergüenza", "vergüenza"),
    ],
)
def test_a_feeling_beside_the_thought_is_heard_too(
    talk: Begin, language: str, said: str, feeling: str
) -> None:
    session = talk(language)
    told = session.say(said)
    assert "with-emotion" in session.moves or feeling in told["ui_text"].split("”")[0]


@pytest.mark.parametrize(("language", "word"), [("en", "everything"), ("es", "fracaso")])
def test_a_single_word_is_not_called_a_sentence(talk: Begin, language: str, word: str) -> None:
    session = talk(language)
    session.say({"en": "my job", "es": "mi trabajo"}[language], word)
    assert "reflect-thought-word" in session.moves


@pytest.mark.parametrize(
    ("language", "feeling", "thought"),
    [("en", "sad", "nobody will ever want me"), ("es", "triste", "nadie me va a querer nunca")],
)
def test_a_feeling_told_before_is_asked_about_by_its_name_and_once(
    talk: Begin, language: str, feeling: str, thought: str
) -> None:
    session = talk(language)
    session.say(feeling)
    told = session.say(thought)
    assert session.moves[-2:] == ("recall-emotion", "ask-emotion-still")
    assert feeling in told["ui_text"]
    session.say({"en": "yes", "es": "sí"}[language])
    assert session.moves[-1] == "ask-intensity"


@pytest.mark.parametrize(
    ("language", "refusal"),
    [("en", "I don't want to give numbers for this"), ("es", "no quiero poner números")],
)
def test_no_numbers_are_taken_as_no_numbers(talk: Begin, language: str, refusal: str) -> None:
    session = talk(language)
    session.say(
        *{
            "en": ("everyone will judge me", "fear", "8", "yes"),
            "es": ("todos me van a juzgar", "miedo", "8", "sí"),
        }[language]
    )
    session.say(refusal)
    assert session.moves[0] == "wrap-unrated"


def test_a_yes_that_holds_on_to_the_blame_is_no_fit(talk: Begin) -> None:
    session = talk("en")
    session.say("I should have caught that bug", "shame", "9", "yes but it WAS my fault")
    assert session.moves[-1] == "ask-evidence"


@pytest.mark.parametrize("language", ["en", "es"])
def test_a_question_back_is_not_taken_for_what_weighs_on_somebody(
    talk: Begin, language: str
) -> None:
    session = talk(language)
    asked = {"en": "what would you do?", "es": "¿tú qué opinas?"}[language]
    told = session.say({"en": "I'm nervous", "es": "tengo nervios"}[language], asked)
    assert asked.strip("¿?") not in told["ui_text"]


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "I don't really see how typing into a box will help"),
        ("es", "la verdad no creo que escribir aquí sirva de algo"),
    ],
)
def test_a_doubt_about_all_this_is_taken_as_one(talk: Begin, language: str, said: str) -> None:
    session = talk(language)
    session.say(said)
    assert session.moves == ("take-doubt", "ask-mind")


@pytest.mark.parametrize(
    ("message", "other_side"),
    [
        ("maybe they didn't even notice", "they didn't even notice"),
        ("yes, he did apologise later", "he did apologise later"),
        ("she did thank me in front of everyone", "she did thank me in front of everyone"),
        ("yes", None),
        ("maybe I'm too stupid for it", None),
    ],
)
def test_another_side_beside_the_answer_is_kept(message: str, other_side: str | None) -> None:
    assert quoted(message, Asked.FIT, "beside") == other_side


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", ("I never say anything in meetings", "I'm a coward")),
        ("es", ("nunca digo nada en las reuniones", "soy un cobarde")),
    ],
)
def test_harsh_words_that_come_later_are_heard(
    talk: Begin, language: str, said: tuple[str, ...]
) -> None:
    session = talk(language)
    session.say(*said)
    assert session.moves[:2] == ("take-self-attack", "reflect-thought")


@pytest.mark.parametrize("message", ["ok", "yeah ok thats kinda fair", "a good one for the rest"])
def test_a_plain_answer_is_no_other_side(message: str) -> None:
    assert quoted(message, Asked.FIT, "beside") is None


@pytest.mark.parametrize("message", ["ok that one is closer", "sí, esa se acerca más"])
def test_that_one_is_no_number(message: str) -> None:
    reading = READER.read(message, asked=Asked.FIT)
    assert (reading.act, reading.ratings.truth) == (Act.PARTLY, None)


def test_the_number_left_over_goes_to_the_place_left_over() -> None:
    ratings = READER.read("2 out of 10, anxiety 8, conf 3", asked=Asked.RATINGS).ratings
    given = (ratings.truth, ratings.anxiety, ratings.confidence)
    assert [number and number.value for number in given] == [2, 8, 3]


@pytest.mark.parametrize(
    ("language", "stop"), [("en", "can we stop here"), ("es", "podemos parar aquí")]
)
def test_who_wants_to_stop_hears_that_first(talk: Begin, language: str, stop: str) -> None:
    session = talk(language)
    session.say({"en": "everyone will judge me", "es": "todos me van a juzgar"}[language], stop)
    assert session.moves[0] == "take-stop"


def test_no_one_is_no_refusal_of_the_balanced_thought() -> None:
    reading = READER.read("I guess no one has ever said anything", asked=Asked.FIT)
    assert reading.act is not Act.NO


def test_numbers_are_no_other_side() -> None:
    assert quoted("6/5/5", Asked.EVIDENCE, "evidence") is None


def test_a_balanced_thought_stands_beside_the_thought_that_it_was_for(talk: Begin) -> None:
    session = talk("en")
    session.say("I'm worried about the rent", "it will all be my fault", "guilty", "8")
    offered = session.moves
    assert "balanced-personalization" in offered
    session.say("she's going to leave me", "no, nothing like that")  # a danger asked about, denied
    told = session.say("yes")
    assert told["phase"] == "summary"
    held = "it will all be my fault" in told["ui_text"]
    assert held == ("balanced-personalization" in session.moves)
