"""The bounded call: a model chooses in time and within the schema, or its twin does."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Generic, Literal, TypeVar, assert_never

from pydantic import BaseModel, ValidationError

from handrail.calls.budget import Budget
from handrail.calls.deadline import DeadlinePassed, WorkCancelled, within
from handrail.calls.failure import CallFailed, Failure, Undecided
from handrail.calls.forbid import refuse_if_forbidden
from handrail.calls.repair import MAX_REPLY_CHARS
from handrail.calls.skill import Accept, Prune, Reject, Ruling, Skill
from handrail.domain.trace import Tracer
from handrail.errors import BudgetExhausted, ModelFailed
from handrail.ports import ChatModel, ChatReply, ChatRequest

RETRY_PAUSE_SECONDS = 0.1  # a server that has just failed is not asked again at once

I = TypeVar("I", bound=BaseModel)  # noqa: E741
O = TypeVar("O", bound=BaseModel)  # noqa: E741


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision(Generic[O]):
    """Who decided what; ``failure`` is the code of why a model's answer was not used.

    ``model`` is the configured name, never what the server calls itself; None without a model.
    ``dropped`` has one reason code for each part that the check took out.
    """

    value: O
    by: Literal["model", "fallback"]
    model: str | None = None
    latency_ms: float = 0.0
    attempts: int = 0
    failure: str | None = None
    dropped: tuple[str, ...] = ()


async def run(
    skill: Skill[I, O],
    input: I,
    *,
    model: ChatModel | None,
    budget: Budget,
    tracer: Tracer,
) -> Decision[O]:
    """Decide by ``model`` within the skill's bounds, or by the skill's fallback.

    Waits at most the smaller of the skill's time-out and the budget's rest, plus a short grace.
    Raises what ``skill.on_error`` asks for, and otherwise nothing that a model can bring about.
    """
    begun = tracer.clock()
    call = _Call(skill=skill, input=input, budget=budget, model=model)
    with tracer.step(skill.stage) as facts:
        try:
            value = await call.decide()
        finally:
            facts.update(call.facts())
            tracer.flags["fallback_used"] = tracer.flags.get("fallback_used", False) or (
                call.by == "fallback"
            )
    return Decision(
        value=value,
        by=call.by,
        model=model.name if model else None,
        latency_ms=(tracer.clock() - begun) * 1000,
        attempts=call.attempts,
        failure=call.failure,
        dropped=call.dropped,
    )


@dataclass(slots=True, kw_only=True)
class _Call(Generic[I, O]):
    """One run; its counts are right at any moment, since it may be cut off at any moment."""

    skill: Skill[I, O]
    input: I
    budget: Budget
    model: ChatModel | None
    by: Literal["model", "fallback"] = "fallback"
    attempts: int = 0
    failure: str | None = None
    dropped: tuple[str, ...] = field(default=())

    def facts(self) -> dict[str, object]:
        """What a trace may hold: names, counts and codes."""
        return {
            "skill": self.skill.name,
            "prompt": self.skill.prompt.sha256,
            "model": self.model.name if self.model else None,
            "by": self.by,
            "attempts": self.attempts,
            "failure": self.failure,
            "dropped": len(self.dropped),
        }

    async def decide(self) -> O:
        if self.model is None:
            return self.skill.fallback(self.input)
        refuse_if_forbidden(self.skill.name)
        try:
            value, self.dropped = await self._in_time(self.model)
        except (ModelFailed, BudgetExhausted) as error:
            self.failure = error.code
            return self._without_model(error)
        self.by = "model"
        return value

    def _without_model(self, error: ModelFailed | BudgetExhausted) -> O:
        match self.skill.on_error:
            case "fallback":
                return self.skill.fallback(self.input)
            case "abstain":
                raise Undecided(self.skill.name, error.code) from error
            case "raise":
                raise error
            case _:
                assert_never(self.skill.on_error)

    async def _in_time(self, model: ChatModel) -> tuple[O, tuple[str, ...]]:
        self._require_sendable()  # before the clock runs
        left = self.budget.seconds_left
        try:
            return await within(min(self.skill.timeout_seconds, left), self._attempts(model))
        except DeadlinePassed:
            if left < self.skill.timeout_seconds:
                raise BudgetExhausted("no seconds left for this message") from None
            raise CallFailed(Failure.TIMEOUT) from None
        except WorkCancelled:
            raise CallFailed(Failure.MODEL_FAILED) from None

    def _require_sendable(self) -> None:
        try:
            self.skill.request(self.input)
        except ValueError:  # no JSON holds a lone surrogate; the vendor's message would repeat it
            raise CallFailed(Failure.UNSENDABLE) from None

    async def _attempts(self, model: ChatModel) -> tuple[O, tuple[str, ...]]:
        failure: str | None = None
        while True:
            try:
                return await self._attempt(model, self.skill.request(self.input, failure=failure))
            except ModelFailed as error:
                if self.attempts > self.skill.retries:
                    raise
                failure = error.code
            await asyncio.sleep(RETRY_PAUSE_SECONDS)

    async def _attempt(self, model: ChatModel, request: ChatRequest) -> tuple[O, tuple[str, ...]]:
        self.budget.before_call(len(request.system) + len(request.user))
        self.attempts += 1
        text = await _complete(model, request)
        try:
            self.budget.after_call(len(text))
            output = self.skill.read(text)
            value, dropped = self._ruled(output, self._ruling(output))
        except (CallFailed, BudgetExhausted) as error:
            heard = self._heard(text, None)
            if heard is None:
                raise
            return heard, (error.code.partition(":")[0],)
        return self._heard(text, value) or value, dropped

    def _heard(self, text: str, usable: O | None) -> O | None:
        """What the skill hears in a reply beside, or in place of, a usable output."""
        return self.skill.hear(self.input, text[:MAX_REPLY_CHARS], usable)

    def _ruling(self, output: O) -> Ruling[O]:
        try:
            return self.skill.check(self.input, output)
        except Exception as error:  # noqa: BLE001  a check that breaks has accepted nothing
            raise CallFailed(Failure.CHECK_RAISED, type(error).__name__) from None

    def _ruled(self, output: O, ruling: Ruling[O]) -> tuple[O, tuple[str, ...]]:
        match ruling:
            case Accept():
                return output, ()
            case Prune(value, dropped):
                return _revalidated(value, self.skill.output), dropped
            case Reject(reason):
                raise CallFailed(Failure.REJECTED, reason)
            case _:
                assert_never(ruling)


async def _complete(model: ChatModel, request: ChatRequest) -> str:
    """The text of the model's reply; whatever else an adapter does becomes `ModelFailed`."""
    try:
        return _text(await model.complete(request))
    except ModelFailed:
        raise
    except Exception as error:  # noqa: BLE001  a broken adapter is a failed model
        raise CallFailed(Failure.MODEL_FAILED, type(error).__name__) from None


def _text(reply: ChatReply) -> str:
    if not isinstance(reply.text, str):
        raise TypeError("a reply has text")
    return reply.text


def _revalidated(value: O, output: type[O]) -> O:
    """A pruned value has to meet the schema again: pydantic's copies are not checked.

    Serialising warns of what does not fit by quoting it, so the warnings are off.
    """
    try:
        return output.model_validate_json(value.model_dump_json(warnings="none"), strict=True)
    except (ValidationError, ValueError):
        raise CallFailed(Failure.SCHEMA) from None
