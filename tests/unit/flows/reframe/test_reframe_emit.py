"""What leaves with a turn besides its words: control, memory, parts of the stream (A18, A36)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from composer_space import NUMBER, kept, progress, reading, turn
from hypothesis import given
from hypothesis import strategies as st

from handrail.domain.outcome import Outcome
from handrail.domain.reply import EvidenceBundle, Fragment, Vetted
from handrail.domain.risk import Risk
from handrail.domain.trace import Tracer
from handrail.flows.reframe.compose import Voice, packaged_lines, plan
from handrail.flows.reframe.emit import (
    Ready,
    after,
    banner_line,
    contracted,
    control,
    kept_words,
    own_words,
    streamed,
)
from handrail.flows.reframe.gate import TurnGate
from handrail.flows.reframe.hearing import Heeded
from handrail.flows.reframe.limits import Limits
from handrail.flows.reframe.phases import Phase, Position
from handrail.flows.reframe.reading import Act
from handrail.flows.reframe.state import Memory, SessionState
from handrail.flows.reframe.writing import Written
from handrail.rails import release
from handrail.rails.crisis import Heard
from handrail.rails.crisis.conversation import State as Ears

LINES = packaged_lines()
ALL = frozenset({"situation", "thought", "emotion", "intensity"})


def state(phase: Phase, turn: int, *, known: frozenset[str] = frozenset()) -> SessionState:
    return SessionState(
        position=Position(phase=phase, turn=turn), progress=progress(known), messages=turn
    )


# Where the session goes


@pytest.mark.parametrize(
    ("phase", "turn", "known", "following"),
    [
        (Phase.WARMUP, 1, frozenset(), "clarify"),
        (Phase.CLARIFY, 3, frozenset(), "clarify"),
        (Phase.CLARIFY, 3, ALL, "reframe"),
        (Phase.REFRAME, 5, ALL, "summary"),
        (Phase.SUMMARY, 6, ALL, "followup"),
        (Phase.FOLLOWUP, 6, ALL, "followup"),
        (Phase.CLOSED, 6, ALL, "closed"),
        # the limits outrank what was reached
        (Phase.CLARIFY, 12, frozenset(), "summary"),
        (Phase.REFRAME, 12, ALL, "summary"),
        (Phase.SUMMARY, 13, ALL, "summary"),
        (Phase.SUMMARY, 14, ALL, "closed"),
    ],
)
def test_a18_the_control_block_names_the_next_phase(
    phase: Phase, turn: int, known: frozenset[str], following: str
) -> None:
    assert control(state(phase, turn, known=known), None).next_phase == following


def test_a58_after_danger_the_next_phase_is_the_end() -> None:
    danger = replace(
        state(Phase.SUMMARY, 4), position=Position(phase=Phase.SUMMARY, turn=4, crisis=True)
    )
    told = control(danger, None, crisis=True)
    assert (told.next_phase, told.crisis_detected, told.missing_fields) == ("closed", True, ())


def test_a15_the_last_followup_leads_to_the_end() -> None:
    last = Position(phase=Phase.FOLLOWUP, turn=7, followups_left=0)
    assert control(replace(state(Phase.FOLLOWUP, 7), position=last), None).next_phase == "closed"


def test_a18_what_is_missing_stands_in_the_order_in_which_it_is_asked_for() -> None:
    told = control(state(Phase.CLARIFY, 2), "What comes with it?")
    assert told.missing_fields == ("situation", "thought", "emotion", "intensity")
    assert told.suggest_questions == ("What comes with it?",)
    assert control(state(Phase.REFRAME, 5, known=ALL), None).missing_fields == ()


# What a session remembers of a turn


def ready(*, mild: bool = False, memory: Memory | None = None) -> Ready:
    each = turn(
        Phase.REFRAME,
        reading(Act.CONTENT),
        known=progress(frozenset({"thought"})),
        traps=("labeling",),
        mild=mild,
        memory=memory,
    )
    planned = plan(each)
    voice = Voice(lines=LINES, language="en", seed=0)
    return Ready(
        before=each.before,
        state=each.state,
        position=each.position,
        message="hm",
        turn=each,
        plan=planned,
        voiced=voice.voiced(planned, each.memory, number=NUMBER, words=110),
        cards=(),
        heeded=Heeded(heard=Heard(risk=Risk(), state=Ears())),
        tracer=Tracer("turn"),
        model_may_write=True,
    )


def answer(text: str) -> Outcome:
    """An outcome as the one door makes it."""
    gate = TurnGate(lines=LINES.piece, own=(), keeps=lambda _text: True, words=110, questions=1)
    context = release.Context(
        flow="reframe",
        message="hm",
        risk=Risk(),
        tracer=Tracer("turn"),
        line=lambda name: Fragment(name, Vetted(item_id=name)),
        resources=(),
        needs_evidence=False,
    )
    bundle = EvidenceBundle(cases=(), snippets=())
    return release.release(contracted(text), gate=gate, bundle=bundle, selected=(), context=context)


def remembered(each: Ready, written: Written | None = None) -> SessionState:
    return after(each, answer("So it is."), written)


def test_a7_a_turn_remembers_its_lines_its_question_and_its_balanced_thought() -> None:
    memory = remembered(ready()).memory
    said = {"reflect-plain", "name-labeling", "lead-balanced", "balanced-labeling", "ask-fit"}
    assert set(dict(memory.said)) == said
    assert (memory.asked.value, memory.round, memory.traps) == ("fit", 1, ("labeling",))
    assert memory.balanced.startswith("reframe/balanced-labeling.")


def test_a22_a_sign_that_a_model_wrote_past_is_still_unanswered() -> None:
    """The composer's line about it was planned, and not said."""
    each = ready(mild=True)
    assert "mild-check" in each.plan.moves
    assert remembered(each).memory.checked
    assert not remembered(each, Written(ui="That sounds heavy.")).memory.checked
    before = ready(mild=True, memory=Memory(checked=True))
    assert remembered(before, Written(ui="That sounds heavy.")).memory.checked


