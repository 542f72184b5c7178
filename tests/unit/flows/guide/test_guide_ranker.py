"""The bounded call: a model orders what it was shown, and can do nothing else (H8, H31)."""

from __future__ import annotations

import json
from dataclasses import replace
from random import Random

import pytest
from guide_parts import entity, phrases
from guide_talk import (
    CLINICIAN,
    FIRST,
    HIGH,
    LATE,
    NOTHING,
    TRIGGER,
    choosing,
    few,
    guide_over,
    shown_to,
    talk,
)

from handrail.calls import Accept, Prune, Reject
from handrail.domain.outcome import Abstention, Answer, SafetyResponse
from handrail.engine import Engine
from handrail.errors import ModelFailed
from handrail.flows.guide.ranker import (
    MESSAGE_CHARS,
    SUMMARY_CHARS,
    RankerOutput,
    only_what_was_shown,
    shown,
)
from handrail.testing.hostile import KINDS, HostileModel
from handrail.testing.scripted_model import Late, Line, ScriptedModel

THREE = [entity(name) for name in ("a", "b", "c")]


def ruled(*ids: str, least: int = 3, most: int = 6) -> object:
    given = shown("m", [*THREE, entity("d"), entity("e")], least=least, most=most)
    return only_what_was_shown(given, RankerOutput(entity_ids=ids))


def test_h8_what_was_shown_is_accepted_and_the_rest_pruned() -> None:
    assert ruled("c", "a", "b") == Accept()
    pruned = ruled("c", "evil", "a", "a", "b")
    assert isinstance(pruned, Prune)
    assert pruned.value.entity_ids == ("c", "a", "b")
    assert pruned.dropped == ("id-not-offered",) * 2
    cut = ruled("a", "b", "c", "d", most=3)
    assert isinstance(cut, Prune)
    assert cut.value.entity_ids == ("a", "b", "c")


@pytest.mark.parametrize("ids", [(), ("a",), ("a", "a", "a"), ("a", "b", "A"), ("a", "b", "c ")])
def test_h8_too_few_leave_the_order_to_the_twin(ids: tuple[str, ...]) -> None:
    assert isinstance(ruled(*ids), Reject)


def test_fewer_candidates_than_wanted_are_enough() -> None:
    given = shown("m", THREE[:2], least=3, most=6)
    assert given.least == 2
    assert only_what_was_shown(given, RankerOutput(entity_ids=("b", "a"))) == Accept()


def test_a_model_sees_titles_and_summaries_within_bounds() -> None:
    long = entity("long", concept_summary="x" * 2_000, guidance_do=("secret",))
    given = shown("m\ud800" * MESSAGE_CHARS, [long] * 50, least=3, most=6)
    assert len(given.message) == MESSAGE_CHARS
    assert {len(one.summary) for one in given.candidates} == {SUMMARY_CHARS}
    assert "secret" not in given.model_dump_json()


def test_h8_a_model_orders_what_is_shown(hashed: Engine) -> None:
    model = choosing(lambda ids: ids[::-1][:3])
    made = talk(guide_over(hashed, model=model), LATE)
    assert made.found is not None
    asked = [one["entity_id"] for one in shown_to(model.requests[0])["candidates"]]
    assert list(made.found.ids) == asked[::-1][:3]
    assert made.outcome.receipt.body["ranker"] == {
        "by": "model",
        "model": "scripted",
        "order": list(made.found.ids),
    }


@pytest.mark.parametrize(
    "line",
    [
        json.dumps({"entity_ids": ["handler_crisis", "evil", "domestic_violence_safety"]}),
        json.dumps({"entity_ids": []}),
        json.dumps({"entity_ids": ["late_pickups"]}),
        json.dumps({"entity_ids": [1, 2, 3]}),
        json.dumps({"entity_ids": ["late_pickups"] * 60}),
        json.dumps({"ids": ["late_pickups", "gray_rock", "biff_response"]}),
        '{"entity_ids": ["late_pickups"',
        "I would rather write advice.",
        "",
        Late(text='{"entity_ids": []}'),
        ModelFailed("down"),
        RuntimeError("down"),
    ],
)
def test_h31_where_a_model_fails_the_twin_ranks_and_says_the_same(
    hashed: Engine, line: Line
) -> None:
    plain = talk(guide_over(hashed), LATE)
    failed = talk(guide_over(hashed, model=ScriptedModel(line)), LATE)
    assert failed.found == plain.found
    assert failed.outcome.text == plain.outcome.text
    assert failed.outcome.receipt.body["ranker"] == {"by": "fallback", "model": None, "order": None}
    assert failed.outcome.trace.flags["fallback_used"]


