"""A skill: one question that a model may answer by choosing, and who answers when it cannot.

What a model returns is a choice, never copy. An output schema holds labels from closed sets and
ids of things that were shown; flows turn these into reviewed lines and verbatim quotes. A schema
with a free string breaks that promise unless a written contract checks the string before release.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, Literal, TypeAlias, TypeVar

from pydantic import BaseModel

from handrail.calls.prompt import Prompt
from handrail.calls.repair import read
from handrail.calls.schema import strict_schema
from handrail.ports import ChatRequest

I = TypeVar("I", bound=BaseModel)  # noqa: E741
O = TypeVar("O", bound=BaseModel)  # noqa: E741

OnError: TypeAlias = Literal["fallback", "abstain", "raise"]

_NAME = re.compile(r"[a-z]+(?:[.-][a-z]+)*\.v[1-9][0-9]*")
_REASON = re.compile(r"[a-z]+(?:-[a-z]+)*")
TIMEOUT_SECONDS = 4.0  # C30
SCHEMA_NAME_CHARS = 64  # the longest schema name that OpenAI-compatible servers accept


@dataclass(frozen=True, slots=True)
class Accept:
    """The output stands as it is."""


@dataclass(frozen=True, slots=True)
class Prune(Generic[O]):
    """Parts were taken out; ``dropped`` has one reason code a part. Never a place to mend one."""

    value: O
    dropped: tuple[str, ...]

    def __post_init__(self) -> None:
        for reason in self.dropped:
            _require_code(reason)


@dataclass(frozen=True, slots=True)
class Reject:
    """Nothing of the output may be used; ``reason`` is a code such as ``ref-not-shown``."""

    reason: str

    def __post_init__(self) -> None:
        _require_code(self.reason)


Ruling: TypeAlias = Accept | Prune[O] | Reject


def accept(_input: object, _output: object) -> Accept:
    """The check of a skill whose schema says it all."""
    return Accept()


def mend_nothing(_failure: str) -> str:
    """For a skill that asks again in the same words."""
    return ""


def hear_nothing(_input: object, _text: str, _usable: object) -> None:
    """For a skill in which a reply that cannot be used means nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Skill(Generic[I, O]):
    """Everything a bounded call needs to know, as data.

    ``name`` ends in a version, such as ``coach.decider.v1``. The model sees ``prompt`` and the JSON
    of the input; fields declared with ``exclude=True`` reach ``check`` and ``fallback`` only.
    ``hear`` is given the text of each reply, with the output in it where one can be used, and
    returns what to use instead, or None: a warning counts in a reply that is broken, too. What it
    returns is used as it is, so it may only build on the given output and on the fallback.
    ``reader`` reads a reply that is asked for in text, not in JSON; it raises `CallFailed`.
    ``mend`` is given the code of why a reply was not used, and returns what to tell the model in
    the next attempt. ``role`` is the part that the model plays, for adapters that keep an agent for
    each.
    ``fallback`` is deterministic and total. ``timeout_seconds`` is the wall clock over all
    ``1 + retries`` attempts. ``on_error`` says what a failed model leads to: the fallback,
    `Undecided`, or the error itself; without a model the fallback answers in every case.
    """

    name: str
    prompt: Prompt
    input: type[I]
    output: type[O]
    fallback: Callable[[I], O]
    check: Callable[[I, O], Ruling[O]] = accept
    hear: Callable[[I, str, O | None], O | None] = hear_nothing
    reader: Callable[[str], O] | None = None
    mend: Callable[[str], str] = mend_nothing
    role: str = ""
    on_error: OnError = "fallback"
    timeout_seconds: float = TIMEOUT_SECONDS
    retries: int = 1
    max_tokens: int = 600

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name):
            raise ValueError(f"{self.name!r} needs a version, such as 'coach.decider.v1'")
        if self.timeout_seconds <= 0 or self.retries < 0:
            raise ValueError(f"{self.name} needs a positive time-out and no negative retries")
        if self.reader is None:
            strict_schema(self.output)

    def read(self, text: str) -> O:
        """The output in a reply; raises `CallFailed`."""
        return read(text, self.output) if self.reader is None else self.reader(text)

    @property
    def stage(self) -> str:
        """The skill's name in a trace: ``decider`` of ``coach.decider.v1``."""
        return self.name.split(".")[-2]

    def request(self, input: I, *, failure: str | None = None) -> ChatRequest:
        """What the model is asked: temperature 0, strict JSON unless the skill reads text (C27).

        ``failure`` is the code of why the last reply was not used. Raises `TypeError` for a
        subclass of the declared input, which could show more than it.
        """
        if type(input) is not self.input:
            raise TypeError(f"{self.name} takes {self.input.__name__}, not {type(input).__name__}")
        told = self.mend(failure) if failure else ""
        return ChatRequest(
            system="\n\n".join(filter(None, (self.prompt.text, told))),
            user=input.model_dump_json(),
            schema=strict_schema(self.output) if self.reader is None else None,
            schema_name=re.sub(r"[^a-z0-9]", "_", self.name)[:SCHEMA_NAME_CHARS],
            max_tokens=self.max_tokens,
            role=self.role,
        )


def _require_code(reason: str) -> None:
    if not _REASON.fullmatch(reason):
        raise ValueError("a reason is a code such as 'ref-not-shown', never text")
