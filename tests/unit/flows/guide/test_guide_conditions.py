"""Conditions on a user's state: a closed language in which nothing is guessed (H12, H37)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handrail.content.entities import packaged_entities
from handrail.errors import ContentInvalid
from handrail.flows.guide.conditions import FIELDS, MAX_DEPTH, Condition, State

HUGE = 10**400


def holds(conditions: dict[str, Any], **state: object) -> bool:
    return Condition.read(conditions, where="x").holds(State.read(state).values)


@pytest.mark.parametrize(
    ("conditions", "state", "expected"),
    [
        ({"is_first_conversation": True}, {"is_first_conversation": True}, True),
        ({"is_first_conversation": True}, {"is_first_conversation": False}, False),
        ({"is_first_conversation": False}, {"is_first_conversation": False}, True),
        ({"is_first_conversation": {"eq": True}}, {"is_first_conversation": True}, True),
        ({"conversation_count": 0}, {"conversation_count": 0}, True),
        ({"conversation_count": 0}, {}, False),
        ({"conversation_count": 0}, {"conversation_count": False}, False),
        ({"conversation_count": [1, 2]}, {"conversation_count": 2}, True),
        ({"conversation_count": {"in": [1, 2]}}, {"conversation_count": 3}, False),
        ({"days_since_last": {"gte": 7}}, {"days_since_last": 7}, True),
        ({"days_since_last": {"gte": 7}}, {"days_since_last": 6.9}, False),
        ({"days_since_last": {"$gte": 7}}, {"days_since_last": 7.0}, True),
        ({"days_since_last": {"gt": 7}}, {"days_since_last": 7}, False),
        ({"days_since_last": {"lt": 7}}, {"days_since_last": 6.9}, True),
        ({"days_since_last": {"lt": 7}}, {"days_since_last": None}, False),
        ({"days_since_last": {"gte": 2, "lt": 7}}, {"days_since_last": 8}, False),
        ({"days_since_last": {"gte": 7}}, {"days_since_last": HUGE}, False),
        ({"last_rating": {"lte": 2}}, {"last_rating": 2}, True),
        ({"last_rating": {"lte": 2}}, {"last_rating": None}, False),
        ({"last_rating": 2}, {"last_rating": 2.0}, True),
        ({"user_type": ["CLINICIAN", "PROFESSIONAL"]}, {"user_type": "PROFESSIONAL"}, True),
        ({"user_type": ["CLINICIAN", "PROFESSIONAL"]}, {"user_type": "PARENT"}, False),
        ({"user_type": ["CLINICIAN", "PROFESSIONAL"]}, {}, False),
        ({"user_type": "CLINICIAN"}, {"user_type": "clinician"}, False),
        ({"session_type": "debrief"}, {"session_type": "debrief"}, True),
    ],
)
def test_h12_h37_conditions_hold_for_values_that_are_there(
    conditions: dict[str, Any], state: dict[str, object], expected: bool
) -> None:
    assert holds(conditions, **state) is expected


def test_h37_all_fields_must_hold() -> None:
    both = {"is_first_conversation": False, "days_since_last": {"gte": 7}}
    assert holds(both, is_first_conversation=False, days_since_last=9)
    assert not holds(both, is_first_conversation=True, days_since_last=9)
    assert not holds(both, days_since_last=9)


def test_h37_any_asks_for_one_of_several_and_the_rest_still_holds() -> None:
    ways = {"any": [{"has_pending_debrief": True}, {"session_type": "debrief"}]}
    assert holds(ways, session_type="debrief")
    assert holds(ways, has_pending_debrief=True, session_type="chat")
    assert not holds(ways, has_pending_debrief=False, session_type="chat")
    assert not holds(ways)
    assert not holds({**ways, "user_type": "PARENT"}, session_type="debrief")
    assert holds({**ways, "user_type": "PARENT"}, session_type="debrief", user_type="PARENT")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("is_first_conversation", "true"),
        ("is_first_conversation", 1),
        ("is_first_conversation", 0),
        ("conversation_count", "9"),
        ("conversation_count", True),
        ("conversation_count", 9.0),
        ("days_since_last", "9"),
        ("days_since_last", False),
        ("days_since_last", float("nan")),
        ("days_since_last", float("inf")),
        ("last_rating", [4]),
        ("user_type", "clinician"),
        ("user_type", 3),
        ("session_type", b"debrief"),
        ("session_type", "debrief\x00"),
        ("session_type", "x" * 1_000),
        ("days_since_last", HUGE),
        ("conversation_count", -HUGE),
        ("session_type", {"eq": "debrief"}),
    ],
)
def test_h37_a_value_of_another_type_counts_as_missing_and_is_told(name: str, value: Any) -> None:
    state = State.read({name: value})
    assert state.values == {}
    assert len(state.warnings) == 1
    assert name in state.warnings[0]
    assert repr(value) not in state.warnings[0]


@pytest.mark.parametrize("name", [*FIELDS, "mood"])
def test_h37_null_is_missing_and_nothing_to_tell_of(name: str) -> None:
    state = State.read({name: None})
    assert state.values == {}
    assert bool(state.warnings) is (name not in FIELDS)


def test_h37_false_and_zero_are_values() -> None:
    given = {"is_first_conversation": False, "conversation_count": 0, "days_since_last": 0}
    assert State.read(given) == State(given, ())


@given(
    st.dictionaries(
        st.sampled_from([*FIELDS, "mood", ""]),
        st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.just(HUGE),
    )
)
def test_h37_any_state_is_read_and_every_packaged_condition_asked(given: dict[str, Any]) -> None:
    state = State.read(given)
    assert set(state.values) <= set(FIELDS)
    conditions = [one.state_conditions for one in packaged_entities() if one.state_conditions]
    read = [Condition.read(each, where="x") for each in conditions]
    for condition in read:
        assert not condition.holds({})
        for name in state.values:  # what is not known never makes a condition hold
            fewer = {other: state.values[other] for other in state.values if other != name}
            assert condition.holds(state.values) or not condition.holds(fewer)


@pytest.mark.parametrize(
    ("broken", "says"),
    [
        ({}, "at least one field"),
        ({"mood": "low"}, "is no field"),
        ({"days_since_last": {"above": 7}}, "is no comparison"),
        ({"days_since_last": {}}, "compares with nothing"),
        ({"days_since_last": None}, "is not a number"),
        ({"days_since_last": "7"}, "is not a number"),
        ({"days_since_last": {"gte": True}}, "is not a number"),
        ({"days_since_last": {"gte": float("nan")}}, "is not a number"),
        ({"is_first_conversation": 1}, "true or false"),
        ({"is_first_conversation": {"gte": True}}, "is no number"),
        ({"user_type": ["CLINICIAN", "ROBOT"]}, "PROFESSIONAL"),
        ({"user_type": []}, "a list of values"),
        ({"session_type": {"in": "debrief"}}, "a list of values"),
        ({"any": []}, "a list of conditions"),
        ({"any": {"user_type": "PARENT"}}, "a list of conditions"),
        ({"any": [None]}, "a condition is an object"),
        ({"any": [{1: 2, "user_type": "PARENT"}]}, "is no field"),
    ],
)
def test_h37_what_the_language_does_not_know_is_refused_by_name(
    broken: dict[str, Any], says: str
) -> None:
    with pytest.raises(ContentInvalid, match=says) as refusal:
        Condition.read(broken, where="the entity")
    assert "the entity" in str(refusal.value)


def test_h37_conditions_nest_a_few_deep() -> None:
    nested: dict[str, Any] = {"user_type": "PARENT"}
    for _ in range(MAX_DEPTH - 1):
        nested = {"any": [nested]}
    assert holds(nested, user_type="PARENT")
    with pytest.raises(ContentInvalid, match="nested"):
        Condition.read({"any": [nested]}, where="x")


STATES = {
    "handler_first_conversation": {"is_first_conversation": True},
    "handler_returning_user": {"is_first_conversation": False, "days_since_last": 7},
    "handler_post_escalation": {"last_rating": 2},
    "handler_celebrating_wins": {"last_rating": 4},
    "handler_clinician_mode": {"user_type": "CLINICIAN"},
    "handler_interaction_debrief": {"session_type": "debrief"},
}


def test_h5_h6_h15_each_handler_is_found_by_its_state_and_no_other_is() -> None:
    """H5: their place is in a user's state; H6: no luck of a text's wording brings them in."""
    asked = {
        one.entity_id: Condition.read(one.state_conditions, where="x")
        for one in packaged_entities()
        if one.state_conditions
    }
    for name, state in STATES.items():
        read = State.read(state)
        assert not read.warnings
        assert [each for each in asked if asked[each].holds(read.values)] == [name]


@pytest.mark.parametrize(
    "state",
    [
        {"is_first_conversation": True, "days_since_last": 30},
        {"days_since_last": 30},
        {"is_first_conversation": False, "days_since_last": 6.9},
        {"is_first_conversation": False, "days_since_last": None},
        {"last_rating": 3},
        {"last_rating": None},
        {"user_type": None},
        {"has_pending_debrief": False, "session_type": "chat"},
    ],
)
def test_h15_h37_what_is_short_of_a_condition_brings_no_handler_but_the_first(
    state: dict[str, object],
) -> None:
    values = State.read(state).values
    found = [
        one.entity_id
        for one in packaged_entities()
        if one.state_conditions and Condition.read(one.state_conditions, where="x").holds(values)
    ]
    first = ["handler_first_conversation"] if state.get("is_first_conversation") else []
    assert found == first
