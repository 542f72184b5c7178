"""A reply without text is a failed model, and a skill may hear a warning in a broken one."""

from __future__ import annotations

from typing import Any

import pytest
from decider_sample import QUESTION, TWIN, Choice, Label, Question, decider, open_budget, tracer

from handrail.calls import Decision, run
from handrail.calls.repair import MAX_REPLY_CHARS
from handrail.ports import ChatModel
from handrail.testing.hostile import NotAReply
from handrail.testing.scripted_model import ScriptedModel
from handrail.testing.virtual_time import run_virtually

WARNED = Choice(label=Label.REFLECTION)


def hear(question: Question, text: str, usable: Choice | None) -> Choice | None:
    return WARNED if "warning" in text else None


def decide(model: ChatModel, **changes: Any) -> Decision[Choice]:
    skill, budget = decider(**changes), open_budget(chars_out=100_000)
    return run_virtually(run(skill, QUESTION, model=model, budget=budget, tracer=tracer()))[0]


class Wordless(ScriptedModel):
    """Returns something else than a reply."""

    def __init__(self, made: object) -> None:
        super().__init__("unused")
        self.made = made

    async def complete(self, request: object) -> Any:
        return self.made


@pytest.mark.parametrize(
    "made",
    [None, "text", NotAReply(None), NotAReply(b"{}"), NotAReply(7)],
    ids=["nothing", "a text", "no text in it", "bytes in it", "a number in it"],
)
def test_what_is_no_reply_with_text_is_a_failed_model(made: object) -> None:
    decision = decide(Wordless(made))
    assert (decision.value, decision.by) == (TWIN, "fallback")
    assert decision.failure in ("model-failed:TypeError", "model-failed:AttributeError")


@pytest.mark.parametrize("said", ["a warning", '{"label": "warning"', "warning" + "x" * 200_000])
def test_a_broken_reply_is_heard_at_once(said: str) -> None:
    model = ScriptedModel(said)
    decision = decide(model, hear=hear)
    assert (decision.value, decision.by, len(model.requests)) == (WARNED, "model", 1)
    assert len(decision.dropped) == 1


def test_a_usable_reply_is_heard_too() -> None:
    said = '{"label": "validation", "refs": []} and a warning'
    assert decide(ScriptedModel(said), hear=hear).value == WARNED
    assert decide(ScriptedModel(said)).value == Choice(label=Label.VALIDATION)


def test_what_is_not_read_is_not_heard() -> None:
    said = "x" * MAX_REPLY_CHARS + "warning"
    assert decide(ScriptedModel(said), hear=hear).by == "fallback"


def test_a_broken_reply_without_a_warning_is_asked_for_again() -> None:
    model = ScriptedModel("nothing", '{"label": "validation", "refs": []}')
    assert decide(model, hear=hear).attempts == 2
