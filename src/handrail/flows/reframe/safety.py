"""Danger in a session: the safety line, the protocol, and one direct question where it is in doubt.

Nothing here asks a model, and nothing leads back to reframing once danger was heard (A22, A58).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from handrail.domain.reply import Fragment
from handrail.domain.risk import Risk
from handrail.domain.trace import Tracer
from handrail.flows.reframe import emit
from handrail.flows.reframe.compose import ReframeLines, Voice
from handrail.flows.reframe.compose.summary import crisis_recap
from handrail.flows.reframe.hearing import Hearing, Heeded
from handrail.flows.reframe.notes import Traps, note
from handrail.flows.reframe.phases import Move, Phase, Position, advance
from handrail.flows.reframe.reading import Act, Asked, Reader
from handrail.flows.reframe.result import TurnResult
from handrail.flows.reframe.state import SessionState
from handrail.rails import layout

READ_CHARS = 8_000
"""The screen reads a message whole; of a longer one the session takes up what comes first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Safety:
    """Answers danger; ``traps`` are the thinking traps in a thought, in its session."""

    hearing: Hearing
    reader: Reader
    lines: ReframeLines
    traps: Traps

    def in_danger(
        self, before: SessionState, heeded: Heeded, message: str, tracer: Tracer
    ) -> TurnResult:
        """Help first: the safety line and the protocol; the reframing is over (A22, A58)."""
        tracer.flags["crisis"] = True
        state = replace(before, user_language=_language(before, heeded.risk))
        asks = Move.CRISIS if heeded.danger else Move.STAY
        position = advance(before.position, asks, before.limits)
        opening = self._opening(state, message)
        return self._protocol(state, position, heeded, message, tracer, opening)

    def in_doubt(
        self, before: SessionState, heeded: Heeded, message: str, tracer: Tracer
    ) -> TurnResult:
        """One direct question about what may be danger; the session waits where it stands."""
        tracer.flags["doubt"] = True
        reading = self.reader.read(message[:READ_CHARS], asked=before.memory.asked)
        state, _ = note(before, reading, message, traps=self.traps)  # what was told is not lost
        if before.phase is Phase.REFRAME:  # what comes next is no answer to the balanced thought
            state = replace(state, memory=replace(state.memory, asked=Asked.NOTHING))
        position = advance(before.position, Move.STAY, before.limits)
        asked = self._protocol(state, position, heeded, message, tracer, ())
        doubting = replace(asked.state, doubts=before.doubts + 1, doubting=True)
        return replace(asked, state=doubting)

    def _protocol(
        self,
        state: SessionState,
        position: Position,
        heeded: Heeded,
        message: str,
        tracer: Tracer,
        opening: tuple[Fragment, ...],
    ) -> TurnResult:
        """The protocol's turn, with the session after it."""
        line = emit.banner_line(self.lines, state, position, state.user_language)
        spoken = self.hearing.answer(
            state,
            heeded,
            message,
            tracer,
            flow=emit.FLOW,
            opening=opening,
            pins=emit.session_pins(state, position, banner_line=line),
        )
        after = replace(
            state,
            position=position,
            heard=heeded.heard.state,
            protocol=spoken.state,
            country=spoken.state.country,
            last_words=spoken.reply.text,
            messages=state.messages + 1,
        )
        return emit.result(
            after,
            spoken.reply,
            lines=self.lines,
            control=emit.control(after, None, crisis=position.crisis),
            writer="protocol",
            moves=spoken.turn.moves,
        )

    def _opening(self, state: SessionState, message: str) -> tuple[Fragment, ...]:
        """What stands before the protocol's words: the safety line once, the recap when asked."""
        voice = Voice(lines=self.lines, language=state.user_language, seed=state.seed)
        if not state.crisis_flag:
            line = self.lines.pick(
                "crisis-safety", language=state.user_language, seed=state.seed, count=0
            )
            return self.lines.fragments(line)
        reading = self.reader.read(message[:READ_CHARS])
        if reading.act is not Act.WANTS_SUMMARY:
            return ()
        recap = voice.voiced(
            crisis_recap(state),
            state.memory,
            number=state.messages + 1,
            words=state.limits.summary_words,
        )
        return layout.render(recap.draft, steps_lead=(), goal_lead=())


def _language(state: SessionState, risk: Risk) -> str:
    """The language of the answer: the session's; that of the danger where nothing was said yet."""
    if state.fixed_language or state.messages or risk.language is None:
        return state.user_language
    return risk.language
