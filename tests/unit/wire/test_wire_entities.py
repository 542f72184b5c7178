"""Entities as bodies: nothing is lost on the way out and in, and a history says what changed."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest

from guide_sample import EDITOR, IDS, few, small_store
from handrail.content.entities import entity_json, read_entity
from handrail.domain.entity import Entity
from handrail.engine import Engine
from handrail.flows.guide.dry_run import Message
from handrail.wire.entities import (
    EntityBody,
    dry_run_body,
    entities_body,
    entity_body,
    history_body,
    record_body,
)


@pytest.mark.parametrize("entity", few(), ids=lambda entity: entity.entity_id)
def test_h13_a_body_can_be_sent_again_as_it_is(entity: Entity) -> None:
    assert read_entity(entity_body(entity).model_dump(mode="json")) == entity


def test_h13_a_body_has_every_field() -> None:
    assert list(EntityBody.model_fields) == [field.name for field in fields(Entity)]


def test_a_list_tells_which_entities_are_for_safety() -> None:
    rows = entities_body(few()).entities
    assert [row.entity_id for row in rows] == sorted(IDS)
    assert {row.entity_id for row in rows if row.safety_critical} == {
        "domestic_violence_safety",
        "handler_crisis",
    }


def test_a_history_names_the_fields_of_each_change() -> None:
    store = small_store()
    late = next(one for one in few() if one.entity_id == "late_pickups")
    store.put([replace(late, title="Late", priority=60)], by=EDITOR, at=5.0)
    store.delete("late_pickups", by=EDITOR, at=6.0)
    body = history_body("late_pickups", store.history("late_pickups"))
    told = [(one.version, one.by, one.at, one.is_active, one.changed) for one in body.versions]
    assert told == [
        (1, "handrail", 0.0, True, []),
        (2, EDITOR, 5.0, True, ["title", "priority"]),
        (3, EDITOR, 6.0, False, ["is_active"]),
    ]
    standing = store.get("late_pickups")
    assert standing is not None
    assert record_body(standing).entity.version == 3


def test_h36_a_dry_run_marks_what_is_fresh_what_is_stray_and_what_is_lost(engine: Engine) -> None:
    late = engine.desk.record("late_pickups").entity
    values = {**entity_json(late), "trigger_patterns": [{"phrase": "on the stairs"}]}
    messages = [
        Message("she sat on the stairs again", "gray_rock"),
        Message("I sat on the stairs", "late_pickups"),
        Message("he was forty minutes late"),
    ]
    body = dry_run_body("late_pickups", engine.desk.dry_run(values, messages))
    told = [(one.entity_id, one.by, one.fresh, one.stray) for one in body.matches]
    assert told == [
        ("gray_rock", "trigger 1", True, True),
        ("late_pickups", "trigger 1", True, False),
    ]
    assert {one.text[one.start : one.end] for one in body.matches} == {"on the stairs"}
    assert [one.text for one in body.lost] == ["he was forty minutes late"]
    assert body.tried == 3
