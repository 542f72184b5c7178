"""The acceptance scenarios of the contract, in English and Spanish (A12-A15, A23, A29, A32-A34)."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from reframe_sample import CRISIS, MILD_CALM, NORMAL, RATED, VAGUE, Talk

from handrail.flows.reframe import Sessions

LANGUAGES = ("en", "es")
TRAPS = {"en": ("mind reading", "catastrophiz"), "es": ("lectura de mente", "catastrofismo")}
HALFWAY = {"en": "Halfway through; we'll aim to reframe soon"}
LAST = {"en": "We're at the end. I'll summarize next"}

Begin = Callable[..., Talk]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a32_a_normal_session_asks_one_thing_at_a_time_and_ends_in_a_summary(
    talk: Begin, language: str
) -> None:
    session, said = talk(language), NORMAL[language]
    opening = session.say(said[0])
    assert opening["phase"] == "warmup"
    assert opening["ui_text"].count("?") == 1
    asks_emotion = session.say(said[1])
    assert (asks_emotion["phase"], session.moves[-1]) == ("clarify", "ask-emotion")
    asks_intensity = session.say(said[2])
    assert (asks_intensity["phase"], session.moves[-1]) == ("clarify", "ask-intensity")
    assert "10" in asks_intensity["ui_text"]
    reframe = session.say(said[3])
    assert reframe["phase"] == "reframe"
    assert all(trap in reframe["ui_text"].lower() for trap in TRAPS[language])
    assert any(move.startswith("balanced-") for move in session.moves)
    summary = session.say({"en": "yes, that fits", "es": "sí, me encaja"}[language])
    assert summary["phase"] == "summary"
    assert summary["ui_text"].count("\n• ") == 3
    for word in {"en": ("anxi", "confiden"), "es": ("ansiedad", "confianza")}[language]:
        assert word in summary["ui_text"].lower()


@pytest.mark.parametrize("language", LANGUAGES)
def test_a31_a61_ratings_fill_the_measures_and_are_told_back(talk: Begin, language: str) -> None:
    session = talk(language)
    session.say(*NORMAL[language], {"en": "yes", "es": "sí"}[language])
    wrap = session.say(RATED[language])
    assert wrap["phase"] == "followup"
    state = wrap["state"]
    assert (state["suds_pre"], state["suds_post"]) == (8, 4)
    assert state["confidence_post"] == 5
    assert "wrap-eased" in session.moves


@pytest.mark.parametrize("language", LANGUAGES)
def test_a33_a_crisis_in_clarify_leads_to_a_summary_with_the_safety_message(
    talk: Begin, language: str
) -> None:
    session = talk(language)
    session.say(*NORMAL[language][:2])
    reply = session.say(CRISIS[language])
    assert (reply["phase"], reply["outcome"]) == ("summary", "safety")
    assert reply["state"]["crisis_flag"] is True
    assert reply["control"]["crisis_detected"] is True


@pytest.mark.parametrize("language", LANGUAGES)
def test_a24_the_safety_message_has_its_four_elements(talk: Begin, language: str) -> None:
    text = talk(language).say(CRISIS[language])["ui_text"].lower()
    elements = {
        "en": ("sorry", "your safety matters", "emergency services", "brief summary"),
        "es": ("lamento", "tu seguridad", "emergencia", "resumen"),
    }
    assert [part for part in elements[language] if part not in text] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a58_after_a_crisis_nothing_is_reframed_and_the_session_closes(
    talk: Begin, language: str
) -> None:
    session = talk(language)
    session.say(NORMAL[language][0])
    crisis = session.say(CRISIS[language])
    assert crisis["turn"] == 2  # it counts
    after = session.say(NORMAL[language][1])
    assert (after["phase"], after["outcome"]) == ("closed", "safety")
    assert after["end_of_session"] is True
    later = session.say(NORMAL[language][0])
    assert (later["phase"], later["outcome"]) == ("closed", "safety")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a12_a13_a14_a34_limits_bring_banners_a_real_summary_and_an_end(
    talk: Begin, language: str
) -> None:
    session = talk(language)
    records = [session.say(VAGUE[language]) for _ in range(15)]
    assert [record["turn"] for record in records[:14]] == list(range(1, 15))
    halfway, last = records[6], records[12]
    if language == "en":
        assert halfway["banner"] == HALFWAY["en"]
        assert last["banner"] == LAST["en"]
    assert halfway["banner"]
    assert last["banner"]
    assert last["phase"] == "summary"
    assert last["ui_text"].count("\n• ") == 3
    assert records[13]["end_of_session"] is True
    assert records[13]["phase"] == "summary"
    assert "\n• " in records[13]["ui_text"]
    assert records[14]["phase"] == "closed"
    others = [r["banner"] for at, r in enumerate(records) if at not in (6, 12)]
    assert others == [None] * 13


@pytest.mark.parametrize("language", LANGUAGES)
def test_a15_a56_three_follow_ups_and_the_session_is_closed(talk: Begin, language: str) -> None:
    session = talk(language)
    session.say(*NORMAL[language], {"en": "yes", "es": "sí"}[language])
    question = {"en": "What is mind reading?", "es": "¿Qué es la lectura de mente?"}[language]
    left = [session.say(question)["followups_left"] for _ in range(3)]
    assert left == [2, 1, 0]
    assert session.told[-1].record["end_of_session"] is True
    closed = session.say(question)
    assert closed["phase"] == "closed"
    assert closed["ui_text"] == session.say("hello")["ui_text"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a23_wanting_to_hurt_oneself_is_a_crisis_and_stress_is_none(
    talk: Begin, language: str
) -> None:
    assert talk(language).say(CRISIS[language])["outcome"] == "safety"
    assert talk(language).say(MILD_CALM[language])["outcome"] == "answer"


def test_a29_a_first_turn_by_its_name(sessions: Sessions) -> None:
    first = Talk(sessions=sessions, session_id="session_123").say("I'm anxious")
    assert first["phase"] in {"warmup", "clarify"}
    assert first["ui_text"]


def test_a16_a_result_has_the_fields_of_the_contract(talk: Begin) -> None:
    session = talk()
    session.say("I'm anxious")
    result = session.told[-1].result
    assert result is not None
    assert set(result.as_dict()) == {
        "phase",
        "turn",
        "followups_left",
        "banner",
        "ui_text",
        "control",
        "state",
        "end_of_session",
    }
    assert set(result.as_dict()["control"]) == {
        "next_phase",
        "missing_fields",
        "suggest_questions",
        "crisis_detected",
    }


@pytest.mark.parametrize("language", LANGUAGES)
def test_a8_the_state_that_is_shown_has_the_fields_of_the_contract(
    talk: Begin, language: str
) -> None:
    session = talk(language)
    state = session.say(*NORMAL[language])["state"]
    assert state["max_turns"] == 14
    assert state["user_language"] == language
    assert state["progress"]["thought"] == NORMAL[language][1]
    assert state["progress"]["intensity"] == 8
    assert {"suds_pre", "suds_post", "confidence_pre", "confidence_post"} < set(state)
