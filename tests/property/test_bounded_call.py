"""C30, C52, C65: whatever a model says, whenever it says it, the answer is sound and in time."""

from __future__ import annotations

import json
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict

from handrail.calls import Accept, Budget, Decision, Failure, Prompt, Reject, Skill, run
from handrail.calls.deadline import GRACE_SECONDS
from handrail.calls.failure import CallFailed
from handrail.calls.repair import read
from handrail.domain.trace import Tracer
from handrail.testing.scripted_model import Late, Line, ScriptedModel
from handrail.testing.virtual_time import run_virtually


class Shown(BaseModel):
    model_config = ConfigDict(extra="forbid")
    ids: tuple[int, ...]


class Picked(BaseModel):
    model_config = ConfigDict(extra="forbid")
    label: Literal["a", "b"]
    id: int


SHOWN = Shown(ids=(3, 5))
TWIN = Picked(label="a", id=3)
CODES = {code.value for code in Failure}


def _check(shown: Shown, picked: Picked) -> Accept | Reject:
    return Accept() if picked.id in shown.ids else Reject("ref-not-shown")


PICK = Skill(
    name="fuzz.pick.v1",
    prompt=Prompt("p", "Pick."),
    input=Shown,
    output=Picked,
    fallback=lambda shown: TWIN,
    check=_check,
)

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["label", "id", "x"]), inner, max_size=3)
    ),
    max_leaves=8,
)
near_misses = st.fixed_dictionaries(
    {"label": st.sampled_from(["a", "b", "c", "A", 1]), "id": st.sampled_from([3, 5, 4, "3", 3.0])},
    optional={"extra": json_values},
)
anything = st.text(st.characters()) | st.text('{}[]"\\:,`aidlbe0123456789.- \n')


@st.composite
def replies(draw: st.DrawFn) -> str:
    """Text, JSON, near misses and cut or wrapped forms of them."""
    body = draw(
        anything
        | st.binary().map(lambda raw: raw.decode("utf-8", "surrogateescape"))
        | (json_values | near_misses).map(lambda value: json.dumps(value))
    )
    before, after = draw(st.sampled_from(["", "```json\n", "Sure: ", "["])), draw(anything)
    return before + body[: draw(st.integers(0, len(body) * 2))] + after


lines: st.SearchStrategy[Line] = (
    replies()
    | st.builds(Late, st.floats(0, 10), replies())
    | st.sampled_from([Late(), ValueError("v"), TimeoutError(), RecursionError()])
)


def _decide(*script: Line, **limits: Any) -> tuple[Decision[Picked], float, ScriptedModel]:
    model = ScriptedModel(*script)
    budget = Budget(**{"seconds": 1e6, **limits})
    decision, seconds = run_virtually(
        run(PICK, SHOWN, model=model, budget=budget, tracer=Tracer("t"))
    )
    return decision, seconds, model


@given(st.lists(lines, min_size=1, max_size=3))
def test_c30_c52_c65_sound_and_in_time_whatever_the_model_does(script: list[Line]) -> None:
    decision, seconds, _ = _decide(*script)
    assert seconds <= PICK.timeout_seconds + GRACE_SECONDS
    assert decision.value.id in SHOWN.ids
    assert Picked.model_validate(decision.value.model_dump(), strict=True) == decision.value
    if decision.by == "fallback":
        assert decision.value is TWIN
        assert decision.failure is not None
        assert decision.failure.split(":")[0] in CODES
    else:
        assert decision.failure is None


@given(near_misses)
def test_c65_a_value_is_used_if_and_only_if_it_is_exactly_right(value: dict[str, Any]) -> None:
    right = (
        value["label"] in ("a", "b")
        and isinstance(value["id"], int)
        and value["id"] in SHOWN.ids
        and "extra" not in value
    )
    decision, _, _ = _decide(json.dumps(value))
    assert (decision.by == "model") is right


@given(replies())
def test_c27_a_text_is_a_value_or_an_error_and_nothing_else(text: str) -> None:
    try:
        outcome = read(text, Picked).label
    except CallFailed as error:
        outcome = error.code
    assert outcome in CODES | {"a", "b"}


@given(
    st.lists(replies(), min_size=1, max_size=3),
    st.integers(0, 4),
    st.integers(0, 80),
    st.integers(0, 60),
)
def test_a_budget_is_never_overrun(script: list[str], calls: int, sent: int, got: int) -> None:
    decision, _, model = _decide(*script, calls=calls, chars_in=sent, chars_out=got)
    assert len(model.requests) <= calls
    assert sum(len(r.system) + len(r.user) for r in model.requests) <= sent
    if decision.by == "model":
        said = [script[min(i, len(script) - 1)] for i in range(len(model.requests))]
        assert sum(map(len, said)) <= got


@pytest.mark.parametrize("limits", [{"calls": 1}, {"chars_in": 20}, {"chars_out": 22}])
def test_a_budget_that_just_suffices_lets_the_call_through(limits: dict[str, int]) -> None:
    decision, _, model = _decide('{"label":"b","id":5}  ', **limits)
    assert decision.by == "model"
    assert len(model.requests) == 1
