"""Every store of entities under its contract, and all of them against each other (H13, H20)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TypeAlias

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from handrail.adapters.memory import MemoryEntities
from handrail.adapters.postgres import PostgresEntities
from handrail.adapters.sqlite import SqliteEntities
from handrail.content.entities import entity_json
from handrail.domain.entity import Entity, Trigger
from handrail.errors import EntityConflict
from handrail.ports import EntityRecord, EntityStore
from handrail.testing.entity_processes import OpenEntities, sample
from handrail.testing.entity_store_contract import (
    EntityStoreContract,
    SharedEntityStoreContract,
)


class TestMemoryEntities(EntityStoreContract):
    @pytest.fixture
    def store(self) -> EntityStore:
        return MemoryEntities()


class TestSqliteEntities(SharedEntityStoreContract):
    @pytest.fixture
    def open_store(self, tmp_path: Path) -> OpenEntities:
        return partial(SqliteEntities, tmp_path / "guide")


@pytest.mark.sockets
class TestPostgresEntities(SharedEntityStoreContract):
    @pytest.fixture
    def open_store(self, postgres_url: str) -> OpenEntities:
        return partial(PostgresEntities, postgres_url)


TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=12)
LINES = st.lists(TEXTS.filter(str.strip), max_size=3).map(tuple)
PLAIN = st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(-1e15, 1e15) | TEXTS
VALUES = st.recursive(
    PLAIN, lambda inner: st.lists(inner, max_size=2) | st.dictionaries(TEXTS, inner, max_size=2)
)
NAMES = st.sampled_from(["a", "b", "c"])
ENTITIES = st.builds(
    sample,
    NAMES,
    title=TEXTS.filter(bool),
    recognition=LINES,
    keywords=LINES,
    trigger_patterns=st.lists(
        st.builds(Trigger, phrase=st.just("one"), safety_critical=st.none() | st.booleans()),
        max_size=2,
    ).map(tuple),
    state_conditions=st.none() | st.dictionaries(TEXTS, VALUES, min_size=1, max_size=3),
    is_active=st.booleans(),
    version=st.integers(1, 4),
)
EXPECTED = st.none() | st.integers(0, 3)


@dataclass(frozen=True)
class Put:
    entities: list[Entity]
    expected: dict[str, int] | None

    def on(self, store: EntityStore) -> object:
        try:
            return list(store.put(self.entities, by="x", at=2.5, expected=self.expected))
        except EntityConflict:
            return "conflict"


@dataclass(frozen=True)
class Delete:
    name: str
    expected: int | None

    def on(self, store: EntityStore) -> object:
        try:
            return store.delete(self.name, by="y", at=3.5, expected=self.expected)
        except EntityConflict:
            return "conflict"


Step: TypeAlias = Put | Delete
STEPS = st.lists(
    st.builds(
        Put,
        st.lists(ENTITIES, max_size=3, unique_by=lambda entity: entity.entity_id),
        st.none() | st.dictionaries(NAMES, st.integers(0, 3), max_size=1),
    )
    | st.builds(Delete, NAMES, EXPECTED),
    max_size=6,
)


class Model:
    """The contract in as few words as it can be said."""

    def __init__(self) -> None:
        self.records: dict[str, list[EntityRecord]] = {}
        self.revision = 0

    def answer(self, step: Step) -> object:
        before = sum(map(len, self.records.values()))
        answer = self._put(step) if isinstance(step, Put) else self._delete(step)
        self.revision += sum(map(len, self.records.values())) > before
        return answer

    def state(self) -> object:
        return self.revision, self.standing(), self.records

    def standing(self) -> list[Entity]:
        last = [records[-1].entity for _, records in sorted(self.records.items())]
        return [entity for entity in last if entity.is_active]

    def _version(self, name: str) -> int:
        return self.records[name][-1].entity.version if name in self.records else 0

    def _put(self, step: Put) -> object:
        if any(self._version(name) != number for name, number in (step.expected or {}).items()):
            return "conflict"
        written = []
        for entity in step.entities:
            standing = self._version(entity.entity_id)
            if standing:
                last = self.records[entity.entity_id][-1].entity
                if repr_of(last) == repr_of(replace(entity, version=standing)):
                    continue
                entity = replace(entity, version=standing + 1)
            self.records.setdefault(entity.entity_id, []).append(
                EntityRecord(entity=entity, by="x", at=2.5)
            )
            written.append(entity)
        return written

    def _delete(self, step: Delete) -> object:
        standing = self._version(step.name)
        if step.expected not in (None, standing):
            return "conflict"
        last = self.records[step.name][-1].entity if standing else None
        if last is None or not last.is_active:
            return False
        gone = replace(last, is_active=False, version=standing + 1)
        self.records[step.name].append(EntityRecord(entity=gone, by="y", at=3.5))
        return True


def repr_of(entity: Entity) -> str:
    """Two that differ in whether a condition is 1, 1.0 or true differ; their order does not."""
    values = entity_json(entity)
    return repr(_sorted(values))


def _sorted(value: object) -> object:
    if isinstance(value, dict):
        return sorted((key, _sorted(inner)) for key, inner in value.items())
    return [_sorted(inner) for inner in value] if isinstance(value, list) else value


def state(store: EntityStore) -> object:
    records = {name: list(store.history(name)) for name in "abc"}
    kept = {name: found for name, found in records.items() if found}
    return store.revision(), list(store.entities()), kept


@pytest.fixture(params=["memory", "sqlite", pytest.param("postgres", marks=pytest.mark.sockets)])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> EntityStore:
    """Each store in turn."""
    if request.param == "memory":
        return MemoryEntities()
    if request.param == "sqlite":
        return SqliteEntities(tmp_path)
    return PostgresEntities(request.getfixturevalue("postgres_url"))


def emptied(store: EntityStore) -> EntityStore:
    """The store as new: building one for each example would take longer than the test."""
    if isinstance(store, MemoryEntities):
        return MemoryEntities()
    assert isinstance(store, SqliteEntities | PostgresEntities)
    with store._writing() as cursor:
        for table in ("content_entities", "content_entity_versions"):
            cursor.execute(f"DELETE FROM {table}")
    return store


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=STEPS)
def test_h20_every_step_is_answered_as_the_model_does(
    store: EntityStore, steps: list[Step]
) -> None:
    store, model = emptied(store), Model()
    assert [step.on(store) for step in steps] == [model.answer(step) for step in steps]
    assert state(store) == model.state()
    assert list(map(repr_of, store.entities())) == list(map(repr_of, model.standing()))
