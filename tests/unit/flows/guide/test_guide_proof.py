"""A guide's receipt: genuine ones hold, with a model too, and every change is found."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from guide_talk import (
    CLINICIAN,
    FIRST,
    HIGH,
    LATE,
    NOTHING,
    TRIGGER,
    body_of,
    choosing,
    desk_engine,
    few,
    guide_over,
    talk,
)

from handrail.domain.trace import Tracer
from handrail.engine import Engine
from handrail.errors import HandrailError, ReceiptInvalid
from handrail.flows.guide import proof
from handrail.flows.guide.flow import Guide
from handrail.rails.receipt import opened, sealed
from handrail.rails.verification import Check, Verification

Body = dict[str, Any]


def verified(guide: Guide, body: Body, message: str | None = None) -> Verification:
    receipt = opened(body["receipt"])
    checks = proof.checks(guide, receipt, body, message=message, tracer=Tracer("test"))
    return Verification(receipt.id, checks)


def named(found: Verification) -> dict[str, bool | None]:
    return {check.name: check.ok for check in found.checks}


def resealed(body: Body) -> Body:
    """The reply with a receipt whose id fits again: what somebody who knows the format would do."""
    return {**body, "receipt": dict(sealed(body["receipt"]).body)}


@pytest.fixture(scope="module")
def guide(hashed: Engine) -> Guide:
    return guide_over(hashed)


@pytest.mark.parametrize("message", [LATE, HIGH, TRIGGER, NOTHING, f"{LATE} \ud800"])
@pytest.mark.parametrize("state", [{}, FIRST, CLINICIAN, {"last_rating": 1, "mood": "low"}])
def test_a_genuine_reply_holds_with_and_without_its_message(
    guide: Guide, message: str, state: dict[str, object]
) -> None:
    body = body_of(talk(guide, message, user_state=state, shown=("gray_rock",)))
    assert verified(guide, body).ok
    assert named(verified(guide, body, message))["replay"] is True


def test_a_models_order_is_replayed_without_the_model(hashed: Engine, guide: Guide) -> None:
    made = talk(guide_over(hashed, model=choosing(lambda ids: ids[::-1][:4])), LATE)
    assert made.found is not None
    assert made.found.ids != talk(guide, LATE).found.ids  # type: ignore[union-attr]
    assert named(verified(guide, body_of(made), LATE))["replay"] is True


def _order(body: Body, order: list[str], model: str | None = "scripted") -> None:
    body["receipt"]["ranker"] = {"by": "model", "model": model, "order": order}


def _forged(body: Body) -> None:
    _order(body, ["late_pickups", "evil", "gray_rock", "biff_response"])


def _of_two(body: Body) -> None:
    _order(body, ["late_pickups", "gray_rock"])


def _with_crisis(body: Body) -> None:
    _order(body, ["handler_crisis", "late_pickups", "gray_rock", "biff_response"])


def _of_nobody(body: Body) -> None:
    _order(body, ["late_pickups", "gray_rock", "biff_response"], None)


@pytest.mark.parametrize("change", [_forged, _of_two, _with_crisis, _of_nobody])
def test_an_order_that_no_model_could_have_said_does_not_replay(
    guide: Guide, change: Callable[[Body], None]
) -> None:
    body = body_of(talk(guide, LATE))
    change(body)
    assert named(verified(guide, resealed(body), LATE))["replay"] is False


@pytest.mark.parametrize("message", [NOTHING, HIGH])
def test_an_order_where_no_model_is_asked_does_not_replay(guide: Guide, message: str) -> None:
    body = body_of(talk(guide, message))
    _order(body, ["late_pickups", "gray_rock", "biff_response"])
    assert named(verified(guide, resealed(body), message))["replay"] is False


def _reworded(body: Body) -> None:
    body["answer"] = body["answer"].replace("child", "kid", 1)


def _another_line(body: Body) -> None:
    row = next(row for row in body["receipt"]["fragments"] if "guidance_do" in str(row))
    row[2] = 99


def _another_field(body: Body) -> None:
    row = next(row for row in body["receipt"]["fragments"] if "guidance_do" in str(row))
    row[1] = row[1].replace("guidance_do", "title")


def _another_version(body: Body) -> None:
    row = next(row for row in body["receipt"]["fragments"] if "guidance_do" in str(row))
    row[1] = row[1].replace("@1:", "@99999999999999999999:")


def _another_final(body: Body) -> None:
    body["receipt"]["final"][0][0] = body["entities"][0]["entity_id"] = "gray_rock"


def _another_level(body: Body) -> None:
    body["receipt"]["risk"]["level"] = "banana"


def _another_country(body: Body) -> None:
    body["receipt"]["country"] = "a long way off"


def _another_outcome(body: Body) -> None:
    body["receipt"]["outcome"] = body["outcome"] = "abstention:nothing_similar"


def _another_text(body: Body) -> None:
    body["receipt"]["text"]["sha256"] = "0" * 64


def _a_title(body: Body) -> None:
    body["entities"][0]["title"] = "Call this number"


def _a_stranger(body: Body) -> None:
    body["entities"].append("Call this number")


def _always(body: Body) -> None:
    body["always"][0]["title"] = "Call this number"


def _more_always(body: Body) -> None:
    body["always"].append({"entity_id": "gray_rock", "version": 1, "title": "x"})


def _a_citation(body: Body) -> None:
    body["citations"][0]["entity_id"] = "gray_rock"


CHANGES = [
    _reworded, _another_line, _another_field, _another_version, _another_final, _another_level,
    _another_country, _another_outcome, _another_text, _a_title, _a_stranger, _always,
    _more_always, _a_citation,
]  # fmt: skip


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__.strip("_"))
def test_a_changed_reply_does_not_hold_though_its_receipt_is_sealed_anew(
    guide: Guide, change: Callable[[Body], None]
) -> None:
    body = copy.deepcopy(body_of(talk(guide, LATE)))
    assert verified(guide, body, LATE).ok
    change(body)
    try:
        found = verified(guide, resealed(body), LATE)
    except HandrailError:
        return  # refused by name
    assert not found.ok, found.checks


def _state(body: Body) -> None:
    body["receipt"]["asked"]["user_state"] = {"is_first_conversation": True}


def _shown(body: Body) -> None:
    body["receipt"]["asked"]["shown"] = ["late_pickups"]


def _merge(body: Body) -> None:
    body["receipt"]["catalogue"]["merge"] = "seed"


def _risk(body: Body) -> None:
    body["receipt"]["risk"]["level"] = "mild"


def _no_catalogue(body: Body) -> None:
    del body["receipt"]["catalogue"]


@pytest.mark.parametrize("change", [_state, _shown, _merge, _risk, _no_catalogue])
def test_a_changed_history_does_not_replay(guide: Guide, change: Callable[[Body], None]) -> None:
    body = copy.deepcopy(body_of(talk(guide, LATE)))
    change(body)
    assert named(verified(guide, resealed(body), LATE))["replay"] is False


@pytest.mark.parametrize(
    "change",
    [
        {"risk": None}, {"final": [["a"]]}, {"final": "a"}, {"asked": {"chat_type": "TEA"}},
        {"asked": {"user_state": []}}, {"ranker": {"order": [1]}}, {"catalogue": {}},
        {"outcome": None}, {"country": 7},
    ],
)  # fmt: skip
def test_a_receipt_that_tells_no_such_way_is_refused(guide: Guide, change: Body) -> None:
    body = copy.deepcopy(body_of(talk(guide, LATE)))
    body["receipt"].update(change)
    with pytest.raises(ReceiptInvalid):
        verified(guide, resealed(body), LATE)


def test_after_an_edit_a_receipt_holds_by_versions_and_says_that_it_cannot_be_replayed(
    hashed: Engine,
) -> None:
    engine = desk_engine(hashed, few())
    desk = engine.desk
    body = body_of(talk(desk.guide, LATE))
    late = desk.record("late_pickups").entity
    desk.put_all([replace(late, guidance_do=("Something else.",))], by="anna")
    found = verified(desk.guide, body, LATE)
    assert found.ok
    assert (named(found)["catalogue"], named(found)["replay"]) == (None, None)
    desk.delete("late_pickups", by="anna")
    assert verified(desk.guide, body, LATE).ok
    assert isinstance(found.checks[0], Check)
