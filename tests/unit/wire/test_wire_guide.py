"""The guide's reply as a body: what it was made from, where each line stands, and its proof."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, get_args

import pytest

from guide_sample import DANGER, LATE, NOTHING
from handrail.domain.entity import ChatType
from handrail.engine import Engine
from handrail.errors import ReceiptInvalid
from handrail.wire.guide import ChatTypeName, GuideBody, guide_body, retrieve_body

FIRST = {"is_first_conversation": True}
MESSAGES = {"answer": LATE, "safety": DANGER, "abstention": NOTHING}


def body_of(engine: Engine, message: str, **asked: Any) -> dict[str, Any]:
    """A reply as a client gets it: JSON, read again."""
    shown = guide_body(engine.guide_now(message, **asked)).model_dump_json()
    return json.loads(shown)  # type: ignore[no-any-return]


def test_h26_an_answer_names_its_entities_and_every_channel_that_found_them(engine: Engine) -> None:
    body = GuideBody.model_validate(body_of(engine, LATE, user_state=FIRST))
    by_id = {one.entity_id: one for one in body.entities}
    assert body.outcome == "answer"
    assert next(iter(by_id)) == "handler_first_conversation"
    assert by_id["handler_first_conversation"].pin == "state"
    assert {hit.channel for hit in by_id["late_pickups"].channels} >= {"semantic", "pattern"}
    assert by_id["late_pickups"].pin is None
    assert [one.entity_id for one in body.always] == ["rule_child_focus"]
    assert body.trace.ranker == {"by": "fallback", "model": "twin"}


def test_h16_a_citation_is_where_an_entitys_line_stands(engine: Engine) -> None:
    body = GuideBody.model_validate(body_of(engine, LATE, user_state=FIRST))
    assert body.answer is not None
    assert {"late_pickups", "handler_first_conversation"} == {c.entity_id for c in body.citations}
    for cited in body.citations:
        entity = engine.desk.record(cited.entity_id, version=cited.version).entity
        assert body.answer[cited.start : cited.end] == entity.lines(cited.field)[cited.index]


def test_h31_in_danger_the_words_are_a_message_and_the_set_holds_pins_alone(engine: Engine) -> None:
    body = GuideBody.model_validate(body_of(engine, DANGER))
    assert (body.outcome, body.answer, body.refusal) == ("safety", None, None)
    assert [(one.entity_id, bool(one.pin)) for one in body.entities] == [("handler_crisis", True)]
    assert body.message is not None
    spoken = [body.message[cited.start : cited.end] for cited in body.citations]
    crisis = engine.desk.record("handler_crisis").entity
    assert spoken
    assert set(spoken) <= set(crisis.scripts)


def test_h37_fields_of_a_state_that_were_not_used_are_told(engine: Engine) -> None:
    state = {"mood": "low", "conversation_count": "three"}
    warnings = body_of(engine, LATE, user_state=state)["warnings"]
    assert ["conversation_count" in warnings[0], "mood" in warnings[1]] == [True, True]


@pytest.mark.parametrize("replayed", [False, True])
@pytest.mark.parametrize("outcome", MESSAGES)
def test_a_whole_reply_verifies(engine: Engine, outcome: str, replayed: bool) -> None:
    message = MESSAGES[outcome]
    body = body_of(engine, message, user_state=FIRST if outcome == "answer" else {})
    assert body["outcome"] == outcome
    found = engine.verify(body, message=message if replayed else None)
    assert found.ok, found.checks
    names = {check.name for check in found.checks if check.ok}
    assert {"text", "reply"} <= names
    assert ("replay" in names) is replayed


def _reworded(body: dict[str, Any]) -> None:
    body["answer"] = body["answer"].replace("child", "kid", 1)


def _relabelled(body: dict[str, Any]) -> None:
    body["outcome"] = "abstention"


def _another_version(body: dict[str, Any]) -> None:
    body["entities"][-1]["version"] += 1


def _another_entity(body: dict[str, Any]) -> None:
    body["entities"][-1]["entity_id"] = "gray_rock_"


def _one_entity_less(body: dict[str, Any]) -> None:
    body["entities"].pop()


def _another_number(body: dict[str, Any]) -> None:
    body["resources"][0]["value"] = "555 0100"


def _another_notice(body: dict[str, Any]) -> None:
    body["notices"][0]["text"] += " It is a doctor."


def _words_beside(body: dict[str, Any]) -> None:
    body["message"] = "Call me."


CHANGES: list[Callable[[dict[str, Any]], None]] = [
    _reworded,
    _relabelled,
    _another_version,
    _another_entity,
    _one_entity_less,
    _another_number,
    _another_notice,
    _words_beside,
]


@pytest.fixture(scope="module")
def answered(engine: Engine) -> str:
    """A reply that holds, as JSON."""
    return json.dumps(body_of(engine, LATE, user_state=FIRST))


@pytest.mark.parametrize("message", [None, LATE], ids=["alone", "replayed"])
@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__.strip("_"))
def test_a_changed_reply_does_not_verify(
    engine: Engine, answered: str, change: Callable[[dict[str, Any]], None], message: str | None
) -> None:
    body = json.loads(answered)
    change(body)
    assert body != json.loads(answered)
    assert not engine.verify(body, message=message).ok


def test_a_changed_receipt_is_none(engine: Engine, answered: str) -> None:
    body = json.loads(answered)
    body["receipt"]["final"][0][1] += 1
    with pytest.raises(ReceiptInvalid):
        engine.verify(body)


def test_another_message_does_not_replay(engine: Engine, answered: str) -> None:
    assert not engine.verify(json.loads(answered), message=f"{LATE} today").ok


def test_h26_an_explained_search_shows_candidates_drops_pins_and_steps(engine: Engine) -> None:
    tracer = engine.tracer()
    found = engine.guide_find(LATE, user_state=FIRST, tracer=tracer)
    plain = retrieve_body(found, tracer.trace())
    assert (plain.candidates, plain.dropped, plain.pins, plain.steps) == (None,) * 4
    body = retrieve_body(found, tracer.trace(), explain=True)
    assert body.final == plain.final
    assert body.candidates is not None
    assert {one.entity_id for one in body.final} <= {one.entity_id for one in body.candidates}
    assert len(body.candidates) <= 15
    assert all(0 <= one.score <= 1 for one in body.candidates)
    assert body.pins is not None
    assert [(one.entity_id, one.reason) for one in body.pins] == [
        ("handler_first_conversation", "state")
    ]
    unchosen = {one.entity_id for one in body.dropped or () if one.stage == "rank"}
    shown = {one.entity_id for one in body.final}
    assert unchosen == {one.entity_id for one in body.candidates} - shown
    assert {"search_pattern", "search_state", "merge"} <= {step.name for step in body.steps or ()}


def test_h38_the_kinds_of_conversation_are_those_of_entities() -> None:
    assert set(get_args(ChatTypeName)) == {kind.value for kind in ChatType}