def test_a57_a_thought_that_a_model_balanced_is_no_reviewed_line() -> None:
    memory = remembered(ready(), Written(ui="x", next_phase="summary")).memory
    assert (memory.balanced, memory.round, memory.proposed) == ("", 1, "summary")


def test_a8_the_turn_stands_in_the_state() -> None:
    each = ready()
    told = remembered(each)
    assert (told.position, told.messages, told.last_words) == (
        each.position,
        NUMBER,
        "So it is.",
    )


# What may be quoted


def test_a61_every_word_that_is_kept_may_be_quoted_and_nothing_else() -> None:
    known = replace(
        progress(frozenset({"situation", "thought", "emotion", "intensity", "evidence", "after"})),
        situation=kept("one", 1),
        thought=kept("two", 2),
        evidence=kept("three", 3),
        intensity_words=kept("four", 4),
        after_words=kept("five", 5),
        felt=kept("six", 6),
    )
    told = replace(state(Phase.SUMMARY, 6), progress=known)
    texts = {each.text for each in kept_words(told)}
    assert {"one", "two", "three", "four", "five", "six"} <= texts
    assert own_words(told, "now")[-1] == "now"
    assert set(own_words(told, "now")) == texts | {"now"}
    assert kept_words(SessionState()) == ()


# Banners


def test_a34_the_banners_have_the_wording_of_the_contract() -> None:
    def noted(before: Position, after_: Position) -> str | None:
        where = SessionState(position=before, limits=Limits())
        line = banner_line(LINES, where, after_, "en")
        return "".join(f.text for f in LINES.fragments(line)) if line else None

    clarifying = Position(phase=Phase.CLARIFY, turn=6)
    assert noted(clarifying, replace(clarifying, turn=7)) == (
        "Halfway through; we'll aim to reframe soon"
    )
    late = Position(phase=Phase.REFRAME, turn=12)
    assert noted(late, Position(phase=Phase.SUMMARY, turn=13)) == (
        "We're at the end. I'll summarize next"
    )
    assert noted(clarifying, clarifying) is None


# The stream


@given(st.text(st.sampled_from('ab 1.!?…:”»"’)]\n•¿'), max_size=60).map(str.lstrip))
def test_a28_the_parts_of_a_stream_join_to_the_text(text: str) -> None:
    assert "".join(streamed(text)) == text


def test_a28_a_stream_breaks_behind_sentences() -> None:
    text = "Okay. You put it at “8:30”! How is it?\n\n• First: “one”.\n• Second."
    assert streamed(text) == (
        "Okay. ",
        "You put it at “8:30”! ",
        "How is it?\n\n",
        "• First: ",
        "“one”.\n",
        "• Second.",
    )
    assert streamed("") == ()
