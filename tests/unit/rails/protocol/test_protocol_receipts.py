"""A turn of the protocol leaves through the one door, with a receipt that holds it to its lines."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from protocol_sample import Talk

from handrail.bootstrap import build_engine
from handrail.domain.outcome import Receipt
from handrail.errors import ReceiptInvalid
from handrail.rails import receipt as receipts
from handrail.rails.helplines import Helplines
from handrail.rails.protocol import proof
from handrail.settings import Settings
from handrail.wire import REFUSAL, coach_body

MESSAGE = "I want to kill myself"


@pytest.fixture
def reply(talk: Callable[..., Talk]) -> dict[str, Any]:
    return coach_body(talk().say(MESSAGE).reply).model_dump(mode="json")


def checked(reply: dict[str, Any], message: str | None = None) -> dict[str, bool | None]:
    receipt = receipts.opened(reply)
    found = proof.checks(
        receipt, reply, message=message, helplines=Helplines.packaged(), fixed=(REFUSAL,)
    )
    return {check.name: check.ok for check in found}


def test_the_receipt_rebuilds_the_reply_from_its_lines(reply: dict[str, Any]) -> None:
    assert proof.is_protocol(receipts.opened(reply))
    assert checked(reply) == {"content": True, "fragments": True, "text": True, "reply": True}


def test_a_replay_is_said_to_need_the_session(reply: dict[str, Any]) -> None:
    assert checked(reply, MESSAGE)["replay"] is None


def test_other_words_do_not_pass(reply: dict[str, Any]) -> None:
    assert checked({**reply, "message": reply["message"] + " Go on."})["text"] is False


def test_another_number_does_not_pass(reply: dict[str, Any]) -> None:
    forged = [{**reply["resources"][0], "value": "000"}, *reply["resources"][1:]]
    assert checked({**reply, "resources": forged})["reply"] is False


def test_no_numbers_at_all_do_not_pass(reply: dict[str, Any]) -> None:
    assert checked({**reply, "resources": []})["reply"] is False


def test_a_receipt_holds_no_word_of_either_side(talk: Callable[..., Talk]) -> None:
    spoken = talk().say(f"{MESSAGE} zanzibar")
    body = receipts.canonical_json(dict(spoken.reply.receipt.body))
    assert "zanzibar" not in body
    assert "Thank" not in body


def test_a_receipt_that_does_not_say_where_the_talk_stood_is_refused(
    reply: dict[str, Any],
) -> None:
    body = dict(receipts.opened(reply).body)
    broken = receipts.sealed({**body, proof.PIN: {"track": "nowhere"}})
    with pytest.raises(ReceiptInvalid):
        proof.checks(Receipt(broken.body), reply, message=None, helplines=Helplines.packaged())


def test_the_engine_verifies_it_like_any_other(reply: dict[str, Any], tmp_path: Path) -> None:
    engine = build_engine(Settings(home=tmp_path))
    assert engine.verify(reply, message=MESSAGE).ok
    assert not engine.verify({**reply, "message": "Go on."}).ok


def test_replies_of_other_flows_are_not_taken_for_the_protocols(reply: dict[str, Any]) -> None:
    body = dict(receipts.opened(reply).body)
    body.pop(proof.PIN)
    assert not proof.is_protocol(replace(receipts.opened(reply), body=body))
