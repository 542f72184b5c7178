"""What editors do: read, try, write and take back entities; every write has a name on it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from handrail.content.entities import read_entity
from handrail.domain.entity import Entity
from handrail.errors import InvalidInput, NotFound
from handrail.flows.guide.dry_run import DryRun, Message, dry_run, recognised, require_sound
from handrail.flows.guide.flow import Guide
from handrail.flows.guide.live import BY, LiveCatalogue
from handrail.ports import EntityRecord, EntityStore, PatternEngine

MAX_BY_CHARS = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """The guide with the store that it reads; what is written here is in use at once."""

    guide: Guide
    store: EntityStore
    live: LiveCatalogue
    patterns: PatternEngine
    spellings: Mapping[str, str]
    now: Callable[[], float] = time.time

    def entities(self) -> Sequence[Entity]:
        """Every active entity in the order of ids."""
        self.live()
        return self.store.entities()

    def record(self, entity_id: str, *, version: int | None = None) -> EntityRecord:
        """A version, by default the standing one; raises `NotFound`."""
        self.live()
        found = self.store.get(entity_id, version=version)
        if found is None:
            which = "" if version is None else f" with version {version}"
            raise NotFound(f"no entity {entity_id!r}{which}. Run: handrail entities list")
        return found

    def history(self, entity_id: str) -> Sequence[EntityRecord]:
        """Every version, oldest first; raises `NotFound`."""
        self.record(entity_id)
        return self.store.history(entity_id)

    def put(self, values: Mapping[str, Any], *, by: str, expected: int | None = None) -> Entity:
        """Write one entity; raises `ContentInvalid` or `EntityConflict`."""
        entity = read_entity(values)
        name = entity.entity_id
        self.put_all([entity], by=by, expected=None if expected is None else {name: expected})
        return self.record(name).entity

    def put_all(
        self, entities: Sequence[Entity], *, by: str, expected: Mapping[str, int] | None = None
    ) -> Sequence[Entity]:
        """Write all or none, and give those that changed; equal ones are left alone."""
        _require_name(by)
        for entity in entities:
            require_sound(entity, self.patterns)
        self.live()  # which fills an empty store with the packaged entities before
        changed = self.store.put(entities, by=by, at=self.now(), expected=expected)
        self.live.look()
        return changed

    def delete(self, entity_id: str, *, by: str, expected: int | None = None) -> None:
        """Take an entity out of use; its versions stay. Raises `NotFound`."""
        _require_name(by)
        self.live()
        if not self.store.delete(entity_id, by=by, at=self.now(), expected=expected):
            raise NotFound(f"no active entity {entity_id!r}. Run: handrail entities list")
        self.live.look()

    def dry_run(
        self, values: Mapping[str, Any], messages: Iterable[Message] | None = None
    ) -> DryRun:
        """What the entity would match, by default in all that the catalogue recognises."""
        entity = read_entity(values)
        self.live()  # which fills an empty store first: else all that it finds were new
        standing = self.store.get(entity.entity_id)
        return dry_run(
            entity,
            standing.entity if standing else None,
            recognised(self.entities()) if messages is None else messages,
            patterns=self.patterns,
            spellings=self.spellings,
        )


def _require_name(by: str) -> None:
    if not by.strip() or len(by) > MAX_BY_CHARS:
        raise InvalidInput(f"say who writes this, in at most {MAX_BY_CHARS} characters")
    if by.strip() == BY:
        raise InvalidInput(f"{BY!r} stands for the packaged entities. Say your own name")
