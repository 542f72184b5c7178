"""A small decider, shaped like the coach's, for the tests of the bounded call."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from enum import StrEnum
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from handrail.calls import Accept, Budget, Prompt, Prune, Reject, Ruling, Skill
from handrail.domain.trace import Tracer

Make = Callable[..., Skill["Question", "Choice"]]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Label(StrEnum):
    """Skills a decider may choose."""

    VALIDATION = "validation"
    REFLECTION = "reflection"


class Ref(_Strict):
    """Names a sentence that was shown."""

    case_id: str
    sent_id: int


class Question(_Strict):
    """What is shown to the model; ``note`` is for the check and the fallback alone."""

    message: str
    shown: tuple[Ref, ...] = ()
    note: str = Field("", exclude=True)


class Choice(_Strict):
    """What the model chooses."""

    label: Label
    refs: tuple[Ref, ...] = Field((), max_length=9)


SHOWN = (Ref(case_id="a1", sent_id=0), Ref(case_id="a1", sent_id=2))
QUESTION = Question(message="I feel low", shown=SHOWN)
TWIN = Choice(label=Label.VALIDATION)


def only_what_was_shown(question: Question, choice: Choice) -> Ruling[Choice]:
    """C65: all references unknown rejects, some unknown prunes; none is ever clamped."""
    known = tuple(ref for ref in choice.refs if ref in question.shown)
    missing = len(choice.refs) - len(known)
    if not missing:
        return Accept()
    if not known:
        return Reject("ref-not-shown")
    return Prune(choice.model_copy(update={"refs": known}), ("ref-not-shown",) * missing)


def decider(**changes: Any) -> Skill[Question, Choice]:
    """The sample skill, with changes."""
    skill = Skill(
        name="sample.decider.v1",
        prompt=Prompt("sample", "Choose a label. Cite only what was shown."),
        input=Question,
        output=Choice,
        check=only_what_was_shown,
        fallback=lambda question: TWIN,
    )
    return replace(skill, **changes)


def reply(label: object = "reflection", refs: object = (("a1", 2),), **more: object) -> str:
    """A model's reply; by default one that may be used."""
    pairs = [{"case_id": c, "sent_id": s} for c, s in refs]  # type: ignore[attr-defined]
    return json.dumps({"label": label, "refs": pairs, **more})


def open_budget(**limits: Any) -> Budget:
    """A budget that no test meets by chance."""
    return Budget(**{"calls": 9, "seconds": 60.0, **limits})


def tracer() -> Tracer:
    """A fresh trace."""
    return Tracer("t")
