"""A17, A45, A60: whatever a person and a model write, a session keeps its contract and its end."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from handrail.adapters.memory import MemorySessions
from handrail.domain.outcome import Receipt
from handrail.domain.text import Span
from handrail.flows.reframe import Limits, Phase, SessionState, TurnResult
from handrail.flows.reframe.state import Kept, Opened
from handrail.ports import ChatRequest
from handrail.rails.reply_contract import Terms
from handrail.testing import hostile_clauses as clauses
from handrail.testing.hostile_turns import KINDS, SPOKEN, HostileWriter, Play
from handrail.testing.scripted_model import ScriptedModel
from handrail.testing.virtual_time import run_virtually
from session_property import CANARY, Stage, Tally, run

SESSIONS = 300
HALF = "I keep thinking that they will laugh \ud800"


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Stage:
    return Stage.over(tmp_path_factory.mktemp("sessions"))


def test_a17_a45_a60_nothing_escapes_from_three_hundred_sessions(stage: Stage) -> None:
    tally = Tally()
    assert run(stage, range(SESSIONS), tally) == SESSIONS
    assert tally.escapes == []
    # Many replies were used and many were not, or the property would be about nothing.
    assert tally.writers["model"] >= 0.2 * tally.turns
    assert tally.writers["composer"] >= 0.2 * tally.turns
    assert tally.writers["protocol"] >= 0.03 * tally.turns
    assert set(tally.phases) == {"warmup", "clarify", "reframe", "summary", "followup", "closed"}
    assert tally.endings["closed"] >= 0.3 * SESSIONS


def test_every_kind_of_turn_is_the_same_for_the_same_dice() -> None:
    request = asked("clarify", "en")
    for name, make in SPOKEN.items():
        first, second = (Play(request, Random(5), CANARY) for _ in range(2))
        assert make(first) == make(second), name
        assert (first.planted, first.warned) == (second.planted, second.warned)


def test_a_range_of_seeds_can_be_cut_and_gone_on_with(stage: Stage) -> None:
    whole, first, second = Tally(), Tally(), Tally()
    run(stage, range(20), whole)
    left = iter([False] * 8 + [True])
    stopped = run(stage, range(20), first, lambda: next(left))
    assert stopped == 8
    assert run(stage, range(stopped, 20), second) == 20
    assert first.kinds + second.kinds == whole.kinds
    assert first.writers + second.writers == whole.writers


@pytest.mark.parametrize(("language", "recap", "text"), list(clauses.every_good()))
def test_turns_that_are_fine_pass(stage: Stage, language: str, recap: bool, text: str) -> None:
    assert stage.flow.contract.breaches(text, terms(language, recap)) == ()


@pytest.mark.parametrize("language", ["en", "es"])
def test_a60_no_forbidden_sentence_passes_by_itself(stage: Stage, language: str) -> None:
    contract = stage.flow.contract
    opening = {"en": "It makes sense that this weighs on you.", "es": "Tiene sentido que te pese."}
    passed = [
        clause
        for clause in clauses.every()[language]
        if not contract.breaches(f"{opening[language]} {clause.text}", terms(language, False))
    ]
    assert passed == []


@pytest.mark.parametrize(
    "text",
    [
        "It makes sense that this hurts; rinse the cup when the thought comes.",
        "It makes sense that this hurts – unfollow those people when it comes back.",
        "“they will laugh” maybe put the phone away when it hurts.",
        "You wrote “they will laugh”, “I was shy as a child” “they will laugh”.",
        "You wrote “...”, “When I am afraid, my hands shake too” “...”.",
        "It makes sense that this hurts. You will feel better soon?",
        "Thank you for saying that: nobody will laugh at your talk.",
    ],
)
def test_a60_what_once_got_through_between_other_words(stage: Stage, text: str) -> None:
    own = ("they will laugh", "...")
    assert stage.flow.contract.breaches(text, terms("en", False), own_words=own)


def test_a45_half_a_character_is_no_reason_to_break(stage: Stage) -> None:
    """A message that cannot be written as UTF-8 is still answered, with a model and without."""
    model = ScriptedModel(f"<ui>{clauses.good('en', Random(1), recap=False)}</ui>")
    state, writers = begun(), []
    for text in (HALF, "I feel ashamed \udfff", "about a 7"):
        result, _ = run_virtually(stage.flow.handle_turn(state, text, model))
        writers.append(result.writer)
        state = result.state
    assert writers == ["model"] * 3
    assert all("\\ud" not in request.user for request in model.requests)


@pytest.mark.parametrize("known", [True, False])
def test_a45_a_balanced_thought_of_two_sides_is_told_to_the_model(
    stage: Stage, known: bool
) -> None:
    """The line has places for the person's words, and they may have changed since."""
    line = next(name for name in stage.flow.lines.moves("en") if name == "balanced-both")
    offered = f"reframe/{line}.1.en"
    state = begun()
    side = Kept.of("they will laugh", Span(0, 15), 1) if known else None
    state = replace(
        state,
        position=replace(state.position, phase=Phase.REFRAME, turn=3),
        progress=replace(state.progress, thought=side, evidence=side),
        memory=replace(state.memory, balanced=offered, round=1),
    )
    model = ScriptedModel(f"<ui>{clauses.good('en', Random(1), recap=False)}</ui>")
    result, _ = run_virtually(stage.flow.handle_turn(state, "maybe a little", model))
    told = json.loads(model.requests[0].user)["balanced"]
    assert result.writer == "model"
    assert ("they will laugh" in told) == known
    assert "{" not in told


