"""A turn proves itself: its lines, its quotes from earlier messages, its replay, its contract."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest
from reframe_sample import CRISIS, NORMAL, RATED, VAGUE, Talk

from handrail.errors import ReceiptInvalid
from handrail.flows.reframe import Sessions
from handrail.rails import receipt as receipts
from handrail.testing.scripted_model import ScriptedModel

Begin = Callable[..., Talk]
LANGUAGES = ("en", "es")
YES = {"en": "yes, that fits", "es": "sí, me encaja"}


def checked(
    sessions: Sessions, record: dict[str, Any], messages: Sequence[str] | None = None
) -> dict[str, bool | None]:
    """Checks by name, of a record as it comes out of JSON."""
    record = json.loads(json.dumps(record))
    found = sessions.verify(receipts.opened(record), record, messages=messages)
    return {check.name: check.ok for check in found}


def conversation(language: str) -> list[str]:
    """Everything that a session can come to, but danger."""
    return [*NORMAL[language], YES[language], RATED[language], VAGUE[language]]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_turn_of_a_session_verifies_and_replays(
    talk: Begin, sessions: Sessions, language: str
) -> None:
    session = talk(language)
    for message in conversation(language):
        record = session.say(message)
        found = checked(sessions, record, session.messages)
        assert set(found.values()) == {True}, found
        assert "replay" in found


@pytest.mark.parametrize("language", LANGUAGES)
def test_turns_in_danger_verify_and_replay_too(
    talk: Begin, sessions: Sessions, language: str
) -> None:
    session = talk(language)
    messages = [
        NORMAL[language][0],
        CRISIS[language],
        VAGUE[language],
        "un resumen, summary please",
    ]
    for message in messages:
        found = checked(sessions, session.say(message), session.messages)
        assert set(found.values()) == {True}, found


def test_a_quote_of_an_earlier_message_names_it(talk: Begin, sessions: Sessions) -> None:
    session = talk("en")
    session.say(*NORMAL["en"])
    summary = session.say(YES["en"])
    rows = [row for row in summary["receipt"]["fragments"] if row[0] == "echo"]
    assert {row[3] for row in rows} == {1, 2, 3}
    others = ["Something else entirely, said before", *session.messages[1:]]
    found = checked(sessions, summary, others)
    assert (found["messages"], found["replay"]) == (False, False)


def test_without_the_messages_the_record_alone_is_checked(talk: Begin, sessions: Sessions) -> None:
    session = talk("en")
    session.say(*NORMAL["en"])
    found = checked(sessions, session.say(YES["en"]))
    assert found == {"content": True, "fragments": True, "text": True, "reply": True}


@pytest.mark.parametrize(
    "change",
    [
        {"ui_text": "Take a walk."},
        {"phase": "closed"},
        {"turn": 3},
        {"banner": "Hurry up"},
        {"outcome": "safety"},
        {"sentences": ["Other words."]},
        {"resources": [{"id": "x", "label": "A friend", "value": "12345"}]},
        {"notices": [{"id": "ai", "language": "en", "text": "I am a person."}]},
    ],
)
def test_a_changed_record_does_not_pass(
    talk: Begin, sessions: Sessions, change: dict[str, Any]
) -> None:
    record = talk("en").say(NORMAL["en"][0])
    assert False in checked(sessions, {**record, **change}).values()


def test_text_under_contract_is_held_by_its_hash(talk: Begin, sessions: Sessions) -> None:
    text = "That presentation is on your mind a lot. Which thought about it hurts most?"
    model = ScriptedModel(f'<ui>{text}</ui><control>{{"next_phase": "clarify"}}</control>')
    session = talk("en", over=replace(sessions, model=model))
    record = session.say(NORMAL["en"][0])
    found = checked(sessions, record, session.messages)
    assert found.pop("replay") is None
    assert set(found.values()) == {True}
    other = text.replace("hurts", "helps")
    forged = {**record, "ui_text": other, "sentences": [other]}
    assert checked(sessions, forged)["fragments"] is False


def test_a_receipt_that_is_no_turn_is_refused(sessions: Sessions) -> None:
    receipt = receipts.sealed({"flow": "reframe", "outcome": "answer"})
    with pytest.raises(ReceiptInvalid):
        sessions.verify(receipt, dict(receipt.body), messages=None)
