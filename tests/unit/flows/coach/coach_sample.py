"""Ways to ask the coach over the invented corpus, and to look up all that it said."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from handrail.content import CoachContent
from handrail.domain.outcome import Outcome
from handrail.domain.reply import Echo, Layout, Quoted, Vetted
from handrail.domain.trace import Tracer
from handrail.engine import Engine
from handrail.flows.coach import Coach
from handrail.ports import ChatModel, ChatRequest
from handrail.rails.injection import InjectionScreen, PassageGuard
from handrail.rails.layout import is_layout
from handrail.retrieval.store import CaseStore
from handrail.testing.scripted_model import ScriptedModel
from handrail.testing.virtual_time import run_virtually
from handrail.wire import coach_body
from invented_corpus import INVENTED

CONCERN = "My boss shouts at me and I feel worthless and anxious every morning"
PLAIN = "It is three weeks since we last spoke and my sister will not answer"
MILD = "I am so worn out by work that I can't take it anymore"
MODERATE = "Some nights I wish I would just not wake up"
HIGH = "I want to kill myself tonight"
ELSEWHERE = "What is the capital of France?"
SPANISH = "Me siento muy triste y solo desde que me mudé a otra ciudad"


def coach_of(engine: Engine, model: ChatModel | None = None, **changes: Any) -> Coach:
    """The coach over the invented corpus, with a model."""
    return replace(engine.coach_for(INVENTED), model=model, **changes)


def guarded(coach: Coach, screen: InjectionScreen | None) -> Coach:
    """The same coach with this injection screen over messages and passages, or with none."""
    guard = replace(coach.front.guard, screen=screen)
    return replace(
        coach,
        front=replace(coach.front, guard=guard),
        finder=replace(coach.finder, passages=PassageGuard(guard)),
    )


def unscreened(coach: Coach) -> Coach:
    """The same coach without an injection screen: the guarantee does not rest on it."""
    return guarded(coach, None)


def reply(coach: Coach, message: str, **options: Any) -> Outcome:
    """The outcome, in virtual time."""
    return timed(coach, message, **options)[0]


def timed(coach: Coach, message: str, **options: Any) -> tuple[Outcome, float]:
    """The outcome and the virtual seconds that it took."""
    return run_virtually(coach.reply(message, tracer=Tracer("test"), **options))


def body_of(outcome: Outcome) -> dict[str, Any]:
    """The reply as JSON, as every face shows it."""
    body: dict[str, Any] = json.loads(coach_body(outcome).model_dump_json())
    return body


def shown_to(request: ChatRequest) -> dict[str, Any]:
    """What the model was told, as JSON."""
    shown: dict[str, Any] = json.loads(request.user)
    return shown


def choosing(
    coping: Sequence[str] = ("4-7-8 breathing",),
    goals: Sequence[str] = ("10-minute walk 3x/week",),
    *,
    skills: Sequence[str] = ("validation", "reflection"),
    level: str = "none",
    refs: Callable[[dict[str, Any]], list[dict[str, Any]]] | None = None,
) -> ScriptedModel:
    """A model that picks these labels, each with the next sentence that it was shown."""

    def line(request: ChatRequest) -> str:
        shown = shown_to(request)
        found = refs(shown) if refs else [_ref(s) for s in shown["snippets"]]
        following = iter(found)
        return json.dumps(
            {
                "crisis_level": level,
                "skills": [{"name": name, "quote_refs": []} for name in skills],
                "coping_suggestions": [
                    {"label": label, "quote_refs": [next(following)]} for label in coping
                ],
                "goals": [{"label": label, "quote_refs": [next(following)]} for label in goals],
            }
        )

    return ScriptedModel(line, name="scripted-1")


def _ref(snippet: dict[str, Any]) -> dict[str, Any]:
    return {"case_id": snippet["case_id"], "sent_id": snippet["sent_id"]}


def proven(outcome: Outcome, message: str, store: CaseStore, content: CoachContent) -> list[str]:
    """The kind of every fragment, each looked up anew; fails where one is not what it claims."""
    assert "".join(fragment.text for fragment in outcome.fragments) == outcome.text
    kinds = []
    for fragment in outcome.fragments:
        match fragment.provenance:
            case Quoted(case_id=case_id, sent_id=sent_id, span=span):
                case = store.case(case_id)
                assert case.sentences[sent_id] == span
                assert case.response[span.start : span.end] == fragment.text
                kinds.append("quoted")
            case Vetted(item_id=item_id, piece=piece):
                assert content.piece(item_id, piece) == fragment.text
                kinds.append("vetted")
            case Echo(span=span):
                assert message[span.start : span.end] == fragment.text
                kinds.append("echo")
            case Layout():
                assert is_layout(fragment.text)
                kinds.append("layout")
            case other:
                raise AssertionError(f"{other} may not leave")
    return kinds
