"""What a session of the screen remembers is written down under stable names, and read back."""

from __future__ import annotations

import json
from typing import Any

import pytest

from handrail.domain.risk import Level, Subject
from handrail.errors import InvalidInput
from handrail.rails.crisis.conversation import State
from handrail.rails.crisis.latch import Latch


def latch() -> Latch:
    return (
        Latch()
        .raised(Subject.SELF, Level.MODERATE, turn=1, by="a.rule")
        .raised(Subject.OTHER, Level.MILD, turn=2, by="b.rule")
        .released(Subject.SELF, Level.MILD, turn=3, by="reviewer-7")
    )


LATCH_BODY: dict[str, Any] = {
    "levels": {"self": "mild", "other": "mild", "third": "none"},
    "changes": [
        {
            "turn": 1,
            "subject": "self",
            "before": "none",
            "after": "moderate",
            "reason": "signal",
            "by": "a.rule",
        },
        {
            "turn": 2,
            "subject": "other",
            "before": "none",
            "after": "mild",
            "reason": "signal",
            "by": "b.rule",
        },
        {
            "turn": 3,
            "subject": "self",
            "before": "moderate",
            "after": "mild",
            "reason": "human-release",
            "by": "reviewer-7",
        },
    ],
}
BODY: dict[str, Any] = {
    "turn": 5,
    "latch": LATCH_BODY,
    "heard": ["goodbye", "plan"],
    "told": ["abuse"],
    "signs": {"alone": 2, "empty": 1},
    "counts": {"a.rule": 1, "b.rule": 3},
    "denials": [3, 4],
    "last_signal": 2,
}


def state() -> State:
    return State(
        turn=5,
        latch=latch(),
        heard=("goodbye", "plan"),
        told=("abuse",),
        signs=(("alone", 2), ("empty", 1)),
        counts=(("a.rule", 1), ("b.rule", 3)),
        denials=(3, 4),
        last_signal=2,
    )


def test_a_latch_is_written_with_every_change() -> None:
    assert latch().to_json() == LATCH_BODY
    assert Latch.from_json(LATCH_BODY) == latch()


def test_a_state_is_written_as_plain_values() -> None:
    assert state().to_json() == BODY
    assert State.from_json(json.loads(json.dumps(BODY))) == state()


@pytest.mark.parametrize("key", BODY)
def test_a_state_that_lacks_anything_is_refused(key: str) -> None:
    with pytest.raises(KeyError):
        State.from_json({name: value for name, value in BODY.items() if name != key})


def test_numbers_and_order_are_put_right_when_it_is_read() -> None:
    loose = BODY | {
        "turn": "5",
        "last_signal": "2",
        "heard": ["plan", "goodbye"],
        "counts": {"b.rule": "3", "a.rule": 1},
        "denials": ["3", "4"],
    }
    assert State.from_json(loose) == state()


def test_a_release_names_what_it_would_have_lowered() -> None:
    with pytest.raises(InvalidInput) as refused:
        latch().released(Subject.SELF, Level.HIGH, turn=4, by="reviewer-7")
    assert str(refused.value) == "self is at mild; a release to high lowers nothing"
    with pytest.raises(InvalidInput) as refused:
        latch().released(Subject.SELF, Level.NONE, turn=4, by=" ")
    assert str(refused.value) == "a level is lowered in somebody's name. Say who reviewed it"


def test_a_release_of_a_session_is_dated_by_its_turn() -> None:
    after = state().released(Subject.OTHER, Level.NONE, by="reviewer-7")
    change = after.latch.changes[-1]
    assert (change.turn, change.subject, change.by) == (5, Subject.OTHER, "reviewer-7")
    assert after.heard == state().heard


def asked(**changes: Any) -> State:
    held = Latch().raised(Subject.SELF, Level.MODERATE, turn=1, by="a.rule")
    return State(**{"turn": 4, "latch": held, "denials": (2, 3), "last_signal": 1} | changes)


def test_two_denials_and_three_quiet_turns_lower_moderate_to_mild() -> None:
    after = asked().denied_twice()
    assert after.latch.level is Level.MILD
    assert after.latch.changes[-1].turn == 4
    assert after.latch.changes[-1].by == after.latch.changes[-1].reason == "denied-twice"


@pytest.mark.parametrize(
    "changes", [{"turn": 3}, {"denials": (3,)}, {"denials": ()}, {"last_signal": 2}], ids=str
)
def test_less_than_that_lowers_nothing(changes: dict[str, Any]) -> None:
    quiet = asked(**changes)
    assert quiet.denied_twice() is quiet
