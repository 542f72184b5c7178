"""A guide over the packaged entities, or a few of them, and ways to ask it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from guide_sample import over
from handrail.adapters.memory import MemoryEntities
from handrail.content.entities import packaged_entities
from handrail.domain.entity import Entity
from handrail.domain.trace import Tracer
from handrail.engine import Engine
from handrail.flows.guide.flow import Guide, GuideAsked, Guided
from handrail.flows.guide.live import LiveCatalogue
from handrail.ports import ChatModel, ChatRequest
from handrail.rails.release import Context
from handrail.testing.scripted_model import ScriptedModel
from handrail.testing.virtual_time import run_virtually
from handrail.wire.guide import guide_body

LATE = "He was 40 minutes late for pickup again and she sat on the stairs with her coat on"
NOTHING = "Zeppelins above Mongolia"
HIGH = "I want to kill myself tonight"
TRIGGER = "Please look after my boys when I'm gone"  # which the crisis screen does not know
VIOLENCE = "my ex tracks my phone and late pickups are how he punishes me"
FIRST = {"is_first_conversation": True}
CLINICIAN = {"user_type": "CLINICIAN"}
FEW = (
    "domestic_violence_safety",
    "gray_rock",
    "handler_celebrating_wins",
    "handler_clinician_mode",
    "handler_crisis",
    "handler_first_conversation",
    "late_pickups",
    "rule_child_focus",
    "transition_bridge",
    "holiday_schedule_disputes",
    "biff_response",
)


def few(*more: Entity, without: Sequence[str] = ()) -> list[Entity]:
    """Some of the packaged entities, ``more`` in the place of those of the same ids."""
    named = {one.entity_id: one for one in packaged_entities() if one.entity_id in FEW}
    named.update((one.entity_id, one) for one in more)
    return [one for name, one in sorted(named.items()) if name not in without]


def guide_over(
    engine: Engine, entities: Sequence[Entity] | None = None, *, model: ChatModel | None = None
) -> Guide:
    """The guide of ``engine`` over those entities alone."""
    return desk_engine(engine, few() if entities is None else entities, model=model).desk.guide


def desk_engine(
    engine: Engine, entities: Sequence[Entity], *, model: ChatModel | None = None
) -> Engine:
    """The engine with a store of those entities."""
    store = MemoryEntities()
    store.put(entities, by="handrail", at=0.0)
    made = over(engine, store)
    live = LiveCatalogue(store, lambda: (), made.desk.live.build)
    guide = replace(
        made.desk.guide, search=replace(made.desk.guide.search, catalogue=live), model=model
    )
    return replace(made, _desk=replace(made.desk, guide=guide, live=live))


def talk(guide: Guide, message: str, **asked: Any) -> Guided:
    """The whole way of a message, in virtual time."""
    return run_virtually(_talk(guide, message, GuideAsked(**asked)))[0]


async def _talk(guide: Guide, message: str, asked: GuideAsked) -> Guided:
    admitted = guide.admit(message, Tracer("test"), asked)
    if not isinstance(admitted, Context):
        return admitted
    return await guide.answer(admitted, asked, away=_here)


async def _here(work: Callable[[], Any]) -> Any:
    return work()


def body_of(guided: Guided) -> dict[str, Any]:
    """The reply as JSON, as every face shows it."""
    body: dict[str, Any] = json.loads(guide_body(guided).model_dump_json())
    return body


def shown_to(request: ChatRequest) -> Mapping[str, Any]:
    """What a model was told."""
    told: Mapping[str, Any] = json.loads(request.user)
    return told


def choosing(pick: Callable[[list[str]], Sequence[str]]) -> ScriptedModel:
    """A model that names what ``pick`` makes of the ids it was shown."""

    def line(request: ChatRequest) -> str:
        ids = [one["entity_id"] for one in shown_to(request)["candidates"]]
        return json.dumps({"entity_ids": list(pick(ids))})

    return ScriptedModel(line)
