"""The bounded call that writes a turn: a prompt by phase, a contract, one repair (A17, A20, A60).

What comes back is text under a contract, judged before anybody sees it. A broken reply is asked for
once more with the reason named; then the deterministic composer answers.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict

from handrail.calls import Accept, CallFailed, Failure, Prompt, Reject, Ruling, Skill
from handrail.flows.reframe.cards import Card
from handrail.flows.reframe.contract import Parsed, enforce_ui_contract, parse
from handrail.flows.reframe.phases import Phase
from handrail.flows.reframe.state import SessionState
from handrail.rails.reply_contract import ReplyContract, Terms

CONTRACT = "reframe.turn.v1"
MAX_TOKENS = 350  # of the model call that this flow grew out of
REPAIRS = 1

ROLES: Mapping[Phase, str] = {
    Phase.WARMUP: "greeting",
    Phase.CLARIFY: "discovery",
    Phase.REFRAME: "reframing",
    Phase.SUMMARY: "summary",
    Phase.FOLLOWUP: "summary",
}
"""Which agent writes in which phase; nobody writes in a closed session."""


class Asked(BaseModel):
    """All that the model is told about a turn; the words in it are material, never orders."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    message: str
    phase: str
    turn: int
    language: str
    ask: str | None
    situation: str | None
    thought: str | None
    emotions: tuple[str, ...]
    intensity: int | None
    traps: tuple[str, ...]
    balanced: str | None
    cards: tuple[str, ...]


class Written(BaseModel):
    """A model's turn, parsed; ``ui`` is empty where only a warning was heard."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    ui: str = ""
    next_phase: str | None = None
    missing_fields: tuple[str, ...] = ()
    suggest_questions: tuple[str, ...] = ()
    crisis_detected: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Assignment:
    """What is to be written, under which terms, in whose words."""

    asked: Asked
    phase: Phase
    terms: Terms
    own: Sequence[str]


def instruction(phase: Phase, *, language: str, words: int | None = None) -> str:
    """The instruction of the agent that writes in ``phase``, wrapped by the contract (A20)."""
    role = ROLES[phase]
    prompt = Prompt.load("handrail.flows.reframe.prompts", f"{role}.md")
    return enforce_ui_contract(prompt.text, phase=phase.value, language=language, words=words)


def asked(
    state: SessionState,
    phase: Phase,
    message: str,
    *,
    ask: str | None,
    traps: Sequence[str],
    balanced: str | None,
    cards: Sequence[Card],
) -> Asked:
    """The input of the call; ``state`` has what the message told."""
    progress = state.progress
    return Asked(
        message=_sendable(message),
        phase=phase.value,
        turn=state.position.turn + 1,
        language=state.user_language,
        ask=ask,
        situation=_sendable(progress.situation.text) if progress.situation else None,
        thought=_sendable(progress.thought.text) if progress.thought else None,
        emotions=tuple(_sendable(feeling.words.text) for feeling in progress.emotions),
        intensity=progress.intensity,
        traps=tuple(traps),
        balanced=_sendable(balanced) if balanced else None,
        cards=tuple(f"{card.title}. {card.text}" for card in cards),
    )


def _sendable(text: str) -> str:
    """The text without halves of characters, which no request can hold."""
    return text.encode("utf-8", "replace").decode()


def skill(
    assignment: Assignment, contract: ReplyContract, *, timeout_seconds: float
) -> Skill[Asked, Written]:
    """The skill of one turn; its fallback says nothing, and the composer speaks."""

    def check(_asked: Asked, said: Written) -> Ruling[Written]:
        if said.crisis_detected:
            return Accept()  # heard, and never shown
        if not said.ui.strip():
            return Reject("no-ui")
        breaches = contract.breaches(said.ui, assignment.terms, own_words=assignment.own)
        return Reject(breaches[0].code) if breaches else Accept()

    def hear(_asked: Asked, text: str, usable: Written | None) -> Written | None:
        if usable is not None and usable.crisis_detected:
            return None
        control = parse(text).control
        return Written(crisis_detected=True) if control and control.crisis_detected else None

    return Skill(
        name="reframe.turn.v1",
        prompt=Prompt(
            f"handrail.flows.reframe.prompts/{ROLES[assignment.phase]}",
            instruction(
                assignment.phase,
                language=assignment.asked.language,
                words=assignment.terms.words,
            ),
        ),
        input=Asked,
        output=Written,
        fallback=lambda _asked: Written(),
        check=check,
        hear=hear,
        reader=_read,
        mend=_mend,
        role=ROLES[assignment.phase],
        retries=REPAIRS,
        timeout_seconds=timeout_seconds,
        max_tokens=MAX_TOKENS,
    )


def _read(text: str) -> Written:
    parsed: Parsed = parse(text)
    if not parsed.ui.strip() and parsed.control is None:
        raise CallFailed(Failure.SCHEMA)
    control = parsed.control
    if control is None:
        return Written(ui=parsed.ui)
    return Written(
        ui=parsed.ui,
        next_phase=control.next_phase,
        missing_fields=tuple(control.missing_fields),
        suggest_questions=tuple(control.suggest_questions),
        crisis_detected=control.crisis_detected,
    )


def _mend(failure: str) -> str:
    """What the model is told before its second and last attempt; a code, never its own words."""
    code = json.dumps(failure.removeprefix(f"{Failure.REJECTED}:"))
    return f"Your last reply was not used. It broke this rule: {code}. Write it again, and keep it."
