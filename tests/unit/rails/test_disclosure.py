"""Whoever asks whether a person answers is understood, in both languages and in messy spelling."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from handrail.adapters.re2 import Re2Engine
from handrail.content import load_coach
from handrail.domain.duties import DEFAULT_DUTIES, UNSEEN, NoticeState
from handrail.rails.disclosure import Discloser, packaged_questions

NOW = 1_800_000_000.5

ASKED_EN = [
    "are you a real person?",
    "Are you human",
    "r u a bot??",
    "am i talking to a bot",
    "Am I really talking with a human being here?",
    "wait, is this just a chatbot",
    "Is this an AI?",
    "Is there an actual person reading this?",
    "is anyone real typing this",
    "you're just a machine, aren't you",
    "youre not even a real person",
    "do you use artificial intelligence",
    "who am I talking to?",
    "Who are you?",
    "human or robot?",
    "did a computer write this",
    "I want to know if you are a human",
    "ARE YOU A ROBOT",
    "are you reall? are you a r3al person",
]
ASKED_ES = [
    "¿eres una persona?",
    "eres un robot",
    "¿Sos humano?",
    "¿estoy hablando con una máquina?",
    "hablo con una persona real?",
    "¿esto es un bot?",
    "¿hay alguien ahí leyendo?",
    "¿usan inteligencia artificial?",
    "¿Con quién hablo?",
    "¿quién eres?",
    "persona o robot?",
    "quiero saber si eres humana",
    "¿me responde una máquina?",
]
NOT_ASKED = [
    "I feel like a robot at work.",
    "My manager treats me like a machine.",
    "He is a real person with real feelings, and I hurt him.",
    "I am only human and I am tired.",
    "My son builds a robot for school and I feel proud.",
    "They replaced my job with software and I am anxious.",
    "I never know what to say to people.",
    "Are you able to help me sleep?",
    "Trabajo con ordenadores y estoy agotada.",
    "Creo que eres mala conmigo, me dijo mi madre.",
    "Mi hermana es una persona muy dura.",
    "Me siento como una máquina.",
]


@cache
def discloser() -> Discloser:
    return Discloser(
        duties=DEFAULT_DUTIES,
        questions=packaged_questions(Re2Engine()),
        content=load_coach(),
        clock=lambda: NOW,
    )


def shown(message: str, **options: Any) -> list[tuple[str, str]]:
    given: dict[str, Any] = {"seen": NoticeState(ai=int(NOW)), "minor": False, "language": None}
    notices, _ = discloser().beside(message, **(given | options))
    return [(notice.id, notice.language) for notice in notices]


@pytest.mark.parametrize("message", ASKED_EN)
def test_a_question_in_english_is_answered_in_english(message: str) -> None:
    assert shown(message) == [("ai-asked", "en")]


@pytest.mark.parametrize("message", ASKED_ES)
def test_a_question_in_spanish_is_answered_in_spanish(message: str) -> None:
    assert shown(message) == [("ai-asked", "es")]


@pytest.mark.parametrize("message", NOT_ASKED)
def test_machines_and_people_as_a_subject_are_no_question(message: str) -> None:
    assert shown(message) == []


def test_what_is_due_is_said_in_the_language_of_the_message() -> None:
    assert shown("hola", seen=UNSEEN, language="es") == [("ai-notice", "es")]
    assert shown("hello", seen=UNSEEN, minor=True) == [
        ("ai-notice", "en"),
        ("minors-reminder", "en"),
    ]


def test_a_language_without_notices_gets_the_english_ones() -> None:
    assert shown("bonjour", seen=UNSEEN, language="fr") == [("ai-notice", "en")]


def test_the_words_are_the_reviewed_ones() -> None:
    content = load_coach()
    notices, _ = discloser().beside("eres un bot?", seen=UNSEEN, minor=True, language=None)
    for notice in notices:
        assert notice.text == content.piece(f"{notice.id}.{notice.language}", 0)


def test_what_could_not_be_read_may_have_been_the_question() -> None:
    notices, state = discloser().unread(seen=NoticeState(ai=int(NOW)), minor=False, language="es")
    assert [(notice.id, notice.language) for notice in notices] == [("ai-asked", "es")]
    assert state.ai == int(NOW)


def test_where_the_answer_is_not_owed_the_question_changes_nothing() -> None:
    silent = replace(discloser(), duties=replace(DEFAULT_DUTIES, redisclose_when_asked=False))
    seen = NoticeState(ai=int(NOW))
    assert silent.beside("are you a bot", seen=seen, minor=False, language=None)[0] == ()
