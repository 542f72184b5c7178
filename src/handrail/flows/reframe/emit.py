"""The end of a turn: context and pins for the one door, and the result that faces show."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from handrail.content import CoachContent, content_hash
from handrail.domain.outcome import Outcome, Resource
from handrail.domain.reply import Block, BlockKind, Contracted, Draft, Fragment, Sentence
from handrail.domain.text import digest
from handrail.domain.trace import Tracer
from handrail.flows.reframe import writing
from handrail.flows.reframe.cards import Card
from handrail.flows.reframe.compose import Plan, ReframeLines, Turn, Voiced
from handrail.flows.reframe.control import Control
from handrail.flows.reframe.hearing import Heeded
from handrail.flows.reframe.moves import open_questions
from handrail.flows.reframe.phases import Move, Phase, Position, advance, banner
from handrail.flows.reframe.result import TurnResult, Writer
from handrail.flows.reframe.state import Kept, SessionState
from handrail.rails import release
from handrail.rails.receipt import canonical_json

FLOW = "reframe"
_PART = re.compile(r"\S.*?(?:[.!?…:]+[”»\"’)\]]*(?=\s|\Z)|\Z)\s*", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ready:
    """A turn before its words: all is decided but who writes.

    ``before`` is the session before the message and ``state`` the one with what it told.
    """

    before: SessionState
    state: SessionState
    position: Position
    message: str
    turn: Turn
    plan: Plan
    voiced: Voiced
    cards: Sequence[Card]
    heeded: Heeded
    tracer: Tracer
    model_may_write: bool

    @property
    def number(self) -> int:
        """The number of the message that is answered."""
        return self.before.messages + 1


def session_pins(
    before: SessionState, position: Position, *, banner_line: str | None
) -> dict[str, object]:
    """What the proof of a turn needs besides its fragments: hashes, ids and numbers."""
    return {
        "banner": banner_line,
        "session": {
            "phase": position.phase.value,
            "turn": position.turn,
            "number": before.messages + 1,
            "state": state_digest(before),
            "modelled": before.memory.modelled,
            "opened": {
                "seed": before.seed,
                "arm": before.arm,
                "limits": before.limits.to_json(),
                **before.opened.to_json(),
            },
        },
        "said": {str(kept.number): kept.sha256 for kept in kept_words(before)},
    }


def state_digest(state: SessionState) -> str:
    """A hash over all that decides the next reply; when notices were shown does not."""
    return digest(canonical_json({**state.to_json(), "seen": None}))


def banner_line(
    lines: ReframeLines, before: SessionState, position: Position, language: str
) -> str | None:
    """The id of the line that notes what has come (A12, A13)."""
    due = banner(before.position, position, before.limits)
    if due is None:
        return None
    return lines.pick(due.value, language=language, seed=0, count=0)


def context(
    ready: Ready,
    *,
    content: CoachContent,
    country: str | None,
    resources: tuple[Resource, ...],
    banner_line: str | None,
) -> release.Context:
    """What the outcome of the turn shares."""
    language = ready.state.user_language
    return release.Context(
        flow=FLOW,
        message=ready.message,
        risk=ready.heeded.risk,
        tracer=ready.tracer,
        line=lambda name: content.said(name, language),
        resources=resources,
        pins={
            "content": content_hash(),
            "country": country,
            **session_pins(ready.before, ready.position, banner_line=banner_line),
        },
        needs_evidence=False,
    )


def kept_words(state: SessionState) -> tuple[Kept, ...]:
    """Every word of the person that a reply may quote."""
    progress = state.progress
    single = (
        progress.situation,
        progress.thought,
        progress.felt,
        progress.intensity_words,
        progress.evidence,
        progress.after_words,
    )
    felt = (feeling.words for feeling in progress.emotions)
    return tuple(kept for kept in (*single, *felt) if kept is not None)


def own_words(state: SessionState, message: str) -> tuple[str, ...]:
    """What a model may quote: what the session keeps, and the message itself."""
    return (*(kept.text for kept in kept_words(state)), message)


def contracted(text: str) -> Draft:
    """A model's turn as a draft; the gate judges it by its contract."""
    fragment = Fragment(text, Contracted(contract=writing.CONTRACT, passage_ids=()))
    return Draft((Block(BlockKind.SPEECH, (Sentence((fragment,)),)),))


def streamed(text: str) -> tuple[str, ...]:
    """The text in sentences, each with the white space behind it; joined they are the text."""
    return tuple(_PART.findall(text))


def after(ready: Ready, outcome: Outcome, written: writing.Written | None) -> SessionState:
    """The session once the reply is said."""
    state, planned = ready.state, ready.plan
    memory = replace(
        state.memory,
        said=ready.voiced.said,
        asked=planned.asked,
        traps=ready.turn.named,
        balanced=("" if written else ready.voiced.balanced) or state.memory.balanced,
        round=planned.round or state.memory.round,
        checked=state.memory.checked or (not written and "mild-check" in planned.moves),
        proposed=(written.next_phase or "") if written else "",
        modelled=state.memory.modelled or written is not None,
    )
    return replace(
        state,
        position=ready.position,
        memory=memory,
        last_words=outcome.text,
        messages=ready.number,
    )


def control(state: SessionState, asked_line: str | None, *, crisis: bool = False) -> Control:
    """Where the session goes from ``state``, and what is still missing."""
    return Control(
        next_phase=_next(state).value,
        missing_fields=() if crisis else _missing(state),
        suggest_questions=(asked_line,) if asked_line else (),
        crisis_detected=crisis,
    )


def _missing(state: SessionState) -> tuple[str, ...]:
    situation = () if state.progress.situation else ("situation",)
    return (*situation, *state.progress.missing)


def _next(state: SessionState) -> Phase:
    """The phase of the next reply, if the next message brings what is asked for."""
    asks = state.phase is Phase.CLARIFY and open_questions(state)
    return advance(state.position, Move.STAY if asks else Move.GO_ON, state.limits).phase


def result(
    state: SessionState,
    outcome: Outcome,
    *,
    lines: ReframeLines,
    control: Control,
    writer: Writer,
    moves: Sequence[str] = (),
) -> TurnResult:
    """The result, with the banner that the receipt names."""
    line = outcome.receipt.body.get("banner")
    return TurnResult(
        state=state,
        outcome=outcome,
        control=control,
        writer=writer,
        banner="".join(f.text for f in lines.fragments(str(line))) if line else None,
        banner_id=str(line) if line else None,
        sentences=streamed(outcome.text),
        moves=tuple(moves),
    )
