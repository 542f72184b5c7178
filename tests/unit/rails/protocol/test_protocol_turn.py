"""Our turn after theirs: what is said and shown, and where the talk stands then, case by case."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from handrail.rails.crisis.answers import Answer
from handrail.rails.protocol.state import Event, Phase, State, Track
from handrail.rails.protocol.turn import Reading, Turn, advance

YES, NO, UNSURE = Answer.YES, Answer.NO, Answer.UNSURE


def once(*moves: str) -> tuple[tuple[str, int], ...]:
    """Each of the moves was made once, and it was said that this is software."""
    return tuple(sorted((move, 1) for move in {"ai", *moves}))


def active(**changes: Any) -> State:
    """Danger to oneself is talked about, and the help of the country was shown."""
    given: dict[str, Any] = {
        "phase": Phase.ACTIVE,
        "track": Track.SELF,
        "tracks": (Track.SELF,),
        "turn": 2,
        "country": "IE",
        "shown_for": "IE",
        "said": once(),
    }
    return State(**given | changes)


def imminent(**changes: Any) -> State:
    return active(phase=Phase.IMMINENT, **changes)


def support(**changes: Any) -> State:
    return active(phase=Phase.SUPPORT, closed=(Track.SELF,), **changes)


def denied(**changes: Any) -> State:
    return active(phase=Phase.DENIED, closed=(Track.SELF,), **changes)


def said(event: Event, **more: Any) -> Reading:
    return Reading(event=event, **more)


def yes(**more: Any) -> Reading:
    return said(Event.YES, answer=YES, **more)


def no(**more: Any) -> Reading:
    return said(Event.NO, answer=NO, **more)


TALK = said(Event.TALK)
KNOWN = State(country="IE")
ALL_ASKED = tuple((f"ask-{q}", NO) for q in ("means", "plan", "safe", "thoughts", "when"))
ALL_OFFERED = once("wait", "keep-call", "keep-company", "keep-distance")
NOTHING_DONE = tuple((f"ask-{q}", NO) for q in ("call", "company", "distance"))
ALL_DONE = tuple((f"ask-{q}", YES) for q in ("call", "company", "distance"))

# what they say in which state: our moves, what is shown, the phase and the danger then
TURNS: Mapping[str, tuple[State, Reading, str, str, str]] = {
    "a first word": (State(), TALK, "hello ai", "nothing", "calm"),
    "a later word": (State(turn=1), TALK, "listen ai", "nothing", "calm"),
    "numbers are asked for": (
        KNOWN,
        said(Event.TALK, wants_numbers=True),
        "hello ai resources",
        "people",
        "calm",
    ),
    "numbers without a country": (
        State(),
        said(Event.TALK, wants_numbers=True),
        "hello ai resources-country",
        "people",
        "calm",
    ),
    "a sign": (
        State(),
        said(Event.SIGN, track=Track.SELF),
        "ack-first ai resources-country ask-thoughts",
        "people",
        "asked self",
    ),
    "a sign about others": (
        State(),
        said(Event.SIGN, track=Track.OTHERS),
        "ack-others ai resources-country ask-harm",
        "people",
        "asked others",
    ),
    "a sign that no denial settles": (
        State(),
        said(Event.SIGN, track=Track.THIRD),
        "ack-third ai resources-country ask-third-now",
        "people",
        "active third",
    ),
    "plain words": (
        KNOWN,
        said(Event.GRAVE, track=Track.SELF, direct=True),
        "ack-grave ai resources ask-plan",
        "people",
        "active self",
    ),
    "grave words that name no thought": (
        KNOWN,
        said(Event.GRAVE, track=Track.SELF),
        "ack-grave ai resources ask-thoughts",
        "people",
        "active self",
    ),
    "a way is asked for": (KNOWN, said(Event.METHOD), "method ai ask-thoughts", "people", "asked"),
    "a way is asked for in the midst": (
        active(pending="ask-plan"),
        said(Event.METHOD),
        "method ask-thoughts",
        "nothing",
        "active self",
    ),
    "an aside before a way": (
        active(),
        said(Event.METHOD, asides=("privacy",)),
        "privacy method",
        "nothing",
        "active self",
    ),
    "one mild sign": (State(), said(Event.MILD), "ack-mild ai", "nothing", "calm"),
    "a second mild sign": (
        State(mild=1),
        said(Event.MILD),
        "ack-first ai resources-country ask-thoughts",
        "people",
        "asked",
    ),
    "a no to the plan": (
        active(pending="ask-plan"),
        no(),
        "ack-no ask-thoughts",
        "nothing",
        "active self",
    ),
    "a yes to the plan": (
        active(pending="ask-plan"),
        yes(),
        "ack-yes ask-thoughts",
        "nothing",
        "active self",
    ),
    "a yes to the time": (
        active(pending="ask-when"),
        yes(),
        "now-self now-distance ask-company",
        "people",
        "imminent self",
    ),
    "plan, means and no sure time": (
        active(pending="ask-means", facts=(("ask-plan", YES), ("ask-when", UNSURE))),
        yes(),
        "now-self now-distance ask-company",
        "people",
        "imminent self",
    ),
    "not safe": (
        active(pending="ask-safe"),
        no(),
        "now-self now-distance ask-company",
        "people",
        "imminent self",
    ),
    "a voice that will be obeyed": (
        active(track=Track.VOICES, pending="ask-obey"),
        yes(),
        "now-voices now-distance ask-company",
        "people",
        "imminent voices",
    ),
    "danger now, and nobody there": (
        active(facts=(("ask-company", NO),)),
        said(Event.IMMINENT, track=Track.SELF),
        "now-self now-distance keep-company",
        "people",
        "imminent self",
    ),
    "safe, and all was asked": (
        active(pending="ask-safe", facts=(("ask-plan", NO), ("ask-thoughts", YES))),
        yes(),
        "safe-yes both ask-willing",
        "nothing",
        "support self",
    ),
    "no such thoughts after all": (
        active(pending="ask-thoughts"),
        no(),
        "retracted",
        "nothing",
        "denied self",
    ),
    "no such thoughts": (
        active(phase=Phase.ASKED, pending="ask-thoughts"),
        no(),
        "denied",
        "nothing",
        "denied self",
    ),
    "a question unanswered": (
        active(pending="ask-plan"),
        TALK,
        "ack-more ask-thoughts",
        "nothing",
        "active self",
    ),
    "a second question unanswered": (
        active(pending="ask-when", unanswered=1),
        TALK,
        "ack-more both ask-willing",
        "nothing",
        "support self",
    ),
    "grave words for an answer": (
        active(pending="ask-when", unanswered=1),
        said(Event.GRAVE),
        "ack-more ask-thoughts",
        "nothing",
        "active self",
    ),
    "no more questions, please": (
        active(pending="ask-plan"),
        said(Event.TALK, quiet=True, asides=("no-questions",)),
        "no-questions both",
        "nothing",
        "support self",
    ),
    "an aside": (
        active(),
        said(Event.TALK, asides=("privacy", "diagnosis")),
        "privacy ask-thoughts",
        "nothing",
        "active self",
    ),
    "anger": (
        active(),
        said(Event.TALK, asides=("ack-anger",)),
        "ack-anger",
        "nothing",
        "active self",
    ),
    "talk about a danger by others": (
        active(track=Track.ABUSE, tracks=(Track.ABUSE,)),
        TALK,
        "ack-plain ask-channel",
        "nothing",
        "active abuse",
    ),
    "nobody said yet that this is software": (
        active(said=()),
        TALK,
        "ack-more ai ask-thoughts",
        "nothing",
        "active self",
    ),
    "a country is told": (
        active(country=None, shown_for="?"),
        said(Event.TALK, country="IE"),
        "ack-more resources ask-thoughts",
        "people",
        "active self",
    ),
    "a lesser danger waits": (
        active(pending="ask-plan"),
        said(Event.SIGN, track=Track.THIRD),
        "ack-more ask-thoughts",
        "nothing",
        "active self",
    ),
    "a graver danger begins at once": (
        active(pending="ask-plan", track=Track.THIRD, tracks=(Track.THIRD,)),
        said(Event.SIGN, track=Track.SELF),
        "ack-first ask-thoughts",
        "nothing",
        "asked self",
    ),
    "a lesser danger that is now": (
        active(pending="ask-plan"),
        said(Event.IMMINENT, track=Track.THIRD),
        "now-third ask-with-them",
        "people",
        "imminent third",
    ),
    "another danger beside one that is now": (
        imminent(),
        said(Event.GRAVE, track=Track.ABUSE),
        "ack-now ask-company",
        "emergency",
        "imminent self",
    ),
    "another danger now": (
        imminent(),
        said(Event.IMMINENT, track=Track.ABUSE),
        "now-abuse",
        "emergency",
        "imminent abuse",
    ),
    "a danger that was settled": (
        support(track=Track.THIRD),
        said(Event.SIGN, track=Track.SELF),
        "ack-more both ask-willing",
        "nothing",
        "support self",
    ),
    "nobody with them": (
        imminent(pending="ask-company"),
        no(),
        "company-no ask-distance",
        "emergency",
        "imminent self",
    ),
    "somebody with them": (
        imminent(pending="ask-company"),
        yes(),
        "company-yes ask-distance",
        "emergency",
        "imminent self",
    ),
    "nobody with somebody hurt": (
        imminent(pending="ask-company", track=Track.MEDICAL),
        no(),
        "alone-medical ask-call",
        "emergency",
        "imminent medical",
    ),
    "somebody with somebody hurt": (
        imminent(pending="ask-company", track=Track.MEDICAL),
        yes(),
        "company-yes ask-call",
        "emergency",
        "imminent medical",
    ),
    "nothing is left, an even turn, and help was called": (
        imminent(
            turn=3,
            facts=(("ask-call", YES), ("ask-company", NO), ("ask-distance", NO)),
            said=tuple(sorted({*ALL_OFFERED, *once("both", "ongoing", "coping")})),
        ),
        TALK,
        "ack-now presence-now",
        "emergency",
        "imminent self",
    ),
    "help was called unasked": (
        imminent(),
        said(Event.TALK, facts=(("ask-call", YES),)),
        "call-yes ask-company",
        "emergency",
        "imminent self",
    ),
    "everything was done": (
        imminent(turn=3, facts=ALL_DONE, said=once("wait")),
        TALK,
        "ack-now both",
        "emergency",
        "imminent self",
    ),
    "nothing is left, an even turn": (
        imminent(turn=3, facts=NOTHING_DONE, said=ALL_OFFERED),
        TALK,
        "ack-now keep-call",
        "emergency",
        "imminent self",
    ),
    "nothing is left, an odd turn": (
        imminent(turn=2, facts=NOTHING_DONE, said=ALL_OFFERED),
        TALK,
        "ack-now presence-now",
        "emergency",
        "imminent self",
    ),
    "nothing is left, and grave words": (
        imminent(turn=2, facts=NOTHING_DONE, said=ALL_OFFERED),
        said(Event.GRAVE, track=Track.SELF),
        "ack-now keep-call",
        "emergency",
        "imminent self",
    ),
    "silence in danger": (
        imminent(),
        said(Event.SILENCE),
        "ack-silence-now wait",
        "emergency",
        "imminent self",
    ),
    "leaving in danger": (
        imminent(),
        said(Event.STOP),
        "leave-now",
        "emergency",
        "imminent self",
    ),
    "taken back in danger": (
        imminent(),
        said(Event.RETRACT),
        "retracted-now ask-company",
        "emergency",
        "imminent self",
    ),
    "help is offered": (
        support(),
        TALK,
        "ack-plain both ask-willing",
        "nothing",
        "support self",
    ),
    "the next help is offered": (
        support(said=once("both", "ask-willing")),
        TALK,
        "ack-plain ongoing",
        "nothing",
        "support self",
    ),
    "not willing": (
        support(pending="ask-willing"),
        no(),
        "willing-no ask-barrier",
        "nothing",
        "support self",
    ),
    "not willing, with a reason": (
        support(pending="ask-willing"),
        no(asides=("barrier-cost",)),
        "willing-no barrier-cost",
        "nothing",
        "support self",
    ),
    "willing": (
        support(pending="ask-willing"),
        yes(),
        "willing-yes both",
        "nothing",
        "support self",
    ),
    "a plan is wanted": (
        support(facts=(("ask-safety-plan", YES),)),
        TALK,
        "ack-plain ask-warning",
        "nothing",
        "support self",
    ),
    "leaving": (support(), said(Event.STOP), "leave both-later", "nothing", "support self"),
    "leaving with one thing known": (
        support(said=once("both")),
        said(Event.STOP),
        "leave ongoing",
        "nothing",
        "support self",
    ),
    "leaving with two things known": (
        support(said=once("both-later", "ongoing")),
        said(Event.STOP),
        "leave ease",
        "nothing",
        "support self",
    ),
    "grave words with questions left": (
        support(),
        said(Event.GRAVE, track=Track.SELF),
        "ack-more ask-thoughts",
        "nothing",
        "active self",
    ),
    "grave words with nothing left to ask": (
        support(facts=ALL_ASKED),
        said(Event.GRAVE, track=Track.SELF),
        "ack-more ask-changed",
        "nothing",
        "active self",
    ),
    "grave words once more": (
        support(said=once("ask-changed"), facts=ALL_ASKED),
        said(Event.GRAVE, track=Track.SELF),
        "ack-more both ask-willing",
        "nothing",
        "support self",
    ),
    "another danger is taken up": (
        support(tracks=(Track.SELF, Track.ABUSE)),
        TALK,
        "ack-plain ask-channel",
        "nothing",
        "active abuse",
    ),
    "a new sign after a no": (
        denied(),
        said(Event.SIGN, track=Track.SELF),
        "ack-more ask-again",
        "nothing",
        "asked self",
    ),
    "one more sign after that": (
        denied(said=once("ask-again")),
        said(Event.SIGN, track=Track.SELF),
        "ack-more both ask-willing",
        "nothing",
        "support self",
    ),
    "a sign from whoever wants no questions": (
        denied(quiet=True),
        said(Event.SIGN, track=Track.SELF),
        "ack-more both",
        "nothing",
        "support self",
    ),
    "talk after a no": (denied(), TALK, "ack-plain both-later", "nothing", "denied self"),
    "grave words after a no": (
        denied(facts=(("ask-thoughts", NO),)),
        said(Event.GRAVE, track=Track.SELF),
        "ack-grave ask-plan",
        "nothing",
        "active self",
    ),
    "a yes to the second asking": (
        active(phase=Phase.ASKED, pending="ask-again", facts=(("ask-thoughts", NO),)),
        yes(),
        "ack-yes ask-plan",
        "nothing",
        "active self",
    ),
}


@pytest.fixture(params=TURNS)
def case(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_each_turn_says_and_shows_what_the_moment_needs(case: str) -> None:
    state, reading, moves, shows, place = TURNS[case]
    turn = advance(state, reading)
    assert " ".join(turn.moves) == moves
    assert turn.shows.value == shows
    phase, _, track = place.partition(" ")
    assert turn.state.phase.value == phase
    assert not track or turn.state.track is Track(track)


def test_what_was_said_is_counted_and_what_was_asked_is_waited_for(case: str) -> None:
    state, reading, moves, _, _ = TURNS[case]
    turn = advance(state, reading)
    for move in turn.moves:
        assert turn.state.count(move) == state.count(move) + 1
    asked = [move for move in moves.split() if move.startswith("ask-")]
    assert turn.state.pending == turn.question == (asked[0] if asked else None)
    assert turn.state.turn == state.turn + 1


def after(state: State, reading: Reading) -> State:
    return advance(state, reading).state


@pytest.mark.parametrize(
    ("state", "reading", "facts"),
    [
        (active(pending="ask-plan"), no(), {"ask-plan": NO}),
        (active(pending="ask-plan"), TALK, {}),
        (active(pending="ask-plan"), said(Event.GRAVE, track=Track.SELF), {"ask-plan": YES}),
        (active(pending="ask-safe"), said(Event.GRAVE, track=Track.SELF), {}),
        (active(), said(Event.TALK, facts=(("ask-call", NO),)), {"ask-call": NO}),
        (KNOWN, said(Event.GRAVE, track=Track.SELF, direct=True), {"ask-thoughts": YES}),
        (
            denied(facts=(("ask-thoughts", NO),)),
            said(Event.GRAVE, track=Track.SELF, direct=True),
            {"ask-thoughts": YES},
        ),
        (
            denied(facts=(("ask-thoughts", NO),)),
            said(Event.GRAVE, track=Track.SELF),
            {"ask-thoughts": UNSURE},
        ),
        (
            denied(facts=(("ask-thoughts", NO),)),
            said(Event.GRAVE, track=Track.ABUSE),
            {"ask-thoughts": NO},
        ),
        (
            active(phase=Phase.ASKED, pending="ask-again", facts=(("ask-thoughts", NO),)),
            yes(),
            {"ask-again": YES, "ask-thoughts": YES},
        ),
    ],
)
def test_answers_become_facts(state: State, reading: Reading, facts: Mapping[str, Answer]) -> None:
    assert dict(after(state, reading).facts) == facts


def test_the_second_asking_counts_when_it_is_answered_and_not_again() -> None:
    known = (("ask-again", YES), ("ask-thoughts", NO))
    assert after(active(facts=known, pending="ask-plan"), TALK).fact("ask-thoughts") is NO
    asked = active(facts=(("ask-thoughts", NO),), pending="ask-again")
    assert after(asked, TALK).fact("ask-thoughts") is NO


def test_questions_without_an_answer_are_counted_in_a_row() -> None:
    assert after(active(pending="ask-plan"), TALK).unanswered == 1
    assert after(active(pending="ask-plan", unanswered=1), no()).unanswered == 0
    assert after(active(pending="ask-plan", unanswered=1), said(Event.METHOD)).unanswered == 0
    assert after(active(pending="ask-willing", unanswered=1), TALK).unanswered == 0
    assert after(active(unanswered=1), TALK).unanswered == 1
    assert after(active(unanswered=1), said(Event.GRAVE)).unanswered == 0


def test_dangers_are_kept_by_rank_and_a_child_that_is_hit_is_told_once() -> None:
    two = said(Event.GRAVE, track=Track.ABUSE, also=(Track.SELF,))
    assert after(KNOWN, two).tracks == (Track.SELF, Track.ABUSE)
    child = active(track=Track.CHILD, tracks=(Track.CHILD,))
    assert after(child, said(Event.GRAVE, track=Track.WITNESS)).tracks == (Track.CHILD,)
    both = said(Event.GRAVE, track=Track.CHILD, also=(Track.WITNESS,))
    assert after(KNOWN, both).tracks == (Track.CHILD,)


def test_a_danger_is_closed_when_it_was_denied_or_all_was_asked() -> None:
    assert after(active(pending="ask-thoughts"), no()).closed == (Track.SELF,)
    assert after(active(), said(Event.RETRACT)).closed == (Track.SELF,)
    assert after(active(facts=ALL_ASKED), TALK).closed == (Track.SELF,)
    assert after(active(), TALK).closed == ()
    assert after(imminent(), said(Event.RETRACT)).closed == ()


def test_the_wish_for_no_questions_holds_from_the_first_danger_on() -> None:
    wish = said(Event.TALK, quiet=True)
    assert after(active(), wish).quiet
    assert after(active(quiet=True), TALK).quiet
    assert not after(State(), wish).quiet


def test_country_and_language_are_taken_over_when_they_are_told() -> None:
    told = after(active(country=None), said(Event.TALK, country="MX", language="es"))
    assert (told.country, told.language) == ("MX", "es")
    kept = after(active(language="es"), TALK)
    assert (kept.country, kept.language) == ("IE", "es")


def test_mild_signs_are_counted() -> None:
    assert after(State(mild=1), said(Event.MILD)).mild == 2
    assert after(State(mild=1), TALK).mild == 1


@pytest.mark.parametrize(
    ("state", "reading", "shown_for"),
    [
        (State(), TALK, ""),
        (State(), said(Event.SIGN), "?"),
        (KNOWN, said(Event.SIGN), "IE"),
        (active(shown_for="?"), TALK, "IE"),
        (imminent(shown_for="IE"), TALK, "IE"),
    ],
)
def test_what_was_shown_is_remembered_with_its_country(
    state: State, reading: Reading, shown_for: str
) -> None:
    assert after(state, reading).shown_for == shown_for


def test_a_turn_without_a_question_asks_none() -> None:
    assert Turn(state=State(), moves=("hello",)).question is None
    assert Turn(state=State(), moves=("hello", "ask-plan", "ask-safe")).question == "ask-plan"
