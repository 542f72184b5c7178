"""A guide over a handful of the packaged entities and an embedder without a model."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from handrail.adapters.memory import MemoryEntities
from handrail.bootstrap import build_engine
from handrail.content.entities import packaged_entities
from handrail.domain.entity import Entity
from handrail.engine import Engine
from handrail.flows.guide.live import LiveCatalogue
from handrail.ports import EntityStore
from handrail.settings import Settings
from handrail.testing.hash_embedder import HashEmbedder

IDS = (
    "domestic_violence_safety",
    "gray_rock",
    "handler_crisis",
    "handler_first_conversation",
    "late_pickups",
    "rule_child_focus",
)
LATE = "He was 40 minutes late for pickup again and she sat on the stairs with her coat on"
DANGER = "I want to kill myself tonight"
NOTHING = "Zeppelins above Mongolia"
EDITOR = "anna"
DIM = 512  # so many that texts without a word in common lie far apart


def few() -> list[Entity]:
    """The entities of `IDS`, by id."""
    return [one for one in packaged_entities() if one.entity_id in IDS]


def small_store() -> MemoryEntities:
    """A store with those entities and nothing else."""
    store = MemoryEntities()
    store.put(few(), by="handrail", at=0.0)
    return store


def guide_engine(home: Path) -> Engine:
    """An engine whose guide knows those entities."""
    engine = build_engine(Settings(home=home), embedder=HashEmbedder(dim=DIM))
    return over(engine, small_store())


def over(engine: Engine, store: EntityStore) -> Engine:
    """The engine with a guide over another store, which is filled with those entities alone."""
    desk = engine.desk
    live = LiveCatalogue(store, few, desk.live.build)

    def by_version(name: str, version: int) -> Entity | None:
        found = store.get(name, version=version)
        return found.entity if found else None

    search = replace(desk.guide.search, catalogue=live)
    guide = replace(desk.guide, search=search, by_version=by_version)
    return replace(engine, _desk=replace(desk, guide=guide, store=store, live=live))
