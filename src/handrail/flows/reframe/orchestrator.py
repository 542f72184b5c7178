"""One turn of a session, in one order: crisis, note, transition, compose, call, gate, emit (A11).

`begin` and `finish` are plain functions; between them a model may be asked to write. No model sees
a message in which the crisis screen heard danger, nor any message after one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from handrail.calls import Budget, run
from handrail.content import CoachContent, content_hash
from handrail.domain.outcome import Outcome, Reason, Resource
from handrail.domain.reply import Draft, EvidenceBundle, Fragment, Layout
from handrail.domain.risk import Level, Risk
from handrail.domain.trace import Tracer
from handrail.flows.reframe import emit, writing
from handrail.flows.reframe.cards import Cards
from handrail.flows.reframe.compose import ReframeLines, Turn, Voice, echo, plan
from handrail.flows.reframe.control import Control
from handrail.flows.reframe.distortions import DistortionReader
from handrail.flows.reframe.emit import Ready
from handrail.flows.reframe.gate import TurnGate
from handrail.flows.reframe.hearing import Hearing, Heeded
from handrail.flows.reframe.moves import move
from handrail.flows.reframe.notes import note
from handrail.flows.reframe.phases import Phase, Position, advance
from handrail.flows.reframe.reading import Act, Asked, Reader
from handrail.flows.reframe.result import TurnResult
from handrail.flows.reframe.safety import READ_CHARS, Safety
from handrail.flows.reframe.state import SessionState
from handrail.ports import ChatModel
from handrail.rails import release
from handrail.rails.helplines import Helplines
from handrail.rails.injection import InjectionGuard, Way
from handrail.rails.reply_contract import ReplyContract, Terms

DOUBTS = 2
"""How often a session asks about a danger that the second reader alone hears; then it goes on
without a model, beside people to turn to."""

_WARMING = {
    "en": "I'm anxious about a talk tomorrow and everyone will judge me",
    "es": "Tengo ansiedad por una charla mañana y todos me van a juzgar",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Orchestrator:
    """The flow; safe to share between sessions, which differ in their state alone."""

    hearing: Hearing
    guard: InjectionGuard
    reader: Reader
    distortions: DistortionReader
    lines: ReframeLines
    cards: Cards
    contract: ReplyContract
    content: CoachContent
    helplines: Helplines
    timeout_seconds: float = 4.0

    def warm(self) -> None:
        """Compile what turns need now, so that no message pays for it."""
        self.reader.warm()
        self.contract.compile_all()
        for language, message in _WARMING.items():
            state = SessionState(user_language=language)
            ready = self.begin(state, message, Tracer("warm"))
            if isinstance(ready, Ready):
                self.finish(ready)

    async def handle_turn(
        self,
        state: SessionState,
        user_text: str,
        llm_call: ChatModel | None = None,
        *,
        tracer: Tracer | None = None,
    ) -> TurnResult:
        """The turn that answers ``user_text`` (A10); without a model the composer speaks."""
        ready = self.begin(state, user_text, tracer or Tracer("turn"))
        if isinstance(ready, TurnResult):
            return ready
        return self.finish(ready, await self.written(ready, llm_call))

    def begin(self, state: SessionState, message: str, tracer: Tracer) -> Ready | TurnResult:
        """The turn up to its words; the whole of it where there is danger, or a part breaks."""
        try:
            heeded = self.hearing.heed(state, message, tracer)
        except Exception as error:  # noqa: BLE001  a screen that fails lets nothing through
            return self._broken(state, message, tracer, error, Reason.RAIL_FAILED)
        try:
            state = replace(state, country=self.helplines.stated(message) or state.country)
            if heeded.danger or state.crisis_flag:
                return self._safety.in_danger(state, heeded, message, tracer)
            if heeded.doubted and state.doubts < DOUBTS:
                return self._safety.in_doubt(state, heeded, message, tracer)
            return self._prepared(state, heeded, message, tracer)
        except Exception as error:  # noqa: BLE001  it may hold text; its type is in the trace
            return self._broken(state, message, tracer, error, Reason.PART_FAILED)

    @property
    def _safety(self) -> Safety:
        return Safety(
            hearing=self.hearing, reader=self.reader, lines=self.lines, traps=self._traps_in
        )

    def _prepared(
        self, before: SessionState, heeded: Heeded, message: str, tracer: Tracer
    ) -> Ready:
        turn = self._understood(before, heeded, message, tracer)
        state, position = turn.state, turn.position
        with tracer.step("compose") as facts:
            planned = plan(turn)
            voiced = self._voice(state).voiced(
                planned,
                state.memory,
                number=before.messages + 1,
                words=self._terms(state, position).words,
            )
            cards = self.cards.find(
                position.phase, turn.traps, language=state.user_language, turn=before.messages
            )
            facts.update(
                phase=position.phase.value,
                moves=list(planned.moves),
                cards=[card.id for card in cards],
            )
        return Ready(
            before=before,
            state=state,
            position=position,
            message=message,
            turn=turn,
            plan=planned,
            voiced=voiced,
            cards=cards,
            heeded=heeded,
            tracer=tracer,
            model_may_write=not heeded.raised
            and (state.memory.checked or not turn.mild)
            and self._model_may_write(before, position, message, tracer),
        )

    def _understood(
        self, before: SessionState, heeded: Heeded, message: str, tracer: Tracer
    ) -> Turn:
        """What the message told, what it asks of the session, and where the reply stands."""
        with tracer.step("understand") as facts:
            reading = self.reader.read(message[:READ_CHARS], asked=before.memory.asked)
            heard = replace(before, heard=heeded.heard.state, doubting=False)
            state, fresh = note(heard, reading, message, traps=self._traps_in)
            asks = move(state, reading, fresh)
            position = advance(before.position, asks, state.limits)
            traps = self._traps(state)
            facts.update(act=reading.act.value, move=asks.value, fresh=sorted(fresh))
            facts["traps"] = list(traps)
        return Turn(
            before=before,
            state=state,
            position=position,
            reading=reading,
            traps=traps,
            fresh=fresh,
            mild=heeded.mild,
        )

    def _traps(self, state: SessionState) -> tuple[str, ...]:
        """The thinking traps worth naming in the thought, two at most (A25)."""
        thought = state.progress.thought
        return self._traps_in(state, thought.text) if thought else ()

    def _traps_in(self, state: SessionState, thought: str) -> tuple[str, ...]:
        situation = state.progress.situation
        found = self.distortions.read(
            thought, state.user_language, context=situation.text if situation else ""
        )
        return tuple(one.distortion.value for one in found if one.named)

    def _voice(self, state: SessionState) -> Voice:
        return Voice(lines=self.lines, language=state.user_language, seed=state.seed)

    def _model_may_write(
        self, before: SessionState, position: Position, message: str, tracer: Tracer
    ) -> bool:
        """Never in a closed session, nor for a message that gives orders to the machine.

        Nor, as the caller sees to, where a sign of danger is to be answered by a reviewed line.
        """
        if position.phase is Phase.CLOSED or not before.writes:
            return False
        return self.guard.way(message, tracer) is Way.OPEN

    async def written(self, ready: Ready, model: ChatModel | None) -> writing.Written | None:
        """What a model wrote under the contract; None where the composer speaks."""
        if model is None or not ready.model_may_write:
            return None
        try:
            assignment = self._assignment(ready)
        except Exception as error:  # noqa: BLE001  the composer can speak all the same
            with ready.tracer.step("fault") as facts:
                facts["error"] = type(error).__name__
            return None
        decision = await run(
            writing.skill(assignment, self.contract, timeout_seconds=self.timeout_seconds),
            assignment.asked,
            model=model,
            budget=Budget(calls=1 + writing.REPAIRS),
            tracer=ready.tracer,
        )
        return decision.value if decision.by == "model" else None

    def _assignment(self, ready: Ready) -> writing.Assignment:
        asked = ready.plan.asked
        return writing.Assignment(
            asked=writing.asked(
                ready.state,
                ready.position.phase,
                ready.message[:READ_CHARS],
                ask=None if asked is Asked.NOTHING else asked.value,
                traps=ready.turn.traps,
                balanced=self._balanced(ready.state),
                cards=ready.cards,
            ),
            phase=ready.position.phase,
            terms=self._terms(ready.state, ready.position),
            own=emit.own_words(ready.state, ready.message),
        )

    def _balanced(self, state: SessionState) -> str | None:
        """The balanced thought that was offered last, with the two sides it may be made of."""
        if not state.memory.balanced:
            return None
        sides = {"thought": state.progress.thought, "evidence": state.progress.evidence}
        held = {
            name: (echo(kept, kept.number) if kept else Fragment("…", Layout()),)
            for name, kept in sides.items()
        }
        return "".join(each.text for each in self.lines.fragments(state.memory.balanced, held))

    def _line(self, item_id: str) -> str:
        return "".join(fragment.text for fragment in self.lines.fragments(item_id))

    def finish(self, ready: Ready, written: writing.Written | None = None) -> TurnResult:
        """The turn with its words, gated; a warning of the model is answered as danger (A59)."""
        before, tracer = ready.before, ready.tracer
        try:
            if written is not None and written.crisis_detected:
                told = replace(before, memory=replace(before.memory, modelled=True))
                return self._safety.in_danger(told, ready.heeded.warned(), ready.message, tracer)
            draft = emit.contracted(written.ui) if written else ready.voiced.draft
            outcome = self._released(ready, draft)
            return self._emitted(ready, outcome, written)
        except Exception as error:  # noqa: BLE001  it may hold text; its type is in the trace
            return self._broken(before, ready.message, tracer, error, Reason.PART_FAILED)

    def _released(self, ready: Ready, draft: Draft) -> Outcome:
        state, terms = ready.state, self._terms(ready.state, ready.position)
        own = emit.own_words(state, ready.message)
        gate = TurnGate(
            lines=self.lines.piece,
            own=emit.kept_words(state),
            keeps=lambda text: not self.contract.breaches(text, terms, own_words=own),
            words=terms.words,
            questions=terms.questions,
        )
        context = emit.context(
            ready,
            content=self.content,
            country=state.country,
            resources=self._beside(ready),
            banner_line=emit.banner_line(
                self.lines, ready.before, ready.position, state.user_language
            ),
        )
        bundle = EvidenceBundle(cases=(), snippets=())
        return release.release(draft, gate=gate, bundle=bundle, selected=(), context=context)

    def _beside(self, ready: Ready) -> tuple[Resource, ...]:
        """People to turn to, beside a mild sign or for who asks for a person; else none."""
        asks = ready.turn.reading.act is Act.ASKS_WHO
        if ready.heeded.risk.level is Level.NONE and not asks:
            return ()
        topics = ("suicide", "emotional-support")
        return self.helplines.resources(ready.state.country, topics=topics)

    def _terms(self, state: SessionState, position: Position) -> Terms:
        """The contract of a reply in that phase (A25, A26)."""
        summary = position.phase is Phase.SUMMARY
        return Terms(
            words=state.limits.summary_words if summary else state.limits.words,
            questions=1,
            language=state.user_language,
            bullets=summary,
            compound=summary,
        )

    def _emitted(
        self, ready: Ready, outcome: Outcome, written: writing.Written | None
    ) -> TurnResult:
        state = emit.after(ready, outcome, written)
        ask = next((m for m in ready.plan.moves if m.startswith("ask-")), None)
        lines = [line for line in ready.voiced.lines if ask and f"/{ask}." in line]
        told = emit.control(state, self._asking(lines[0]) if lines else None)
        if written is not None:
            told = self._proposed(told, written, ready)
        return emit.result(
            state,
            outcome,
            lines=self.lines,
            control=told,
            writer="model" if written else "composer",
            moves=() if written else ready.plan.moves,
        )

    def _asking(self, item_id: str) -> str | None:
        """The question as it is offered beside the reply; one with a slot is not."""
        return None if self.lines.slots(item_id) else self._line(item_id)

    def _proposed(self, ours: Control, written: writing.Written, ready: Ready) -> Control:
        """The control block with what the model's own keeps of it: questions that pass the rail."""
        terms = replace(self._terms(ready.state, ready.position), words=40, bullets=False)
        own = emit.own_words(ready.state, ready.message)
        passed = tuple(
            question
            for question in written.suggest_questions
            if not self.contract.breaches(question, terms, own_words=own)
        )
        return replace(
            ours,
            next_phase=written.next_phase or ours.next_phase,
            missing_fields=written.missing_fields or ours.missing_fields,
            suggest_questions=passed or ours.suggest_questions,
        )

    def _broken(
        self,
        before: SessionState,
        message: str,
        tracer: Tracer,
        error: Exception,
        reason: Reason,
    ) -> TurnResult:
        """People to turn to, and the session as it was: the message can be sent again."""
        flag = "rail_failed" if reason is Reason.RAIL_FAILED else "part_failed"
        tracer.flags[flag] = True
        with tracer.step("fault") as facts:
            facts["error"] = type(error).__name__
        context = release.Context(
            flow=emit.FLOW,
            message=message,
            risk=Risk(),
            tracer=tracer,
            line=lambda name: self.content.said(name, before.user_language),
            resources=self.helplines.resources(before.country),
            pins={
                "content": content_hash(),
                "country": before.country,
                **emit.session_pins(before, before.position, banner_line=None),
            },
        )
        return emit.result(
            before,
            release.abstain(reason, context),
            lines=self.lines,
            control=emit.control(before, None, crisis=before.crisis_flag),
            writer="composer",
        )
