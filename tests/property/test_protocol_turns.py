"""Any conversation whatever: what a turn may be, and what may not come twice."""

from __future__ import annotations

import json
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from handrail.adapters.re2 import Re2Engine
from handrail.domain.reply import Layout, Vetted
from handrail.domain.trace import Tracer
from handrail.rails.crisis import load_screen
from handrail.rails.crisis.answers import Answer
from handrail.rails.crisis.conversation import State as Ears
from handrail.rails.crisis.conversation import hear
from handrail.rails.protocol import Event, Phase, Protocol, Spoken, State, Track
from handrail.rails.protocol import moves as m
from handrail.rails.protocol.reading import ASIDES
from handrail.rails.protocol.turn import Reading, Shows, Turn, advance

SCREEN = load_screen(Re2Engine())
PROTOCOL = Protocol.packaged(Re2Engine())

READINGS = st.builds(
    Reading,
    event=st.sampled_from(Event),
    track=st.sampled_from([None, *Track]),
    also=st.lists(st.sampled_from(Track), max_size=2).map(tuple),
    answer=st.sampled_from(Answer),
    direct=st.booleans(),
    facts=st.lists(
        st.tuples(
            st.sampled_from(["ask-when", "ask-company", "ask-call"]), st.sampled_from(Answer)
        ),
        max_size=2,
    ).map(tuple),
    asides=st.lists(st.sampled_from(ASIDES), max_size=2, unique=True).map(tuple),
    quiet=st.booleans(),
    wants_numbers=st.booleans(),
    country=st.sampled_from([None, "IE", "MX"]),
)
SAID = (
    "hello",
    "I want to die",
    "I'm going to kill myself tonight",
    "I feel like a burden to everyone",
    "yes",
    "no",
    "I don't know",
    "...",
    "",
    "forget it, I was joking",
    "stop asking me questions",
    "I have to go",
    "no police please",
    "are you a bot?",
    "how many pills would it take",
    "what's the quickest way to do it",
    "my husband hit me and I'm scared of him",
    "I'm going to kill my boss",
    "my friend says she wants to die",
    "the voices keep telling me to do it",
    "me quiero morir",
    "no tengo dinero para terapia",
    "I live in Ireland",
    "who can I call?",
    "my sister is here",
    "this is useless",
)


def talked(messages: list[str], seed: int) -> list[Spoken]:
    state, ears, before = State(seed=seed), Ears(), None
    every: list[Spoken] = []
    for message in messages:
        heard = hear(SCREEN, ears, message, before=before)
        spoken = PROTOCOL.respond(
            state, heard, message, flow="test", tracer=Tracer("t", clock=lambda: 0.0)
        )
        every.append(spoken)
        state, ears, before = spoken.state, heard.state, spoken.reply.text
    return every


def turns(readings: list[Reading]) -> list[Turn]:
    state = State()
    every = []
    for reading in readings:
        every.append(advance(state, reading))
        state = every[-1].state
    return every


@given(st.lists(READINGS, max_size=16))
def test_no_question_comes_twice(readings: list[Reading]) -> None:
    asked = [turn.question for turn in turns(readings) if turn.question]
    urgent = {question for listed in m.NOW.values() for question in listed if m.asks(question)}
    about = [question for question in asked if question not in urgent]
    assert len(set(about)) == len(about)


@given(st.lists(READINGS, max_size=16))
def test_a_turn_is_short_asks_once_and_is_never_empty(readings: list[Reading]) -> None:
    for turn in turns(readings):
        assert turn.moves
        assert sum(map(m.asks, turn.moves)) <= 1
        assert sum(map(m.size, turn.moves)) <= m.MAX_SENTENCES
        assert len(set(turn.moves)) == len(turn.moves)


@given(st.lists(READINGS, max_size=16))
def test_imminent_danger_stays_so_and_its_number_stays_in_sight(readings: list[Reading]) -> None:
    phases = [(turn.state.phase, turn.shows) for turn in turns(readings)]
    for (before, _), (after, shows) in pairwise(phases):
        if before is Phase.IMMINENT:
            assert after is Phase.IMMINENT
            assert shows is not Shows.NOTHING


@given(st.lists(READINGS, max_size=12))
def test_a_state_survives_json(readings: list[Reading]) -> None:
    for turn in turns(readings):
        assert State.from_json(json.loads(json.dumps(turn.state.to_json()))) == turn.state


@given(st.lists(st.sampled_from(SAID), max_size=12), st.integers(0, 3))
def test_every_word_is_reviewed_and_at_most_three_ways_to_people_are_shown(
    messages: list[str], seed: int
) -> None:
    for spoken in talked(messages, seed):
        assert all(
            isinstance(fragment.provenance, (Vetted, Layout)) for fragment in spoken.reply.fragments
        )
        assert len(spoken.reply.resources) <= 3
        assert spoken.reply.text.count("?") <= 1


@given(st.lists(st.sampled_from(SAID), max_size=12), st.integers(0, 3))
def test_the_same_conversation_gets_the_same_words(messages: list[str], seed: int) -> None:
    first, second = talked(messages, seed), talked(messages, seed)
    assert [s.reply.receipt.id for s in first] == [s.reply.receipt.id for s in second]


@given(st.lists(st.sampled_from(SAID), max_size=12), st.integers(0, 3))
def test_no_word_of_the_person_is_kept_in_the_state(messages: list[str], seed: int) -> None:
    marked = [f"{message} zanzibar" for message in messages]
    for spoken in talked(marked, seed):
        assert "zanzibar" not in json.dumps(spoken.state.to_json())
        assert "zanzibar" not in spoken.reply.text
        assert "zanzibar" not in json.dumps(dict(spoken.reply.receipt.body))
