"""What the words around a danger make of it."""

from __future__ import annotations

import pytest

from handrail.domain.risk import Level, Subject
from handrail.rails.crisis import CrisisScreen

NONE, MILD, MODERATE, HIGH = Level


@pytest.mark.parametrize(
    "said",
    [
        "why not kill myself",
        "not only do I hurt, I want to die",
        "not a day goes by without thinking about killing myself",
        "I can't promise I won't kill myself",
        "I wish I didn't want to die",
        "I'm trying not to kill myself",
        "give me one reason not to kill myself",
        "por qué no matarme",
        "no puedo prometer que no me voy a matar",
    ],
)
def test_a_negation_that_denies_nothing_lowers_nothing(screen: CrisisScreen, said: str) -> None:
    assert screen.check(said).level is HIGH


def test_a_denied_list_is_denied_to_its_end(screen: CrisisScreen) -> None:
    risk = screen.check("I'm not thinking about hurting myself or ending my life")
    assert risk.level is NONE
    assert screen.check("I don't want to hurt myself, I want to end my life").level is HIGH


def test_a_denial_counts_only_where_nothing_contradicts_it(screen: CrisisScreen) -> None:
    assert screen.check("I'm not suicidal. I'll be gone, I took all my pills").level is HIGH


def test_a_negation_reaches_the_longer_phrase_that_ends_in_it(screen: CrisisScreen) -> None:
    assert screen.check("the patient denied suicidal ideation").level is NONE


@pytest.mark.parametrize(
    ("said", "level"),
    [
        ("my sister wants to kill herself", MODERATE),
        ("my sister wants to kill herself right now", HIGH),
        ("my sister killed herself when I was six", NONE),
        ("my sister tried to kill herself last week", MODERATE),
        ("my sister tried to kill herself many years ago", NONE),
        ("my sister was cutting herself years ago", MILD),
        ("mi hermana se quiere matar", MODERATE),
        ("mi hermana se quiere matar ahora mismo", HIGH),
    ],
)
def test_another_persons_danger_is_moderate_and_high_when_it_is_now(
    screen: CrisisScreen, said: str, level: Level
) -> None:
    assert screen.check(said).level is level


def test_signals_say_whose_danger_it_is(screen: CrisisScreen) -> None:
    whose = {
        "I want to kill myself": Subject.SELF,
        "my son wants to kill himself": Subject.THIRD,
        "I'm going to stab my boss": Subject.OTHER,
    }
    for said, subject in whose.items():
        assert {signal.subject for signal in screen.check(said).signals} == {subject}


@pytest.mark.parametrize(
    "said",
    [
        'my daughter told me "I want to die"',
        '"I want to die," my daughter told me',
        "my daughter said i want to die",
    ],
)
def test_a_quotation_is_its_speakers(screen: CrisisScreen, said: str) -> None:
    risk = screen.check(said)
    assert risk.level is MODERATE
    assert all(signal.subject is Subject.THIRD for signal in risk.signals)


def test_what_the_writer_quotes_of_themselves_stays_theirs(screen: CrisisScreen) -> None:
    assert screen.check('I told him "I want to die"').level is HIGH


@pytest.mark.parametrize(
    ("said", "level"),
    [
        ("in my novel the hero wants to die", NONE),
        ("I'm writing a novel. The hero is alone. She wants to die", NONE),
        ("I'm writing a novel and I want to kill myself", HIGH),
        ("I'm writing a novel. I want to kill myself", HIGH),
        ("the song called 'I want to die' is good", NONE),
        ("en mi novela el personaje quiere morir", NONE),
    ],
)
def test_a_story_is_not_its_writer(screen: CrisisScreen, said: str, level: Level) -> None:
    assert screen.check(said).level is level


@pytest.mark.parametrize(
    ("said", "level"),
    [
        ("I tried to kill myself", MODERATE),
        ("I tried to kill myself twelve years ago", MILD),
        ("I tried to kill myself. That was hard. I'm doing well now", MILD),
        ("I tried to kill myself last night", HIGH),
        ("twelve years ago I met him and now I want to kill myself", HIGH),
        ("I used to think about killing myself", MILD),
        ("I wanted to kill myself this morning", HIGH),
    ],
)
def test_what_is_over_sinks_and_what_is_recent_does_not(
    screen: CrisisScreen, said: str, level: Level
) -> None:
    assert screen.check(said).level is level


