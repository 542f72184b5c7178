"""What a session of the protocol remembers survives being written down, value by value."""

from __future__ import annotations

import json
from typing import Any

import pytest

from handrail.rails.crisis.answers import Answer
from handrail.rails.protocol.state import Phase, State, Track, in_order

FULL = State(
    phase=Phase.ACTIVE,
    track=Track.OTHERS,
    turn=4,
    tracks=(Track.SELF, Track.OTHERS),
    closed=(Track.THIRD,),
    pending="ask-plan",
    facts=(("ask-harm", Answer.YES), ("ask-target", Answer.UNSURE)),
    said=(("ack-others", 1), ("ask-harm", 2)),
    unanswered=1,
    mild=3,
    quiet=True,
    shown_for="ZZ",
    country="ZZ",
    language="es",
    seed=9,
)
BODY: dict[str, Any] = {
    "phase": "active",
    "track": "others",
    "turn": 4,
    "tracks": ["self", "others"],
    "closed": ["third"],
    "pending": "ask-plan",
    "facts": {"ask-harm": "yes", "ask-target": "unsure"},
    "said": {"ack-others": 1, "ask-harm": 2},
    "unanswered": 1,
    "mild": 3,
    "quiet": True,
    "shown_for": "ZZ",
    "country": "ZZ",
    "language": "es",
    "seed": 9,
}


@pytest.mark.parametrize("state", [State(), FULL])
def test_a_state_comes_back_as_it_was(state: State) -> None:
    assert State.from_json(json.loads(json.dumps(state.to_json()))) == state


def test_a_state_is_written_as_plain_values_under_stable_names() -> None:
    assert FULL.to_json() == BODY
    empty = State().to_json()
    assert (empty["phase"], empty["track"], empty["pending"], empty["country"]) == (
        "calm",
        None,
        None,
        None,
    )


@pytest.mark.parametrize("key", BODY)
def test_a_state_that_lacks_anything_is_refused(key: str) -> None:
    with pytest.raises(KeyError):
        State.from_json({name: value for name, value in BODY.items() if name != key})


def test_numbers_and_order_are_put_right_when_it_is_read() -> None:
    loose = BODY | {
        "turn": "4",
        "mild": "3",
        "seed": "9",
        "unanswered": "1",
        "quiet": 1,
        "tracks": ["others", "self", "others"],
        "facts": dict(reversed(BODY["facts"].items())),
        "said": {"ask-harm": "2", "ack-others": "1"},
    }
    assert State.from_json(loose) == FULL


def test_what_was_never_said_or_asked_counts_as_nothing() -> None:
    assert (FULL.count("ask-harm"), FULL.count("ask-plan")) == (2, 0)
    assert (FULL.fact("ask-harm"), FULL.fact("ask-plan")) == (Answer.YES, Answer.NONE)


def test_a_new_answer_takes_the_place_of_the_old_one() -> None:
    again = FULL.with_fact("ask-harm", Answer.NO)
    assert again.facts == (("ask-harm", Answer.NO), ("ask-target", Answer.UNSURE))
    more = FULL.with_fact("ask-a", Answer.NO)
    assert [question for question, _ in more.facts] == ["ask-a", "ask-harm", "ask-target"]


def test_tracks_stand_by_rank_and_once() -> None:
    assert in_order([Track.THIRD, Track.SELF, Track.MEDICAL, Track.SELF]) == (
        Track.MEDICAL,
        Track.SELF,
        Track.THIRD,
    )
    assert [track.rank for track in Track] == list(range(len(Track)))
