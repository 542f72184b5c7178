"""A session comes back from its store as it went in, and from nothing else (A8, A63)."""

from __future__ import annotations

import json
import zlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handrail.domain.duties import NoticeState
from handrail.domain.risk import Level, Subject
from handrail.domain.text import Span, digest
from handrail.flows.reframe.limits import Limits
from handrail.flows.reframe.phases import Phase, Position
from handrail.flows.reframe.reading import FAMILIES, Asked
from handrail.flows.reframe.state import (
    Feeling,
    Kept,
    Measures,
    Memory,
    Opened,
    Progress,
    SessionState,
)
from handrail.rails.crisis.conversation import State as Ears
from handrail.rails.crisis.latch import Latch
from handrail.rails.protocol import State as Protocol
from handrail.rails.protocol import Track

TEXT = st.text(st.characters(codec=None), max_size=30)  # lone surrogates among it
NAMES = st.lists(st.text("abcdef-.", min_size=1, max_size=8), max_size=4, unique=True).map(
    lambda names: tuple(sorted(names))
)
SAID = st.dictionaries(st.text("abcdef-", min_size=1, max_size=8), st.integers(1, 9), max_size=5)
COUNTS = SAID.map(lambda counts: tuple(sorted(counts.items())))
SCALE = st.none() | st.integers(0, 10)


@st.composite
def kept(draw: st.DrawFn) -> Kept:
    message = draw(TEXT.filter(bool))
    start = draw(st.integers(0, len(message) - 1))
    span = Span(start, draw(st.integers(start + 1, len(message))))
    return Kept.of(message, span, draw(st.integers(1, 40)))


MAYBE = st.none() | kept()
PROGRESS = st.builds(
    Progress,
    situation=MAYBE,
    thought=MAYBE,
    emotions=st.lists(
        st.builds(Feeling, family=st.sampled_from(FAMILIES), words=kept()), max_size=3
    ).map(tuple),
    intensity=SCALE,
    intensity_words=MAYBE,
    evidence=MAYBE,
    after_words=MAYBE,
)
MEASURES = st.builds(
    Measures,
    suds_pre=SCALE,
    suds_post=SCALE,
    confidence_pre=SCALE,
    confidence_post=SCALE,
    truth=SCALE,
)
MEMORY = st.builds(
    Memory,
    said=COUNTS,
    asked=st.sampled_from(Asked),
    traps=NAMES,
    balanced=TEXT,
    round=st.integers(0, 2),
    checked=st.booleans(),
    skipped=NAMES,
    proposed=st.sampled_from(["", *Phase]).map(str),
)
LIMITS = st.builds(
    Limits,
    max_turns=st.integers(6, 40),
    followups=st.integers(0, 10),
    halfway=st.floats(0.01, 0.99),
    words=st.integers(105, 400),
    summary_words=st.integers(150, 600),
    by=TEXT,
)
POSITIONS = st.builds(
    Position,
    phase=st.sampled_from(Phase),
    turn=st.integers(0, 40),
    followups_left=st.integers(0, 10),
    crisis=st.booleans(),
)
EARS = st.builds(
    Ears,
    turn=st.integers(0, 40),
    latch=st.sampled_from(Subject).map(
        lambda subject: Latch().raised(subject, Level.MODERATE, turn=1, by="a-rule")
    ),
    heard=NAMES,
    told=NAMES,
    signs=COUNTS,
    counts=COUNTS,
    denials=st.lists(st.integers(1, 9), max_size=3).map(tuple),
    last_signal=st.integers(0, 9),
)
PROTOCOLS = st.builds(
    Protocol,
    track=st.none() | st.sampled_from(Track),
    turn=st.integers(0, 9),
    said=COUNTS,
    country=st.none() | st.sampled_from(["IE", "MX"]),
    seed=st.integers(0, 2**32),
)
STATES = st.builds(
    SessionState,
    position=POSITIONS,
    limits=LIMITS,
    user_language=st.sampled_from(["en", "es"]),
    fixed_language=st.booleans(),
    country=st.none() | st.sampled_from(["IE", "MX"]),
    progress=PROGRESS,
    measures=MEASURES,
    memory=MEMORY,
    heard=EARS,
    protocol=PROTOCOLS,
    last_words=TEXT,
    messages=st.integers(0, 40),
    seed=st.integers(0, 2**32),
    arm=TEXT,
    writes=st.booleans(),
    minor=st.booleans(),
    opened=st.builds(
        Opened,
        language=st.sampled_from(["en", "es"]),
        fixed=st.booleans(),
        country=st.none() | st.sampled_from(["IE", "MX"]),
    ),
    doubts=st.integers(0, 3),
    doubting=st.booleans(),
    seen=st.builds(NoticeState, ai=st.none() | st.integers(0), minors=st.none() | st.integers(0)),
)