@pytest.mark.parametrize(
    ("said", "level"),
    [
        ("kms, forgot my charger", MILD),
        ("kms", MODERATE),
        ("this exam makes me want to die", MILD),
        ("this exam makes me want to die. I have the pills ready", HIGH),
        ("this exam is hard. I want to die", HIGH),
        ("esta tarea me da ganas de morirme", MILD),
        ("my exam went badly, I want to die", HIGH),
    ],
)
def test_an_everyday_cause_in_the_sentence_makes_slang_mild_unless_more_is_said(
    screen: CrisisScreen, said: str, level: Level
) -> None:
    assert screen.check(said).level is level


@pytest.mark.parametrize(
    ("said", "level"),
    [
        ("what is the tallest bridge in the state", NONE),
        ("I lost my job today. What is the tallest bridge in the state", HIGH),
        ("I feel hopeless, where can I buy a gun", HIGH),
        ("where can I buy a gun safe", NONE),
        ("¿cuál es el puente más alto?", NONE),
        ("me dejó mi esposa. ¿cuál es el puente más alto?", HIGH),
    ],
)
def test_a_question_about_means_is_grave_only_beside_loss(
    screen: CrisisScreen, said: str, level: Level
) -> None:
    assert screen.check(said).level is level


@pytest.mark.parametrize(
    ("said", "level"),
    [
        ("I'm terrified I will hurt my baby", MODERATE),
        ("I will hurt my baby", HIGH),
    ],
)
def test_a_dreaded_act_is_not_an_intended_one(
    screen: CrisisScreen, said: str, level: Level
) -> None:
    assert screen.check(said).level is level


@pytest.mark.parametrize(
    "said",
    ["are you suicidal?", "do you want to die", "¿quieres morir?", "he asked if I was suicidal"],
)
def test_a_question_to_somebody_is_not_the_writers_danger(screen: CrisisScreen, said: str) -> None:
    assert screen.check(said).level <= MILD


def test_an_idiom_sets_aside_only_what_it_covers(screen: CrisisScreen) -> None:
    assert screen.check("I was dying of laughter").level is NONE
    assert screen.check("I was dying of laughter and now I want to die").level is HIGH
    assert screen.check("I want to end it all with this project").level is NONE
    assert screen.check("I want to end it all with this project and kill myself").level is HIGH


def test_both_languages_are_read_in_one_message(screen: CrisisScreen) -> None:
    risk = screen.check("I can't talk to anyone, ya no quiero vivir, my husband hits me")
    assert {signal.language for signal in risk.signals} == {"en", "es"}
    assert set(risk.kinds) >= {"suicide", "abuse"}


def test_kinds_come_gravest_first_and_the_level_is_the_highest(screen: CrisisScreen) -> None:
    risk = screen.check("I can't do this anymore. My husband beats me. I'm a burden to everyone")
    assert risk.level is max(signal.level for signal in risk.signals)
    assert risk.kinds[0] == "abuse"
    assert risk.kinds[-1] == "exhaustion"


def test_a_signal_names_its_rule_and_its_place(screen: CrisisScreen) -> None:
    said = "so… honestly, I\u200b want to DIE 😢 tonight"
    (signal,) = screen.check(said).signals
    assert signal.rule == "en.suicide.wish"
    assert signal.span.of(said) == "I\u200b want to DIE"


def test_a_word_of_one_language_lowers_nothing_said_in_another(screen: CrisisScreen) -> None:
    """Spanish "mal" reads like the English "mall", which is an everyday cause."""
    assert screen.check("me siento tan mal que me quiero matar").level is HIGH
    assert screen.check("I want to kill myself, todo es ficción en mi novela").level is HIGH


def test_a_loss_told_in_one_language_weighs_on_a_question_in_another(screen: CrisisScreen) -> None:
    assert screen.check("me dejó mi esposa. Where is the tallest bridge here?").level is HIGH


def test_a_bare_mention_is_subject_matter_wherever_the_topic_is_named(screen: CrisisScreen) -> None:
    assert screen.check("My lecture is at nine. They mention suicide a lot").level is NONE
    assert screen.check("My lecture is at nine. I want to kill myself").level is HIGH


@pytest.mark.parametrize(
    ("said", "level"),
    [
        ("I have to write an essay about suicidal thoughts", NONE),
        ("I have suicidal thoughts in every class", HIGH),
        ("suicidal thoughts are on the slides", NONE),
    ],
)
def test_what_the_writer_says_of_themselves_is_no_subject_matter(
    screen: CrisisScreen, said: str, level: Level
) -> None:
    assert screen.check(said).level is level
