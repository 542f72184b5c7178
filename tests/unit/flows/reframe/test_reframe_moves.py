"""What a message asks of a session, by readings that are built and not read (A5, A53e)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from composer_space import kept, progress

from handrail.domain.text import Span
from handrail.flows.reframe.moves import (
    ASKED_AT_MOST,
    ASKS,
    REACTIONS,
    ROUNDS,
    WARM,
    move,
    open_questions,
)
from handrail.flows.reframe.phases import Move, Phase, Position
from handrail.flows.reframe.reading import Act, Asked, Reading, Topic
from handrail.flows.reframe.state import Feeling, Memory, Progress, SessionState

ALL = frozenset({"situation", "thought", "emotion", "intensity"})
NOTHING: frozenset[str] = frozenset()


def state(
    phase: Phase,
    *,
    known: frozenset[str] = NOTHING,
    memory: Memory | None = None,
    turn: int = 2,
) -> SessionState:
    return SessionState(
        position=Position(phase=phase, turn=turn),
        progress=progress(known),
        memory=memory or Memory(),
        messages=turn,
    )


def asked(where: SessionState, act: Act = Act.CONTENT, fresh: frozenset[str] = NOTHING) -> Move:
    return move(where, Reading(act=act), fresh)


def times(name: str, count: int) -> tuple[tuple[str, int], ...]:
    first, again, _ = ASKS[name]
    return tuple(sorted({first: min(count, 1), again: max(0, count - 1)}.items()))


# What may still be asked for


def test_a53e_worry_then_emotion_then_intensity() -> None:
    assert open_questions(state(Phase.CLARIFY)) == ("thought", "emotion", "intensity")
    assert open_questions(state(Phase.CLARIFY, known=frozenset({"thought"}))) == (
        "emotion",
        "intensity",
    )
    assert open_questions(state(Phase.CLARIFY, known=frozenset({"emotion"}))) == (
        "thought",
        "intensity",
    )
    assert open_questions(state(Phase.CLARIFY, known=ALL)) == ()


@pytest.mark.parametrize("name", ASKS)
def test_a53e_nothing_is_asked_for_a_third_time(name: str) -> None:
    for count in range(ASKED_AT_MOST + 2):
        where = state(Phase.CLARIFY, memory=Memory(said=times(name, count)))
        assert (name in open_questions(where)) == (count < ASKED_AT_MOST)


@pytest.mark.parametrize("name", ASKS)
def test_a53e_what_was_refused_is_not_asked_for(name: str) -> None:
    where = state(Phase.CLARIFY, memory=Memory(skipped=(name,)))
    assert open_questions(where) == tuple(other for other in ASKS if other != name)


def test_a53e_a_feeling_named_before_the_thought_is_asked_about_again() -> None:
    """Before, it was about the day; now it is about the sentence."""
    day = Feeling(family="sadness", words=kept("sad", 1))
    told = Progress(thought=kept("They will laugh", 2), emotions=(day,), intensity=4)
    where = replace(state(Phase.CLARIFY), progress=told)
    assert open_questions(where) == ("emotion",)
    since = replace(told, emotions=(Feeling(family="shame", words=kept("ashamed", 2)), day))
    assert open_questions(replace(where, progress=since)) == ()


# The greeting


def test_a5_a_greeting_lasts_until_something_is_told() -> None:
    assert asked(state(Phase.WARMUP)) is Move.STAY
    assert asked(state(Phase.WARMUP, known=frozenset({"emotion"}))) is Move.STAY
    assert asked(state(Phase.WARMUP, known=frozenset({"situation"}))) is Move.GO_ON
    assert asked(state(Phase.WARMUP, known=frozenset({"thought"}))) is Move.GO_ON


def test_a9_a_greeting_does_not_last_for_ever() -> None:
    turns = [asked(state(Phase.WARMUP, turn=turn)) for turn in range(1, WARM + 2)]
    assert turns == [Move.STAY] * (WARM - 1) + [Move.GO_ON] * 2


# Clarifying


def test_a5_clarifying_ends_when_nothing_is_left_to_ask() -> None:
    assert asked(state(Phase.CLARIFY, known=ALL - {"intensity"})) is Move.STAY
    assert asked(state(Phase.CLARIFY, known=ALL)) is Move.GO_ON
    skipped = Memory(skipped=tuple(sorted(ASKS)))
    assert asked(state(Phase.CLARIFY, memory=skipped)) is Move.GO_ON


# Looking at the thought


def reframing(
    act: Act, *, fresh: frozenset[str] = NOTHING, round: int = 1, asked_for: Asked = Asked.FIT
) -> Move:
    memory = Memory(round=round, asked=asked_for)
    return asked(state(Phase.REFRAME, known=ALL, memory=memory), act, fresh)


def test_a5_reframing_without_a_balanced_thought_is_not_done() -> None:
    for act in set(Act) - {Act.WANTS_END, Act.WANTS_SUMMARY}:
        assert reframing(act, round=0) is Move.STAY


@pytest.mark.parametrize("act", [Act.YES, Act.PARTLY, Act.CONTENT, Act.POSITIVE, Act.THANKS])
def test_a5_a_reaction_sums_up(act: Act) -> None:
    assert reframing(act) is Move.GO_ON


@pytest.mark.parametrize("act", [Act.NO, Act.UNSURE, Act.FRUSTRATED])
def test_a7_a_doubt_asks_for_the_other_side_once(act: Act) -> None:
    assert reframing(act) is Move.STAY
    assert reframing(act, fresh=frozenset({"evidence"})) is Move.GO_ON
    assert reframing(act, round=ROUNDS) is Move.GO_ON


def test_a7_the_other_side_gets_a_second_balanced_thought() -> None:
    fresh = frozenset({"evidence"})
    assert reframing(Act.CONTENT, fresh=fresh, asked_for=Asked.EVIDENCE) is Move.STAY
    assert reframing(Act.CONTENT, fresh=fresh, round=ROUNDS) is Move.GO_ON


def test_a7_a_new_thought_gets_one_too() -> None:
    assert reframing(Act.CONTENT, fresh=frozenset({"thought"})) is Move.STAY
    assert reframing(Act.CONTENT, fresh=frozenset({"thought"}), round=ROUNDS) is Move.GO_ON


@pytest.mark.parametrize(
    "act", [Act.ASKS, Act.ASKS_WHO, Act.HOSTILE, Act.OFFTOPIC, Act.SILENCE, Act.WANTS_ADVICE]
)
def test_a5_an_aside_leaves_the_balanced_thought_where_it_is(act: Act) -> None:
    assert reframing(act) is Move.STAY


@pytest.mark.parametrize("act", [Act.CONTENT, Act.NO, Act.YES, Act.UNSURE])
def test_a5_the_answer_to_a_question_about_danger_is_none_to_the_thought(act: Act) -> None:
    assert reframing(act, asked_for=Asked.NOTHING) is Move.STAY
    assert reframing(act, round=ROUNDS, asked_for=Asked.NOTHING) is Move.STAY


def test_a9_even_asides_come_to_an_end() -> None:
    memory = Memory(round=1, asked=Asked.FIT, said=(("ask-fit", REACTIONS),))
    where = state(Phase.REFRAME, known=ALL, memory=memory)
    assert asked(where, Act.SILENCE) is Move.GO_ON


# Ending


@pytest.mark.parametrize("phase", Phase)
def test_a9_who_wants_to_end_ends(phase: Phase) -> None:
    assert asked(state(phase), Act.WANTS_END) is Move.FINISH


def test_a31_who_asks_for_the_summary_gets_one_and_is_not_sent_away() -> None:
    """In a greeting there is nothing to sum up; after the summary it is said again."""
    moves = {phase: asked(state(phase), Act.WANTS_SUMMARY) for phase in Phase}
    assert moves == {
        Phase.WARMUP: Move.STAY,
        Phase.CLARIFY: Move.FINISH,
        Phase.REFRAME: Move.FINISH,
        Phase.SUMMARY: Move.STAY,
        Phase.FOLLOWUP: Move.STAY,
        Phase.CLOSED: Move.STAY,
    }


# After the summary


def test_a61_numbers_alone_are_ratings() -> None:
    fresh = frozenset({"ratings"})
    assert asked(state(Phase.SUMMARY), fresh=fresh) is Move.RATED
    assert asked(state(Phase.SUMMARY)) is Move.STAY
    assert asked(state(Phase.FOLLOWUP), fresh=fresh) is Move.STAY


@pytest.mark.parametrize(
    "reading",
    [
        Reading(act=Act.ASKS),
        Reading(act=Act.WANTS_ADVICE),
        Reading(act=Act.CONTENT, topic=Topic.PRIVACY),
    ],
)
def test_a15_numbers_with_a_question_are_a_followup(reading: Reading) -> None:
    assert move(state(Phase.SUMMARY), reading, frozenset({"ratings"})) is Move.STAY


# What a model proposes


@pytest.mark.parametrize(
    ("phase", "named", "expected"),
    [
        (Phase.WARMUP, "warmup", Move.STAY),
        (Phase.WARMUP, "clarify", Move.GO_ON),
        (Phase.CLARIFY, "clarify", Move.STAY),
        (Phase.CLARIFY, "reframe", Move.GO_ON),
        (Phase.REFRAME, "reframe", Move.STAY),
        (Phase.REFRAME, "summary", Move.GO_ON),
    ],
)
def test_a62_a_model_may_name_the_same_phase_or_the_next(
    phase: Phase, named: str, expected: Move
) -> None:
    assert asked(state(phase, memory=Memory(proposed=named))) is expected


@pytest.mark.parametrize("named", ["closed", "followup", "nonsense", "SUMMARY", ""])
@pytest.mark.parametrize("phase", [Phase.WARMUP, Phase.CLARIFY])
def test_a62_a_model_that_names_anything_else_is_not_heard(phase: Phase, named: str) -> None:
    proposed = state(phase, memory=Memory(proposed=named))
    assert asked(proposed) is asked(state(phase))


@pytest.mark.parametrize("named", ["warmup", "clarify", "reframe", "closed"])
def test_a62_a_model_never_leads_out_of_a_summary(named: str) -> None:
    assert asked(state(Phase.SUMMARY, memory=Memory(proposed=named))) is Move.STAY


def test_a62_a_model_is_not_heard_where_the_person_did_not_answer() -> None:
    where = state(Phase.CLARIFY, memory=Memory(proposed="reframe"))
    assert asked(where, Act.ASKS_WHO) is Move.STAY


def test_a1_moves_depend_on_nothing_but_state_and_reading() -> None:
    where = state(Phase.CLARIFY, known=ALL)
    reading = Reading(act=Act.CONTENT, thought=Span(0, 4))
    assert {move(where, reading, frozenset({"thought"})) for _ in range(5)} == {Move.GO_ON}
