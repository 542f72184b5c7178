"""The way of one message through the coach."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

from handrail.calls import Budget, Decision, run
from handrail.content import CoachContent
from handrail.domain.outcome import Outcome, Reason
from handrail.domain.ranking import Candidate
from handrail.domain.reply import Snippet
from handrail.domain.risk import Level
from handrail.domain.trace import Tracer
from handrail.errors import NotFound, SearchFailed
from handrail.flows.coach import policy
from handrail.flows.coach.assemble import Assembler, selected
from handrail.flows.coach.bundle import Evidence, EvidenceFinder
from handrail.flows.coach.decider import DeciderInput, DeciderOutput, ShownSnippet, decider
from handrail.flows.coach.feelings import FeelingReader, Feelings
from handrail.flows.coach.plainness import Plainness
from handrail.flows.coach.twin import Twin
from handrail.ports import ChatModel
from handrail.rails import escalation, release
from handrail.rails.crisis.second import of_second
from handrail.rails.evidence import EvidenceGate
from handrail.rails.front import Front
from handrail.retrieval import CaseSearch, Found

if TYPE_CHECKING:
    from handrail.ports import Vector

T = TypeVar("T")
Offload = Callable[[Callable[[], T]], Awaitable[T]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """A message that passed the input rails and found evidence, ready for the decision."""

    context: release.Context
    feelings: Feelings
    evidence: Evidence
    twin: Twin
    shown: DeciderInput


@dataclass(frozen=True, slots=True, kw_only=True)
class Coach:
    """One flow over one collection; ``reply`` is the way of one message."""

    front: Front
    search: CaseSearch
    content: CoachContent
    reader: FeelingReader
    finder: EvidenceFinder
    gate: EvidenceGate
    plainness: Plainness
    model: ChatModel | None = None
    timeout_seconds: float = 4.0
    retries: int = 1
    max_tokens: int = 600

    async def reply(
        self,
        message: str,
        *,
        tracer: Tracer,
        case_ids: Sequence[str] = (),
        country: str | None = None,
        offload: Callable[[Callable[[], object]], Awaitable[object]] | None = None,
    ) -> Outcome:
        """The outcome for ``message``; see `Front.admit` and `answer` for what it raises."""
        admitted = await _away(offload, lambda: self.front.admit(message, tracer, country=country))
        if not isinstance(admitted, release.Context):
            return admitted
        return await self.answer(admitted, case_ids=case_ids, offload=offload)

    async def answer(
        self,
        context: release.Context,
        *,
        case_ids: Sequence[str] = (),
        offload: Callable[[Callable[[], object]], Awaitable[object]] | None = None,
    ) -> Outcome:
        """The outcome for a message that the front gate admitted.

        Raises `NotFound` for unknown case ids. CPU work goes through ``offload`` if one is given.
        """
        prepared = await _away(offload, lambda: self.prepare(context, case_ids))
        if not isinstance(prepared, Prepared):
            return prepared
        decided = await self._decide(prepared, context.tracer)
        return await _away(offload, lambda: self.finish(prepared, decided, context.tracer))

    def replay(
        self,
        message: str,
        *,
        tracer: Tracer,
        choice: DeciderOutput | None,
        model: str | None,
        case_ids: Sequence[str] = (),
        country: str | None = None,
    ) -> Outcome:
        """What a receipt says happened, again: a model's recorded choice, or the twin anew."""
        admitted = self.front.admit(message, tracer, country=country)
        if not isinstance(admitted, release.Context):
            return admitted
        prepared = self.prepare(admitted, case_ids)
        if not isinstance(prepared, Prepared):
            return prepared
        if choice is None or model is None or prepared.context.rules_only:
            made = Decision(value=prepared.twin.decide(prepared.shown), by="fallback")
        else:
            made = Decision(value=choice, by="model", model=model)
        return self.finish(prepared, made, tracer)

    def prepare(self, context: release.Context, case_ids: Sequence[str] = ()) -> Prepared | Outcome:
        """Retrieval and evidence for an admitted message; an outcome when the way ends here."""
        pin, pipeline = dict(self.search.collection.pin()), dict(self.search.pipeline)
        if not pin.get("name"):
            raise SearchFailed("the collection does not say its name. Run: handrail index verify")
        pins = {
            "collection": pin,
            "policy": {"gate_alpha": self.gate.alpha.minimum, "pipeline": pipeline},
        }
        return self._with_evidence(replace(context, pins={**context.pins, **pins}), case_ids)

    def _with_evidence(
        self, context: release.Context, case_ids: Sequence[str]
    ) -> Prepared | Outcome:
        tracer = context.tracer
        found = self.search.search(
            context.message, k=policy.K, tracer=tracer, reading=context.reading
        )
        candidates = self._chosen(case_ids, found)
        named = [c.passage.document_id for c in candidates] if case_ids else []
        context = replace(context, cases=candidates, pins={**context.pins, "chosen": named})
        if found.scope.refusal is not None:
            return release.abstain(found.scope.refusal, replace(context, cases=()))
        with tracer.step("evidence") as facts:
            candidates, evidence = self.finder.find(
                context.message, candidates, found.question, fixed=bool(case_ids)
            )
            facts["dropped"] = dict(evidence.dropped)
            facts["cases_dropped"] = [f"{d.passage_id}:{d.reason}" for d in evidence.drops]
            facts["snippets"] = [f"{s.case_id}/{s.sent_id}" for s in evidence.bundle.snippets]
        context = replace(
            context,
            cases=self.finder.showable(candidates, self.front.duties),
            rules_only=context.rules_only or evidence.unscreened,
        )
        if not self.front.duties.therapeutic_communication:
            lines = policy.library_lines(context.risk)
            return release.refuse(Reason.SELECT_ONLY, context, lines=lines)
        feelings = self._feelings(context)
        return Prepared(
            context=context,
            feelings=feelings,
            evidence=evidence,
            twin=self._twin(context.message, found.question.vector, feelings, evidence),
            shown=self._shown(context.message, evidence.bundle.snippets),
        )

    def _feelings(self, context: release.Context) -> Feelings:
        """What the message names, outside the words that tell of danger.

        The second reader points at whole sentences, which may well name a feeling.
        """
        risk = context.risk
        return self.reader.read(
            context.message,
            avoid=[
                *(signal.span for signal in risk.signals if not of_second(signal)),
                *(dismissed.span for dismissed in risk.dismissed),
            ],
        )

    def _chosen(self, case_ids: Sequence[str], found: Found) -> tuple[Candidate, ...]:
        if not case_ids:
            return found.ranking.candidates
        unknown = [case_id for case_id in case_ids if self.search.collection.by_id(case_id) is None]
        if unknown:
            raise NotFound(f"no such case: {', '.join(unknown[:10])}. Use ids from search_cases")
        distinct = tuple(dict.fromkeys(case_ids))
        return self.search.candidates(distinct[: policy.K], found.question)

    def _twin(self, message: str, question: Vector, feelings: Feelings, evidence: Evidence) -> Twin:
        return Twin(
            message=message,
            question=question,
            feelings=feelings,
            snippets=evidence.bundle.snippets,
            vectors=evidence.vectors,
            distances=evidence.distances,
            coping=self.finder.coping,
            goals=self.finder.goals,
            plainness=self.plainness,
        )

    def _shown(self, message: str, snippets: Sequence[Snippet]) -> DeciderInput:
        return DeciderInput(
            query=message,
            snippets=tuple(
                ShownSnippet(case_id=s.case_id, sent_id=s.sent_id, text=s.shown) for s in snippets
            ),
            coping_labels=tuple(step.label for step in self.content.steps),
            goal_labels=tuple(step.label for step in self.content.goals),
        )

    async def _decide(self, prepared: Prepared, tracer: Tracer) -> Decision[DeciderOutput]:
        skill = decider(
            prepared.twin.decide,
            timeout_seconds=self.timeout_seconds,
            retries=self.retries,
            max_tokens=self.max_tokens,
        )
        asks = prepared.evidence.bundle.snippets and not prepared.context.rules_only
        model = self.model if asks else None
        return await run(skill, prepared.shown, model=model, budget=Budget(), tracer=tracer)

    def finish(self, prepared: Prepared, made: Decision[DeciderOutput], tracer: Tracer) -> Outcome:
        """Assemble, gate, release; a decider that saw a crisis stops the reply instead."""
        context = self._raised(prepared.context, Level[made.value.crisis_level.upper()])
        context = self._pinned(context, made)
        risk = context.risk
        if escalation.escalates(risk):
            tracer.flags["crisis"] = True
            return release.safety(escalation.safety_lines(risk), replace(context, cases=()))
        with tracer.step("assemble"):
            assembler = Assembler(
                self.content, prepared.evidence.bundle, context.message, prepared.feelings
            )
            draft = assembler.draft(made.value, mild=risk.level is Level.MILD)
        return release.release(
            draft,
            gate=self.gate,
            bundle=prepared.evidence.bundle,
            selected=selected(made.value, prepared.evidence.bundle),
            context=context,
        )

    def _raised(self, context: release.Context, level: Level) -> release.Context:
        """The context at a level that the decider may have raised, with the help that fits it."""
        risk = context.risk.raised(level, "model")
        if risk == context.risk:
            return context
        place: Any = context.pins["country"]
        _, resources = self.front.help(context.message, risk, place)
        return replace(context, risk=risk, resources=resources)

    def _pinned(self, context: release.Context, made: Decision[DeciderOutput]) -> release.Context:
        decided: Mapping[str, object] = {
            "by": made.by,
            "model": made.model if made.by == "model" else None,
            "choice": made.value.model_dump(mode="json"),
        }
        return replace(context, pins={**context.pins, "decider": decided})


async def _away(
    offload: Callable[[Callable[[], object]], Awaitable[object]] | None, work: Callable[[], T]
) -> T:
    return work() if offload is None else await offload(work)  # type: ignore[return-value]
