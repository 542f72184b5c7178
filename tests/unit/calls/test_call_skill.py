"""A skill is data; what is wrong with it is found when it is built, not when it is asked."""

from __future__ import annotations

import hashlib
import json

import pytest
from decider_sample import QUESTION, Choice, Question, decider
from pydantic import BaseModel, ConfigDict, RootModel

from handrail.calls import Prompt, Prune, Reject
from handrail.calls.schema import strict_schema
from handrail.errors import ContentInvalid


def test_c27_the_request_is_temperature_zero_and_strict_json() -> None:
    request = decider().request(QUESTION)
    assert request.temperature == 0.0
    assert request.schema["additionalProperties"] is False
    assert request.schema["required"] == ["label", "refs"]
    assert request.schema_name == "sample_decider_v1"


def test_the_model_sees_the_prompt_and_the_input_and_no_private_field() -> None:
    request = decider().request(QUESTION.model_copy(update={"note": "for the twin"}))
    assert request.system == "Choose a label. Cite only what was shown."
    assert json.loads(request.user).keys() == {"message", "shown"}


def test_a_subclass_of_the_input_could_show_more_and_is_refused() -> None:
    class Chatty(Question):
        secret: str = "s"

    with pytest.raises(TypeError, match="takes Question, not Chatty"):
        decider().request(Chatty(message="m"))


def test_c30_the_time_out_is_four_seconds_by_default() -> None:
    assert decider().timeout_seconds == 4.0


def test_the_stage_is_the_name_without_flow_and_version() -> None:
    assert decider().stage == "decider"


@pytest.mark.parametrize("name", ["decider", "coach.decider", "coach.decider.v0", "Coach.x.v1"])
def test_a_name_without_a_version_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="version"):
        decider(name=name)


@pytest.mark.parametrize("change", [{"timeout_seconds": 0.0}, {"retries": -1}])
def test_bounds_that_bound_nothing_are_refused(change: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="time-out"):
        decider(**change)


class _Loose(BaseModel):
    label: str


class _Holder(BaseModel):
    model_config = ConfigDict(extra="forbid")
    parts: list[_Loose]


class _Open(BaseModel):
    model_config = ConfigDict(extra="forbid")
    anything: dict[str, int]


@pytest.mark.parametrize("output", [_Loose, _Holder, _Open])
def test_a_schema_that_lets_unknown_keys_in_is_refused(output: type[BaseModel]) -> None:
    with pytest.raises(TypeError, match="forbid"):
        decider(output=output)


def test_a_schema_without_an_object_at_the_top_is_refused() -> None:
    with pytest.raises(TypeError, match="object at the top"):
        strict_schema(RootModel[list[int]])


def test_a_property_named_like_a_keyword_survives() -> None:
    class Titled(BaseModel):
        model_config = ConfigDict(extra="forbid")
        title: int = 3
        default: int = 4

    assert strict_schema(Titled)["properties"] == {
        "title": {"type": "integer"},
        "default": {"type": "integer"},
    }


def test_a_caller_cannot_spoil_the_schema_for_the_next() -> None:
    strict_schema(Choice)["properties"].clear()
    assert strict_schema(Choice)["properties"].keys() == {"label", "refs"}


def test_a_prompt_is_named_by_the_hash_of_its_bytes() -> None:
    prompt = Prompt("p", "Elige una opción.")
    assert prompt.sha256 == hashlib.sha256("Elige una opción.".encode()).hexdigest()


def test_a_packaged_prompt_is_read_once() -> None:
    loaded = Prompt.load("handrail.calls", "prompt.py")
    assert loaded.text.startswith('"""A skill')
    assert Prompt.load("handrail.calls", "prompt.py") is loaded


@pytest.mark.parametrize("place", [("handrail.calls", "no.md"), ("handrail.nowhere", "x.md")])
def test_a_prompt_that_cannot_be_read_names_itself(place: tuple[str, str]) -> None:
    with pytest.raises(ContentInvalid, match=place[1]):
        Prompt.load(*place)


def test_an_empty_prompt_is_refused() -> None:
    with pytest.raises(ContentInvalid, match="empty"):
        Prompt("p", " \n")


@pytest.mark.parametrize("reason", ["the model said: hi", "Ref", "", "a1"])
def test_a_reason_is_a_code_and_never_text(reason: str) -> None:
    with pytest.raises(ValueError, match="code"):
        Reject(reason)
    with pytest.raises(ValueError, match="code"):
        Prune(None, (reason,))  # type: ignore[type-var]