def stored(state: SessionState) -> Any:
    """As a store keeps it: JSON in bytes, packed."""
    text = json.dumps(state.to_json(), ensure_ascii=False)
    return json.loads(zlib.decompress(zlib.compress(text.encode("utf-8", "surrogatepass"))))


@given(STATES)
def test_a8_a_state_comes_back_from_json_as_it_was(state: SessionState) -> None:
    assert SessionState.from_json(stored(state)) == state


@given(STATES)
def test_a8_the_json_of_what_came_back_is_the_same_json(state: SessionState) -> None:
    body = state.to_json()
    assert SessionState.from_json(stored(state)).to_json() == body


@given(STATES)
def test_a8_the_fields_of_the_contract_stand_in_the_json(state: SessionState) -> None:
    body = state.to_json()
    assert {"phase", "turn", "followups_left", "user_language", "crisis_flag"} <= body.keys()
    assert {"situation", "thought", "emotions", "intensity"} <= body["progress"].keys()
    rated = {"suds_pre", "suds_post", "confidence_pre", "confidence_post"}
    assert rated <= body["measures"].keys()
    assert body["limits"]["max_turns"] == state.limits.max_turns


@given(STATES)
def test_a8_kept_words_stand_where_they_say(state: SessionState) -> None:
    for feeling in state.progress.emotions:
        words = feeling.words
        assert len(words.text) == words.span.end - words.span.start


def test_a63_a_state_of_another_format_is_refused() -> None:
    body = SessionState().to_json()
    for other in (0, 2, "1", None):
        with pytest.raises(ValueError, match="format"):
            SessionState.from_json({**body, "format": other})


@given(st.data())
def test_a63_what_is_no_state_is_refused_in_the_ways_that_are_named(data: st.DataObject) -> None:
    body = SessionState().to_json()
    place = data.draw(st.sampled_from(sorted(set(body) - {"format"})))
    junk = data.draw(
        st.sampled_from([None, [], {}, "", "no", 7, -1, [1, 2], {"a": 1}, [None], True])
    )
    try:
        SessionState.from_json({**body, place: junk})
    except (KeyError, TypeError, ValueError):
        return


def test_a50_a_state_with_limits_that_are_allowed_no_more_is_refused() -> None:
    body = SessionState().to_json()
    with pytest.raises(ValueError, match="no session"):
        SessionState.from_json({**body, "limits": {**body["limits"], "max_turns": 99}})


@pytest.mark.parametrize("gone", sorted(SessionState().to_json()))
def test_a63_a_field_that_is_missing_is_refused(gone: str) -> None:
    body = SessionState().to_json()
    del body[gone]
    with pytest.raises(KeyError):
        SessionState.from_json(body)


def test_a8_words_are_kept_with_the_hash_of_their_message() -> None:
    kept_words = Kept.of("I will fail, I know it", Span(0, 11), 3)
    assert (kept_words.text, kept_words.number) == ("I will fail", 3)
    assert kept_words.sha256 == digest("I will fail, I know it")
