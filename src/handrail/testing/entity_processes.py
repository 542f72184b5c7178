"""What the contract of stores of entities runs in threads, and in processes of their own."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from multiprocessing.connection import Connection
from typing import Any, TypeAlias

from handrail.domain.entity import Entity, EntityType, LoadMode
from handrail.errors import EntityConflict
from handrail.ports import EntityStore

OpenEntities: TypeAlias = Callable[[], EntityStore]


def sample(entity_id: str, **fields: Any) -> Entity:
    """An entity with little in it."""
    plain = Entity(
        entity_id=entity_id,
        entity_type=EntityType.SITUATION,
        load_mode=LoadMode.SITUATION,
        title="title",
        concept_summary="what it is about",
    )
    return replace(plain, **fields)


def edit(store: EntityStore, name: str, times: int) -> None:
    """Change the shared entity ``times``, each time on what stands."""
    for number in range(times):
        while not _edited(store, f"{name} {number}"):
            time.sleep(0.001)


def _edited(store: EntityStore, title: str) -> bool:
    found = store.get("shared")
    version = found.entity.version if found else 0
    entity = sample("shared", title=title)
    try:
        return bool(store.put([entity], by=title, at=1.0, expected={"shared": version}))
    except EntityConflict:
        return False


def race_to_edit(store: EntityStore, name: str, rounds: int) -> int:
    """How many of the versions up to ``rounds`` this writer was the one to write."""
    won = 0
    for version in range(rounds):
        entity = sample("raced", title=f"{name} {version}")
        try:
            store.put([entity], by=name, at=1.0, expected={"raced": version})
        except EntityConflict:
            continue
        won += 1
    return won


def compete(open_store: OpenEntities, name: str, rounds: int, pipe: Connection) -> None:
    """Say that all is ready; once told to go, race, edit, and say how many races were won."""
    store = open_store()
    pipe.send("ready")
    pipe.recv()
    won = race_to_edit(store, name, rounds)
    edit(store, name, rounds)
    pipe.send(won)
