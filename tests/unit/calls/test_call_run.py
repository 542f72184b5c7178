"""C30, C52, C65: the model decides in time and within its bounds, or the twin does."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from decider_sample import (
    QUESTION,
    TWIN,
    Choice,
    Label,
    Question,
    Ref,
    decider,
    open_budget,
    reply,
    tracer,
)

from handrail.calls import Budget, Decision, Prune, Reject, Skill, Undecided, run
from handrail.domain.trace import Tracer
from handrail.errors import BudgetExhausted, ModelFailed
from handrail.ports import ChatModel
from handrail.testing.scripted_model import Late, ScriptedModel
from handrail.testing.virtual_time import run_virtually


def decide(
    model: ChatModel | None,
    *,
    skill: Skill[Question, Choice] | None = None,
    budget: Budget | None = None,
    trace: Tracer | None = None,
) -> tuple[Decision[Choice], float]:
    """The decision and the virtual seconds that it took."""
    return run_virtually(
        run(
            skill or decider(),
            QUESTION,
            model=model,
            budget=budget or open_budget(),
            tracer=trace or tracer(),
        )
    )


def test_c28_a_good_reply_is_the_models_decision() -> None:
    decision, _ = decide(ScriptedModel(reply(), name="small"))
    assert decision.value == Choice(label=Label.REFLECTION, refs=(Ref(case_id="a1", sent_id=2),))
    assert (decision.by, decision.model, decision.attempts) == ("model", "small", 1)
    assert (decision.failure, decision.dropped) == (None, ())


def test_c27_the_model_is_asked_at_temperature_zero() -> None:
    model = ScriptedModel(reply())
    decide(model)
    assert [request.temperature for request in model.requests] == [0.0]


def test_resolution_10_without_a_model_the_twin_decides_at_once() -> None:
    decision, seconds = decide(None, budget=Budget(calls=0))
    assert decision.value is TWIN
    assert (decision.by, decision.model, decision.attempts) == ("fallback", None, 0)
    assert decision.failure is None
    assert seconds == 0.0


def test_without_a_model_the_twin_decides_whatever_on_error_says() -> None:
    for on_error in ("fallback", "abstain", "raise"):
        assert decide(None, skill=decider(on_error=on_error))[0].value is TWIN


def test_c30_a_silent_model_leads_to_the_twin_after_four_seconds() -> None:
    model = ScriptedModel(Late())
    decision, seconds = decide(model)
    assert (decision.value, decision.by, decision.failure) == (TWIN, "fallback", "timeout")
    assert seconds == pytest.approx(4.0)
    assert model.cancelled == 1


def test_c30_four_seconds_hold_over_all_attempts_together() -> None:
    model = ScriptedModel(Late(3.0, "no json"), Late(3.0, reply()))
    decision, seconds = decide(model)
    assert (decision.by, decision.failure, decision.attempts) == ("fallback", "timeout", 2)
    assert seconds == pytest.approx(4.0)


def test_c30_a_reply_just_in_time_counts() -> None:
    decision, _ = decide(ScriptedModel(Late(3.99, reply())))
    assert decision.by == "model"


@pytest.mark.parametrize(
    ("line", "failure"),
    [
        ("I think validation fits.", "no-json-object"),
        (reply()[:-1], "malformed-json"),
        (reply(label="hypnosis"), "schema-mismatch"),
        (ModelFailed("the model server answered 500"), "model-failed"),
        (KeyError("choices"), "model-failed:KeyError"),
        (TimeoutError(), "model-failed:TimeoutError"),
        (asyncio.CancelledError(), "model-failed"),
        (reply(refs=[("zz", 0)]), "rejected:ref-not-shown"),
    ],
)
def test_c52_each_failure_leads_to_the_twin_and_has_its_code(line: Any, failure: str) -> None:
    decision, _ = decide(ScriptedModel(line))
    assert (decision.value, decision.by, decision.failure) == (TWIN, "fallback", failure)


def test_a_second_attempt_may_succeed() -> None:
    decision, _ = decide(ScriptedModel(ModelFailed("busy"), reply()))
    assert (decision.by, decision.attempts, decision.failure) == ("model", 2, None)


def test_retries_are_counted_to_the_end() -> None:
    model = ScriptedModel("no json")
    assert decide(model, skill=decider(retries=2))[0].attempts == 3
    assert len(model.requests) == 3


def test_no_retries_means_one_attempt() -> None:
    assert decide(ScriptedModel("no json", reply()), skill=decider(retries=0))[0].attempts == 1


@pytest.mark.parametrize("ref", [("a1", 1), ("a1", 3), ("a1", -1), ("A1", 0), ("a2", 0)])
def test_c65_a_reference_never_shown_is_rejected_and_not_clamped(ref: tuple[str, int]) -> None:
    decision, _ = decide(ScriptedModel(reply(refs=[ref])))
    assert decision.failure == "rejected:ref-not-shown"
    assert decision.value.refs == ()


def test_c65_a_check_may_take_out_what_was_not_shown_and_keep_the_rest() -> None:
    decision, _ = decide(ScriptedModel(reply(refs=[("a1", 99), ("a1", 0), ("zz", 0)])))
    assert decision.by == "model"
    assert decision.value.refs == (Ref(case_id="a1", sent_id=0),)
    assert decision.dropped == ("ref-not-shown", "ref-not-shown")


def test_a_pruned_value_has_to_fit_the_schema_again() -> None:
    def spoil(_question: Question, choice: Choice) -> Prune[Choice]:
        return Prune(choice.model_copy(update={"label": "free text"}), ("gone",))

    decision, _ = decide(ScriptedModel(reply()), skill=decider(check=spoil))
    assert decision.failure == "schema-mismatch"


def test_a_check_that_raises_has_accepted_nothing() -> None:
    def broken(_question: Question, choice: Choice) -> Reject:
        raise LookupError(choice.label)

    decision, _ = decide(ScriptedModel(reply()), skill=decider(check=broken))
    assert (decision.by, decision.failure) == ("fallback", "check-raised:LookupError")


def test_a_message_that_no_json_can_hold_is_left_to_the_twin() -> None:
    model = ScriptedModel(reply())
    lone = QUESTION.model_copy(update={"message": "I feel low \ud800"})
    call = run(decider(), lone, model=model, budget=open_budget(), tracer=tracer())
    decision, _ = run_virtually(call)
    assert (decision.by, decision.failure) == ("fallback", "unsendable")
    assert model.requests == []


def test_on_error_abstain_says_that_there_is_no_decision() -> None:
    with pytest.raises(Undecided) as caught:
        decide(ScriptedModel("no json"), skill=decider(on_error="abstain"))
    assert caught.value.failure == "no-json-object"


def test_on_error_raise_hands_the_error_on() -> None:
    error = ModelFailed("the model server answered 500")
    with pytest.raises(ModelFailed) as caught:
        decide(ScriptedModel(error), skill=decider(on_error="raise"))
    assert caught.value is error


def test_the_twin_sees_what_the_model_does_not() -> None:
    seen: list[str] = []

    def twin(question: Question) -> Choice:
        seen.append(question.note)
        return TWIN

    question = QUESTION.model_copy(update={"note": "bank 7"})
    skill = decider(fallback=twin)
    run_virtually(run(skill, question, model=None, budget=open_budget(), tracer=tracer()))
    assert seen == ["bank 7"]


def test_an_empty_budget_asks_nobody() -> None:
    model = ScriptedModel(reply())
    decision, _ = decide(model, budget=open_budget(calls=0))
    assert (decision.by, decision.failure, decision.attempts) == ("fallback", "budget-exhausted", 0)
    assert model.requests == []


def test_a_retry_that_no_budget_covers_is_not_made() -> None:
    model = ScriptedModel("no json")
    decision, _ = decide(model, budget=open_budget(calls=1))
    assert (decision.failure, len(model.requests)) == ("budget-exhausted", 1)


def test_a_question_too_long_for_the_budget_is_not_sent() -> None:
    model = ScriptedModel(reply())
    assert decide(model, budget=open_budget(chars_in=20))[0].failure == "budget-exhausted"
    assert model.requests == []


def test_a_reply_too_long_for_the_budget_is_not_used() -> None:
    decision, _ = decide(ScriptedModel(reply()), budget=open_budget(chars_out=20))
    assert (decision.by, decision.failure) == ("fallback", "budget-exhausted")


def test_the_budgets_seconds_cut_a_call_short() -> None:
    decision, seconds = decide(ScriptedModel(Late()), budget=open_budget(seconds=1.5))
    assert decision.failure == "budget-exhausted"
    assert seconds == pytest.approx(1.5, abs=0.05)


def test_on_error_raise_hands_an_empty_budget_on() -> None:
    with pytest.raises(BudgetExhausted):
        decide(ScriptedModel("{}"), skill=decider(on_error="raise"), budget=open_budget(calls=0))


@pytest.mark.parametrize(("line", "by"), [(reply(), "model"), ("canary-91b2", "fallback")])
def test_c47_c48_the_trace_says_who_decided_and_holds_no_text(line: str, by: str) -> None:
    trace = tracer()
    question = QUESTION.model_copy(update={"message": "canary-91b2"})
    model = ScriptedModel(line, name="small")
    run_virtually(run(decider(), question, model=model, budget=open_budget(), tracer=trace))
    step = trace.trace().step("decider")
    assert step is not None
    assert (step.facts["by"], step.facts["model"]) == (by, "small")
    assert trace.flags["fallback_used"] is (by == "fallback")
    assert "canary" not in repr(trace.trace())


def test_a_model_decision_does_not_clear_an_earlier_fallback() -> None:
    trace = tracer()
    decide(None, trace=trace)
    decide(ScriptedModel(reply()), trace=trace)
    assert trace.flags["fallback_used"] is True


def test_the_trace_has_its_step_even_when_there_is_no_decision() -> None:
    trace = tracer()
    with pytest.raises(Undecided):
        decide(ScriptedModel("?"), skill=decider(on_error="abstain"), trace=trace)
    step = trace.trace().step("decider")
    assert step is not None
    assert step.facts["failure"] == "no-json-object"


def test_c46_latency_is_measured_by_the_tracers_clock() -> None:
    ticks = iter(range(100))
    trace = Tracer("t", clock=lambda: float(next(ticks)))
    decision, _ = decide(ScriptedModel(reply()), trace=trace)
    assert decision.latency_ms >= 1000.0
