"""The table knows every phase and every event, and what may never happen does not stand in it."""

from __future__ import annotations

from itertools import product

import pytest

from handrail.rails.crisis.answers import Answer
from handrail.rails.protocol import Event, Phase, State, Track
from handrail.rails.protocol import moves as m
from handrail.rails.protocol.table import TABLE, Then
from handrail.rails.protocol.turn import Reading, Shows, advance


def test_there_is_a_row_for_every_phase_and_every_event() -> None:
    assert set(TABLE) == set(Phase)
    assert all(set(rows) == set(Event) for rows in TABLE.values())


def test_nothing_leads_from_imminent_danger_to_anything_less() -> None:
    assert {row.phase for row in TABLE[Phase.IMMINENT].values()} == {Phase.IMMINENT}


def test_imminent_danger_leads_there_from_everywhere_and_at_once() -> None:
    for phase in set(Phase) - {Phase.IMMINENT}:
        row = TABLE[phase][Event.IMMINENT]
        assert (row.phase, row.then) == (Phase.IMMINENT, Then.NOW)


def test_who_denies_is_not_asked_again_without_a_new_sign() -> None:
    for event in set(Event) - {Event.IMMINENT, Event.GRAVE, Event.SIGN, Event.METHOD}:
        row = TABLE[Phase.DENIED][event]
        assert row.phase is Phase.DENIED
        assert row.then not in (Then.ASK, Then.AGAIN)


def test_a_calm_talk_gets_no_question_about_danger_and_no_numbers() -> None:
    for event in set(Event) - {Event.IMMINENT, Event.GRAVE, Event.SIGN, Event.METHOD}:
        turn = advance(State(), Reading(event=event))
        assert turn.question is None
        assert turn.shows is Shows.NOTHING


@pytest.mark.parametrize("phase", list(Phase))
def test_every_state_answers_every_reading(phase: Phase) -> None:
    """Total: whatever stands and whatever is said, there is a turn with words in it."""
    pendings = [None, "ask-thoughts", "ask-when", "ask-company", "ask-willing", "ask-channel"]
    for track, event, of, answer, pending in product(
        [None, *Track], Event, [None, *Track], Answer, pendings
    ):
        state = State(phase=phase, track=track, pending=pending)
        turn = advance(state, Reading(event=event, track=of, answer=answer))
        assert turn.moves
        assert sum(map(m.asks, turn.moves)) <= 1
        assert sum(map(m.size, turn.moves)) <= m.MAX_SENTENCES


@pytest.mark.parametrize("track", list(Track))
def test_imminent_danger_is_met_with_number_people_and_distance_at_once(track: Track) -> None:
    turn = advance(State(), Reading(event=Event.IMMINENT, track=track))
    assert turn.state.phase is Phase.IMMINENT
    assert turn.shows is Shows.PEOPLE
    assert [move for move in turn.moves if move != "resources-country"] == list(m.NOW[track])
    assert turn.moves[0].startswith("now-")


def test_two_different_mild_signs_are_asked_about() -> None:
    first = advance(State(), Reading(event=Event.MILD))
    second = advance(first.state, Reading(event=Event.MILD))
    assert (first.question, second.question) == (None, "ask-thoughts")


def test_every_table_of_dangers_knows_every_danger() -> None:
    for table in (
        m.QUESTIONS,
        m.FIRST_WORDS,
        m.NOW,
        m.NOW_QUESTIONS,
        m.NOW_HELP,
        m.HELP,
        m.PARTING,
    ):
        assert set(table) == set(Track)
