"""Entities as authors write them, and the packaged catalogue as its table fixes it."""

from __future__ import annotations

from typing import Any

import pytest

from handrail.content.entities import (
    MAX_TRIGGERS,
    entity_json,
    packaged_entities,
    read_entity,
)
from handrail.domain.entity import Audience, EntityType, LoadMode, Trigger
from handrail.errors import ContentInvalid
from handrail.flows.guide.triggers import expression

PLAIN: dict[str, Any] = {
    "entity_id": "calm",
    "entity_type": "SCRIPT",
    "load_mode": "SITUATION",
    "title": "Calm",
    "concept_summary": "Being calm.",
}


def read(**changes: Any) -> Any:
    return read_entity({**PLAIN, **changes})


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("calm, breathe ,, pause", ("calm", "breathe", "pause")),
        (["calm", "in, out"], ("calm", "in, out")),
        (None, ()),
        ("", ()),
        (" , ", ()),
    ],
)
def test_h13_h16_keywords_are_a_list_or_the_string_of_older_tables(
    given: object, kept: tuple[str, ...]
) -> None:
    """Resolution 8: both are read, a list is kept."""
    assert read(keywords=given).keywords == kept


def test_h13_patterns_and_conditions_may_be_null_or_absent() -> None:
    one = read(trigger_patterns=None, state_conditions=None)
    assert one == read()
    assert (one.trigger_patterns, one.state_conditions) == ((), None)


@pytest.mark.parametrize(
    ("given", "regex"),
    [
        ("lose it", False),
        ("(not|don't|dont) feel safe", False),
        ("so (very)? sad", False),
        ("threaten* me", False),
        ("no ... left", False),
        ("want(s)? to die", True),
        ("can'?t go on", True),
        ("(need|help).*(calm|calming) down", True),
        ("(with)?in days", True),
        ("colou?r", True),
        (r"\bsnap\b", True),
        ("sna[p]", True),
        ("^snap", True),
    ],
)
def test_h14_h24_a_plain_string_is_a_phrase_or_an_expression_by_its_signs(
    given: str, regex: bool
) -> None:
    (trigger,) = read(trigger_patterns=[given], reviewer="anna").trigger_patterns
    assert trigger == (Trigger(regex=given) if regex else Trigger(phrase=given))
    assert expression(trigger, where="calm")
    if regex:
        with pytest.raises(ContentInvalid, match="needs a reviewer"):
            read(trigger_patterns=[given])


def test_h32_a_trigger_may_bear_its_own_flag() -> None:
    one = read(trigger_patterns=[{"phrase": "lose it", "safety_critical": True}, "snap"])
    assert [each.safety_critical for each in one.trigger_patterns] == [True, None]
    assert entity_json(one)["trigger_patterns"] == [
        {"phrase": "lose it", "safety_critical": True},
        {"phrase": "snap"},
    ]


@pytest.mark.parametrize(
    "broken",
    [
        {"entity_id": "Calm"},
        {"entity_id": "calm/../x"},
        {"entity_id": ""},
        {"entity_type": "PERSONA"},
        {"load_mode": "SOMETIMES"},
        {"load_mode": "STATE"},
        {"load_mode": "STATE", "state_conditions": {}},
        {"title": ""},
        {"priority": 101},
        {"priority": -1},
        {"version": 0},
        {"guidance_do": ["  "]},
        {"recognition": [""]},
        {"keywords": 7},
        {"trigger_patterns": "snap"},
        {"trigger_patterns": [{}]},
        {"trigger_patterns": [{"phrase": "snap", "regex": "snap"}]},
        {"trigger_patterns": ["x"]},
        {"trigger_patterns": ["x" * 1_000]},
        {"trigger_patterns": ["snap"] * (MAX_TRIGGERS + 1)},
        {"audience_types": []},
        {"audience_types": ["JUDGE"]},
        {"chat_types": ["TEA"]},
        {"language": "English"},
        {"similarity_threshold": 0.3},
    ],
)
def test_h36_what_an_author_may_not_write_is_refused_by_name(broken: dict[str, Any]) -> None:
    with pytest.raises(ContentInvalid, match="the entity") as refusal:
        read(**broken)
    assert next(iter(broken)) in str(refusal.value) or "whole" in str(refusal.value)


def test_h20_every_packaged_entity_survives_the_way_through_json() -> None:
    for one in packaged_entities():
        assert read_entity(entity_json(one)) == one


def test_h20_h29_the_packaged_catalogue_is_the_contracts() -> None:
    count = {
        kind: sum(one.entity_type is kind for one in packaged_entities()) for kind in EntityType
    }
    assert count == {
        EntityType.HANDLER: 7,
        EntityType.GUARDRAIL: 5,
        EntityType.RULE: 2,
        EntityType.SCRIPT: 5,
        EntityType.KNOWLEDGE: 11,
        EntityType.SITUATION: 18,
    }
    assert len({one.entity_id for one in packaged_entities()}) == 48
    assert not any(one.chat_types for one in packaged_entities())


def test_h21_every_entity_that_words_may_find_is_populated() -> None:
    """Resolution 5: all are, not the 23 of the first design."""
    for one in packaged_entities():
        wanted = {"title", "concept_summary", "reviewer", "source"}
        if one.load_mode is LoadMode.SITUATION:
            wanted |= {"recognition", "acknowledgement", "guidance_do"}
            wanted |= set() if one.entity_id in _NO_KEYWORDS else {"keywords"}
        assert [name for name in sorted(wanted) if not getattr(one, name)] == [], one.entity_id


_NO_KEYWORDS = {"parent_guilt_free_time", "grief_over_family"}  # found by meaning alone


def test_h15_h38_the_first_conversation_has_one_condition_and_clinicians_their_own() -> None:
    named = {one.entity_id: one for one in packaged_entities()}
    first = named["handler_first_conversation"]
    assert first.state_conditions == {"is_first_conversation": True}
    assert (first.load_mode, first.trigger_patterns, first.keywords) == (LoadMode.STATE, (), ())
    theirs = named["handler_clinician_mode"].audience_types
    assert set(theirs) == {Audience.CLINICIAN, Audience.PROFESSIONAL}


def test_the_other_of_two_that_are_confused_and_every_ban_exists() -> None:
    known = {one.entity_id for one in packaged_entities()}
    for one in packaged_entities():
        assert {*one.confused_with, *one.never_with} <= known - {one.entity_id}, one.entity_id
