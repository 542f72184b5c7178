"""The way of one message through the guide."""

from __future__ import annotations

from asyncio import CancelledError
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from handrail.calls import Accept, Budget, Decision, run
from handrail.content import CoachContent
from handrail.domain.entity import ChatType, Entity
from handrail.domain.outcome import Outcome, Reason
from handrail.domain.reply import EvidenceBundle, Fragment
from handrail.domain.risk import Risk
from handrail.domain.trace import Tracer
from handrail.errors import ContentInvalid, InvalidInput
from handrail.flows.guide.compose import Composer, safety_lines
from handrail.flows.guide.found import Found
from handrail.flows.guide.gate import GuideGate
from handrail.flows.guide.lines import GuideLines, entity_piece, is_entity_line, packaged_lines
from handrail.flows.guide.ranker import (
    RankerInput,
    RankerOutput,
    only_what_was_shown,
    ranker,
    shown,
)
from handrail.flows.guide.search import GuideSearch, Prepared
from handrail.ports import ChatModel
from handrail.rails import escalation, release
from handrail.rails.front import Front

NO_EVIDENCE = EvidenceBundle(cases=(), snippets=())
NOTHING = "nothing"


@dataclass(frozen=True, slots=True, kw_only=True)
class GuideAsked:
    """What a caller sends beside the message; ``shown`` are ids of the last three turns (H40)."""

    user_state: Mapping[str, object] = field(default_factory=dict)
    chat_type: ChatType | None = None
    shown: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Guided:
    """A reply and the final set it was made from; None where a rail ended the way before."""

    outcome: Outcome
    found: Found | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Guide:
    """One flow over the live catalogue.

    ``by_version`` gives an entity as it stood, for lines of former versions.
    """

    front: Front
    search: GuideSearch
    content: CoachContent
    by_version: Callable[[str, int], Entity | None]
    lines: GuideLines = field(default_factory=packaged_lines)
    model: ChatModel | None = None
    timeout_seconds: float = 4.0
    retries: int = 1
    max_tokens: int = 600

    def admit(
        self, message: str, tracer: Tracer, asked: GuideAsked, *, country: str | None = None
    ) -> release.Context | Guided:
        """The context of a message that may go on, or the reply where help comes first.

        Raises what `Front.admit` raises, but not where an entity's trigger hears danger.
        """
        ended: list[Guided] = []

        def helped(context: release.Context) -> Outcome:
            ended.append(self._helped(context, lambda: self._prepared(context, asked)))
            return ended[-1].outcome

        try:
            admitted = self.front.admit(message, tracer, country=country, helped=helped)
        except InvalidInput:
            context = self.front.context(message, self.front.check(message), tracer, country)
            spoken = self._spoken(context, asked)
            if spoken is None:
                raise
            return spoken
        if isinstance(admitted, release.Context):
            return self._spoken(admitted, asked) or admitted
        return ended[-1] if ended else Guided(admitted, None)

    async def answer(
        self,
        context: release.Context,
        asked: GuideAsked,
        *,
        away: Callable[[Callable[[], Any]], Any],
    ) -> Guided:
        """The reply to a message that the front gate admitted; CPU work goes through ``away``."""
        prepared: Prepared = await away(lambda: self._prepared(context, asked))
        if prepared.heard.escalates:
            risk = prepared.heard.risk
            return await away(lambda: self._escalated(context, risk, lambda: prepared))  # type: ignore[no-any-return]
        made = await self._ranked(context, prepared)
        return await away(lambda: self._released(context, prepared, made))  # type: ignore[no-any-return]

    def replay(
        self,
        message: str,
        asked: GuideAsked,
        *,
        tracer: Tracer,
        order: RankerOutput | None,
        model: str | None,
        country: str | None,
    ) -> Guided:
        """What a receipt says happened, again: a model's recorded order, or the twin anew."""
        admitted = self.admit(message, tracer, asked, country=country)
        if isinstance(admitted, Guided):
            return admitted
        prepared = self._prepared(admitted, asked)
        if prepared.heard.escalates:
            return self._escalated(admitted, prepared.heard.risk, lambda: prepared)
        if order is not None and model is not None and self._could_say(admitted, prepared, order):
            made = Decision(value=order, by="model", model=model)
            return self._released(admitted, prepared, made)
        twin = RankerOutput(entity_ids=tuple(self.search.twin_order(prepared)))
        return self._released(admitted, prepared, Decision(value=twin, by="fallback"))

    def find(self, message: str, asked: GuideAsked, *, risk: Risk, tracer: Tracer) -> Found:
        """The final set alone, as the twin ranks it: no reply, no model."""
        return self.search.find(
            message,
            asked.user_state,
            risk=risk,
            tracer=tracer,
            chat_type=asked.chat_type,
            shown=asked.shown,
        )

    def _prepared(self, context: release.Context, asked: GuideAsked) -> Prepared:
        return self.search.prepare(
            context.message,
            asked.user_state,
            risk=context.risk,
            tracer=context.tracer,
            chat_type=asked.chat_type,
            shown=asked.shown,
            reading=context.reading,
        )

    async def _ranked(self, context: release.Context, prepared: Prepared) -> Decision[RankerOutput]:
        def twin(_given: RankerInput) -> RankerOutput:
            return RankerOutput(entity_ids=tuple(self.search.twin_order(prepared)))

        skill = ranker(
            twin,
            timeout_seconds=self.timeout_seconds,
            retries=self.retries,
            max_tokens=self.max_tokens,
        )
        given = self._given(context, prepared)
        model = self.model if self._asks(context, prepared) else None
        return await run(skill, given, model=model, budget=Budget(), tracer=context.tracer)

    def _given(self, context: release.Context, prepared: Prepared) -> RankerInput:
        limits = self.search.limits
        free = [prepared.entities[one.passage.id] for one in prepared.free]
        return shown(context.message, free, least=limits.least, most=limits.most)

    def _asks(self, context: release.Context, prepared: Prepared) -> bool:
        """Whether a model may order: not beside danger, nor where there is nothing to order."""
        if context.rules_only or prepared.heard.pins:
            return False
        return bool(self.search.twin_order(prepared))

    def _could_say(self, context: release.Context, prepared: Prepared, order: RankerOutput) -> bool:
        """Whether a model could have said so: what a receipt records, it may not make up."""
        given = self._given(context, prepared)
        return self._asks(context, prepared) and only_what_was_shown(given, order) == Accept()

    def _spoken(self, context: release.Context, asked: GuideAsked) -> Guided | None:
        """Help first where an entity's own trigger hears a danger that the screen did not."""
        try:
            heard = self.search.hear(context.message, context.risk)
        except Exception:  # noqa: BLE001  the answer meets the same, and tells it
            return None
        if not heard.escalates:
            return None
        return self._escalated(context, heard.risk, lambda: self._prepared(context, asked))

    def _escalated(
        self, context: release.Context, risk: Risk, prepare: Callable[[], Prepared]
    ) -> Guided:
        """Help first, for a danger that the catalogue heard and the screen did not."""
        _, resources = self.front.help(context.message, risk, _country(context))
        context = replace(context, risk=risk, resources=resources)
        context.tracer.flags["crisis"] = True
        return self._helped(context, prepare)

    def _helped(self, context: release.Context, prepare: Callable[[], Prepared]) -> Guided:
        """Help first, with what danger pins; a part that breaks takes neither away."""
        try:
            prepared = prepare()
            found = self.search.finish(prepared, ())
            return Guided(self._help(context, prepared, found), found)
        except (Exception, CancelledError) as error:  # noqa: BLE001  danger is answered
            context.tracer.flags["part_failed"] = True
            with context.tracer.step("fault") as facts:
                facts["error"] = type(error).__name__
        found = self.search.bare(context.risk)
        pins = {**context.pins, "final": _final(found), "part_failed": True}
        lines = escalation.safety_lines(context.risk)
        return Guided(release.safety(lines, replace(context, pins=pins)), found)

    def _help(self, context: release.Context, prepared: Prepared, found: Found) -> Outcome:
        """The safety line of the crisis screen, then what the pinned entities say to do now."""
        said = list(escalation.safety_lines(context.risk))
        critical = [one.entity for one in found.final if one.by_danger]
        own = safety_lines(critical) if context.risk.language in (None, "en") else []
        named = {f"own-{at}": fragment for at, fragment in enumerate(own)}
        line = context.line

        def spoken(name: str) -> Fragment:
            return named[name] if name in named else line(name)

        pinned = self._pinned(replace(context, line=spoken), prepared, found)
        return release.safety((*said, *named), pinned)

    def _released(
        self, context: release.Context, prepared: Prepared, made: Decision[RankerOutput]
    ) -> Guided:
        found = self.search.finish(prepared, made.value.entity_ids)
        context = self._raised(context, found)
        decided = {"by": made.by, "model": None, "order": None}
        if made.by == "model":
            decided.update(model=made.model, order=list(made.value.entity_ids))  # type: ignore[call-overload]
        context = self._pinned(context, prepared, found, ranker=decided)
        if not self.front.duties.therapeutic_communication:
            return Guided(release.refuse(Reason.SELECT_ONLY, context), found)
        with context.tracer.step("compose"):
            draft = Composer(self.lines, context.message).draft(found)
        sources = {*found.ids, *(one.entity_id for one in found.rules)}
        gate = GuideGate(lines=self.piece, final=sources)
        outcome = release.release(
            draft, gate=gate, bundle=NO_EVIDENCE, selected=(), context=context
        )
        return Guided(outcome, found)

    def _raised(self, context: release.Context, found: Found) -> release.Context:
        """The context with the risk that an entity's trigger adds, and the help that fits it."""
        if found.risk == context.risk:
            return context
        _, resources = self.front.help(context.message, found.risk, _country(context))
        return replace(context, risk=found.risk, resources=resources)

    def _pinned(
        self,
        context: release.Context,
        prepared: Prepared,
        found: Found,
        ranker: Mapping[str, object] | None = None,
    ) -> release.Context:
        """The context with what a receipt records of the way here."""
        line = context.line

        def said(name: str) -> Fragment:
            if name == "abstain-rephrase":
                return self.lines.fragments(
                    self.lines.pick(NOTHING, language="en", seed=0, count=0)
                )[0]
            return line(name)

        pins = {
            "catalogue": {"sha256": prepared.sha256, "merge": self.search.limits.merge},
            "asked": {
                "user_state": dict(prepared.state),
                "chat_type": prepared.chat_type,
                "shown": sorted(prepared.shown),
            },
            "final": _final(found),
            "ranker": ranker,
        }
        return replace(context, pins={**context.pins, **pins}, needs_evidence=False, line=said)

    def piece(self, item_id: str, piece: int) -> str:
        """The reviewed text behind any fragment of a guide's reply; raises `ContentInvalid`."""
        if is_entity_line(item_id):
            return entity_piece(item_id, piece, self.by_version)
        try:
            return self.lines.piece(item_id, piece)
        except ContentInvalid:
            return self.content.piece(item_id, piece)


def _final(found: Found) -> list[list[object]]:
    return [[one.entity.entity_id, one.entity.version] for one in found.final]


def _country(context: release.Context) -> str | None:
    place = context.pins.get("country")
    return place if isinstance(place, str) else None
