"""Invariant 1 is tested by a switch: while it is on, no call can slip through unseen."""

from __future__ import annotations

import asyncio

import pytest
from decider_sample import QUESTION, TWIN, decider, open_budget, reply, tracer

from handrail.calls import Decision, ModelCallForbidden, forbid_model_calls, run
from handrail.ports import ChatModel
from handrail.testing.scripted_model import ScriptedModel


async def decide(model: ChatModel | None) -> Decision[object]:
    return await run(decider(), QUESTION, model=model, budget=open_budget(), tracer=tracer())


async def test_an_attempt_is_refused_loudly_and_reaches_nobody() -> None:
    model = ScriptedModel(reply())
    with pytest.raises(ModelCallForbidden, match=r"sample\.decider\.v1"), forbid_model_calls():
        await decide(model)
    assert model.requests == []


async def test_an_attempt_that_somebody_swallowed_is_still_reported() -> None:
    with pytest.raises(ModelCallForbidden, match="were attempted"), forbid_model_calls():
        swallowed = await asyncio.gather(decide(ScriptedModel(reply())), return_exceptions=True)
    assert isinstance(swallowed[0], ModelCallForbidden)


async def test_without_a_model_nothing_is_attempted() -> None:
    with forbid_model_calls() as attempts:
        assert (await decide(None)).value is TWIN
    assert attempts == []


async def test_the_switch_goes_off_again() -> None:
    with forbid_model_calls():
        pass
    assert (await decide(ScriptedModel(reply()))).by == "model"