def test_a_slow_model_is_waited_for_once(hashed: Engine) -> None:
    model = ScriptedModel(Late())
    talk(guide_over(hashed, model=model), LATE)
    assert (len(model.requests), model.cancelled) == (1, 1)


@pytest.mark.parametrize("kind", KINDS)
def test_h31_no_model_takes_a_pin_away_or_puts_a_word_in(hashed: Engine, kind: str) -> None:
    model = HostileModel(Random(kind), "canary-31")
    model.kind = kind
    guide = guide_over(hashed, model=model)
    for state in (FIRST, {**FIRST, "last_rating": 5}):
        made = talk(guide, LATE, user_state=state)
        assert isinstance(made.outcome, Answer)
        assert made.found is not None
        held = [one.entity.entity_id for one in made.found.final if one.pin]
        assert held == ["handler_first_conversation", "handler_celebrating_wins"][: len(state)]
        assert made.found.ids[: len(held)] == tuple(held)
        assert len(made.found.ids) <= len(held) + 6
        known = {one.entity_id for one in few()}
        assert set(made.found.ids) <= known
        assert not {"handler_crisis", "domestic_violence_safety"} & set(made.found.ids)
        outcome = made.outcome
        assert "canary" not in f"{outcome.text}{outcome.receipt}{outcome.trace}"
    assert model.calls > 0


@pytest.mark.parametrize("message", [HIGH, TRIGGER, NOTHING])
def test_h31_in_danger_and_where_nothing_fits_no_model_is_asked(
    hashed: Engine, message: str
) -> None:
    model = choosing(lambda ids: ids[:3])
    made = talk(guide_over(hashed, model=model), message)
    assert model.requests == []
    assert isinstance(made.outcome, Abstention if message == NOTHING else SafetyResponse)


def test_h31_beside_a_mild_danger_no_model_is_asked(hashed: Engine) -> None:
    violence = next(one for one in few() if one.entity_id == "domestic_violence_safety")
    told = few(replace(violence, trigger_patterns=phrases("zebra crossing")))
    model = choosing(lambda ids: ids[:3])
    made = talk(guide_over(hashed, told, model=model), f"{LATE} at the zebra crossing")
    assert made.found is not None
    assert made.found.final[0].by_danger
    assert model.requests == []


def test_h40_a_model_is_not_shown_what_was_shown_of_late(hashed: Engine) -> None:
    model = choosing(lambda ids: ids[:3])
    made = talk(guide_over(hashed, model=model), LATE, shown=("late_pickups",))
    asked = {one["entity_id"] for one in shown_to(model.requests[0])["candidates"]}
    assert "late_pickups" not in asked
    assert made.found is not None
    assert "late_pickups" not in made.found.ids


def test_a_model_is_asked_for_professionals_too_and_handlers_are_not_its_to_order(
    hashed: Engine,
) -> None:
    model = choosing(lambda ids: [*ids[:3], "handler_clinician_mode"])
    made = talk(guide_over(hashed, model=model), LATE, user_state=CLINICIAN)
    assert "handler" not in str(shown_to(model.requests[0])["candidates"])
    assert made.found is not None
    assert made.found.ids[0] == "handler_clinician_mode"


def test_a_message_that_no_json_can_carry_is_answered(hashed: Engine) -> None:
    model = choosing(lambda ids: ids[:3])
    for guide in (guide_over(hashed), guide_over(hashed, model=model)):
        assert isinstance(talk(guide, f"{LATE} \ud800").outcome, Answer)
    assert shown_to(model.requests[0])["message"].endswith("?")