def test_a45_what_cannot_be_asked_of_a_model_is_said_by_the_composer(stage: Stage) -> None:
    class Lost:
        def __getattr__(self, name: str) -> Any:
            return getattr(stage.flow.lines, name)

        def fragments(self, item_id: str, slots: Any = None) -> Any:
            if "balanced-both" in item_id:
                raise KeyError(item_id)
            return stage.flow.lines.fragments(item_id, slots)

    broken = replace(stage.flow, lines=Lost())  # type: ignore[arg-type]
    state = begun()
    state = replace(state, memory=replace(state.memory, balanced="reframe/balanced-both.1.en"))
    model = ScriptedModel("never asked")
    result, _ = run_virtually(broken.handle_turn(state, "I feel ashamed", model))
    assert (result.writer, model.requests) == ("composer", [])
    assert result.state.messages == 1
    faults = [step.facts for step in result.outcome.trace.steps if step.name == "fault"]
    assert faults == [{"error": "KeyError"}]


def test_a59_a_turn_after_a_models_warning_still_proves_itself(stage: Stage) -> None:
    """No replay can warn again, and none is asked to; without that the proof would fail."""
    model = ScriptedModel('<ui>fine</ui><control>{"crisis_detected": true}</control>')
    sessions = replace(stage.sessions, store=MemorySessions(), model=model)
    said = ["I keep thinking that they will laugh", "and it is heavy", "yes"]
    for number, text in enumerate(said, start=1):
        record = run_virtually(sessions.process_turn("s", text))[0].record
        checks = sessions.verify(Receipt(record["receipt"]), record, messages=said[:number])
        assert [check for check in checks if check.ok is False] == []
        assert record["writer"] == "protocol"


def test_a61_words_from_a_huge_message_prove_themselves_later(stage: Stage) -> None:
    """The hash of the message is of all of it, though the session takes up what comes first."""
    sessions = replace(stage.sessions, store=MemorySessions(), model=None)
    said = ["I keep thinking that everyone will laugh at my talk. " * 400, "mostly fear", "about 7"]
    for number, text in enumerate(said, start=1):
        record = run_virtually(sessions.process_turn("s", text))[0].record
        checks = sessions.verify(Receipt(record["receipt"]), record, messages=said[:number])
        assert [check for check in checks if check.ok is not True] == []
    assert record["state"]["progress"]["thought"] is not None


# The property itself is worth what it catches: each of these breaks one promise.


class Saying:
    """A contract that lets everything pass."""

    def breaches(self, text: str, terms: Terms, *, own_words: Any = ()) -> tuple[()]:
        return ()


def test_the_property_sees_a_rail_that_lets_all_pass(stage: Stage) -> None:
    broken = replace(stage, flow=replace(stage.flow, contract=Saying()))  # type: ignore[arg-type]
    tally = Tally()
    run(broken, range(300), tally)
    said = " ".join(tally.escapes)
    assert all(what in said for what in ("escaped", "signs", "points", "traps", "canary"))


def test_the_property_sees_a_screen_that_hears_nothing(stage: Stage) -> None:
    class Deaf:
        def __getattr__(self, name: str) -> Any:
            return getattr(stage.flow.hearing.screen, name)

        def judge(self, found: Any, context: Any = None) -> Any:
            return stage.flow.hearing.screen.check("hello")

    hearing = replace(stage.flow.hearing, screen=Deaf())  # type: ignore[arg-type]
    broken = replace(stage, flow=replace(stage.flow, hearing=hearing), levels=dict(levels(stage)))
    tally = Tally()
    run(broken, range(60), tally)
    assert "danger not heard" in " ".join(tally.escapes)


def test_the_property_sees_a_session_that_does_not_end(stage: Stage) -> None:
    class Endless:
        def __getattr__(self, name: str) -> Any:
            return getattr(stage.flow, name)

        async def handle_turn(self, state: SessionState, text: str, model: Any) -> TurnResult:
            result = await stage.flow.handle_turn(state, text, model)
            return replace(result, state=replace(result.state, position=state.position))

    tally = Tally()
    run(replace(stage, flow=Endless()), range(1, 20), tally)  # type: ignore[arg-type]
    assert "not ended" in " ".join(tally.escapes)


def test_kinds_are_played_as_they_are_named() -> None:
    model = HostileWriter(Random(1), CANARY)
    request = asked("clarify", "es")
    for _ in range(400):
        with suppress(BaseException):  # some kinds raise, cancellation among them
            run_virtually(asyncio.wait_for(model.complete(request), 5))
    assert set(model.kinds) <= set(KINDS)
    assert len(set(model.kinds)) > 0.8 * len(KINDS)
    assert model.planted


def asked(phase: str, language: str) -> ChatRequest:
    """What a model is asked, as far as the hostile one reads it."""
    user = json.dumps({"message": "it is too much", "language": language, "phase": phase})
    system = "A rule of more than thirty letters."
    return ChatRequest(system=system, user=user, schema=None, schema_name="", max_tokens=9)


def terms(language: str, recap: bool) -> Terms:
    """The terms of a turn."""
    return Terms(words=160, questions=1, language=language, bullets=recap, compound=recap)


def begun() -> SessionState:
    """A session that begins."""
    return SessionState.begun(Opened(), limits=Limits(), seed=1)


def levels(stage: Stage) -> dict[str, Any]:
    """What the first reader says of every message of the run."""
    tally = Tally()
    run(stage, range(60), tally)
    return stage.levels
