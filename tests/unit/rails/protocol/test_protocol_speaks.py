"""A turn leaves with its lines, people, trace and pins; the proof says what it found."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from protocol_sample import Talk

from handrail.content import content_hash
from handrail.domain.outcome import Receipt
from handrail.errors import ReceiptInvalid
from handrail.rails import receipt as receipts
from handrail.rails.helplines import Helplines
from handrail.rails.protocol import Protocol, State, Track, proof
from handrail.rails.protocol.protocol import shown
from handrail.rails.protocol.turn import Shows
from handrail.rails.verification import Check

Begin = Callable[..., Talk]
HELPLINES = Helplines.packaged()
DANGER = "I want to kill myself"


def test_the_trace_tells_the_phase_and_the_moves(talk: Begin) -> None:
    spoken = talk().say(DANGER)
    step = spoken.reply.trace.step("protocol")
    assert step is not None
    assert step.facts == {"phase": "active", "moves": list(spoken.turn.moves)}
    assert spoken.state == spoken.turn.state


def test_the_receipt_pins_where_the_talk_stands(talk: Begin) -> None:
    body = talk().say(DANGER).reply.receipt.body
    assert body["protocol"] == {
        "phase": "active",
        "track": "self",
        "turn": 1,
        "shows": "people",
    }
    assert (body["flow"], body["country"], body["content"]) == ("test", "IE", content_hash())
    calm = talk(country=None).say("good morning").reply.receipt.body
    assert calm["protocol"] == {"phase": "calm", "track": None, "turn": 1, "shows": "nothing"}
    assert calm["country"] is None


def test_lines_stand_beside_each_other_in_one_paragraph(talk: Begin) -> None:
    session = talk()
    spoken = session.say(DANGER)
    lines = [session.protocol.lines.fragment(State(), move).text for move in spoken.turn.moves]
    assert spoken.reply.text == " ".join(lines)


def ids(found: tuple[Any, ...]) -> list[str]:
    return [resource.id for resource in found]


@pytest.mark.parametrize(
    ("track", "topics"),
    [
        (None, ("suicide", "emotional-support")),
        (Track.SELF, ("suicide", "emotional-support")),
        (Track.THIRD, ("suicide", "emotional-support")),
        (Track.ABUSE, ("domestic-violence",)),
        (Track.WITNESS, ("domestic-violence",)),
        (Track.CHILD, ("child-abuse", "domestic-violence")),
    ],
)
def test_people_fit_the_danger(
    protocol: Protocol, track: Track | None, topics: tuple[str, ...]
) -> None:
    expected = HELPLINES.resources("US", topics=topics)
    assert shown(HELPLINES, country="US", track=track, shows=Shows.PEOPLE) == expected
    assert protocol.resources(State(country="US", track=track)) == expected


def test_the_emergency_number_stands_alone_or_nothing_does(protocol: Protocol) -> None:
    state = State(country="US", track=Track.SELF)
    assert ids(protocol.resources(state, Shows.EMERGENCY)) == ["us-emergency"]
    assert protocol.resources(state, Shows.NOTHING) == ()


@pytest.mark.parametrize(
    ("message", "country"),
    [
        ("Ireland", "IE"),
        ("from Ireland", "IE"),
        ("desde España", "ES"),
        ("soy de México", "MX"),
        ("nowhere", None),
    ],
)
def test_a_bare_name_is_a_country_once_we_asked_for_it(
    talk: Begin, message: str, country: str | None
) -> None:
    asked = talk(country=None)
    assert "resources-country" in asked.say(DANGER).turn.moves
    assert asked.say(message).state.country == country
    unasked = talk(country=None, said=(("resources", 1),))
    assert unasked.say(message).state.country is None


def test_a_stated_country_needs_no_asking(talk: Begin) -> None:
    assert talk(country=None).say("I live in Ireland").state.country == "IE"
    assert talk(country="US").say("I live in Ireland").state.country == "IE"
    assert talk(country="US", said=(("resources-country", 1),)).say("Ireland").state.country == "US"


def proved(
    talk: Begin, *, reply: dict[str, Any] | None = None, message: str | None = None, **pins: Any
) -> tuple[Check, ...]:
    body = {**talk().say(DANGER).reply.receipt.body, **pins}
    receipt = Receipt(receipts.sealed(body).body)
    return proof.checks(receipt, reply, message=message, helplines=HELPLINES)


def test_a_receipt_alone_is_checked_without_its_reply(talk: Begin) -> None:
    found = proved(talk)
    assert [(check.name, check.ok) for check in found] == [
        ("content", True),
        ("fragments", True),
        ("text", True),
    ]


def test_a_replay_is_left_to_the_session(talk: Begin) -> None:
    assert proved(talk, message=DANGER)[-1] == Check(
        "replay", None, "a turn of a conversation is replayed with its session"
    )


def test_a_reply_without_words_is_not_the_one_that_was_said(talk: Begin) -> None:
    for message in (None, 3, ["x"]):
        named = {check.name: check.ok for check in proved(talk, reply={"message": message})}
        assert named["text"] is False


@pytest.mark.parametrize(
    "pins",
    [
        {"protocol": None},
        {"protocol": {}},
        {"protocol": {"track": None}},
        {"protocol": {"track": "nowhere", "shows": "people"}},
        {"protocol": {"track": None, "shows": "all"}},
    ],
    ids=str,
)
def test_pins_of_another_shape_are_refused(talk: Begin, pins: dict[str, Any]) -> None:
    with pytest.raises(ReceiptInvalid) as refused:
        proved(talk, reply={"message": "x"}, **pins)
    assert str(refused.value) == "the receipt does not say how its reply came about"
