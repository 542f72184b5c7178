"""Entities as editors see them: what stands, how it came to be, and what a change would match."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from handrail.content.entities import entity_json
from handrail.domain.entity import Entity, EntityType, LoadMode
from handrail.wire.base import Body

if TYPE_CHECKING:
    from handrail.flows.guide.dry_run import DryRun, Match
    from handrail.ports import EntityRecord


class EntityBody(Body):
    """An entity as an author may edit it and send it again."""

    entity_id: str
    entity_type: EntityType
    load_mode: LoadMode
    title: str
    concept_summary: str
    subtype: str
    priority: int
    safety_critical: bool
    recognition: list[str]
    recognition_clinician: list[str]
    keywords: list[str]
    trigger_patterns: list[dict[str, Any]]
    state_conditions: dict[str, Any] | None
    confused_with: list[str]
    never_with: list[str]
    acknowledgement: list[str]
    guidance_do: list[str]
    guidance_dont: list[str]
    scripts: list[str]
    examples: list[str]
    red_flags: list[str]
    audience_types: list[str]
    chat_types: list[str]
    editable_by: list[str]
    is_active: bool
    language: str
    reviewer: str
    source: str
    version: int


class EntityRecordBody(Body):
    """One version: what was written, by whom and when, in seconds since 1970 (UTC)."""

    entity: EntityBody
    by: str
    at: float


class EntityRowBody(Body):
    """An active entity in a list."""

    entity_id: str
    version: int
    entity_type: EntityType
    load_mode: LoadMode
    title: str
    priority: int
    safety_critical: bool


class EntitiesBody(Body):
    """Every active entity, by id."""

    entities: list[EntityRowBody]


class VersionBody(Body):
    """One version in a history; ``changed`` names the fields that differ from the one before."""

    version: int
    by: str
    at: float
    is_active: bool
    changed: list[str]


class HistoryBody(Body):
    """Every version of an entity, oldest first."""

    entity_id: str
    versions: list[VersionBody]


class MatchBody(Body):
    """What an entity matched in a message: ``text[start:end]``, in code points.

    ``fresh``: the standing version does not match there; ``stray``: the message was written for
    another entity.
    """

    text: str
    entity_id: str | None
    by: str
    start: int
    end: int
    fresh: bool
    stray: bool


class TriedBody(Body):
    """A message that was tried, and the entity that it was written for, if that is known."""

    text: str
    entity_id: str | None


class DryRunBody(Body):
    """What a changed entity would match; ``lost`` are messages that only the standing one finds."""

    entity_id: str
    tried: int
    matches: list[MatchBody]
    lost: list[TriedBody]


def entity_body(entity: Entity) -> EntityBody:
    """An entity as a body."""
    return EntityBody(**entity_json(entity))


def record_body(record: EntityRecord) -> EntityRecordBody:
    """A version as a body."""
    return EntityRecordBody(entity=entity_body(record.entity), by=record.by, at=record.at)


def entities_body(entities: Sequence[Entity]) -> EntitiesBody:
    """A list of entities as a body."""
    return EntitiesBody(
        entities=[
            EntityRowBody(**{name: getattr(one, name) for name in EntityRowBody.model_fields})
            for one in entities
        ]
    )


def history_body(entity_id: str, records: Sequence[EntityRecord]) -> HistoryBody:
    """The versions of an entity as a body, with what each of them changed."""
    before: dict[str, Any] = {}
    versions = []
    for record in records:
        now = entity_json(record.entity)
        changed = [name for name in now if name != "version" and now[name] != before.get(name)]
        versions.append(
            VersionBody(
                version=record.entity.version,
                by=record.by,
                at=record.at,
                is_active=record.entity.is_active,
                changed=changed if before else [],
            )
        )
        before = now
    return HistoryBody(entity_id=entity_id, versions=versions)


def dry_run_body(entity_id: str, run: DryRun) -> DryRunBody:
    """A dry run of ``entity_id`` as a body."""
    strays = set(map(id, run.strangers(entity_id)))
    return DryRunBody(
        entity_id=entity_id,
        tried=run.tried,
        matches=[_match(one, stray=id(one) in strays) for one in run.matches],
        lost=[TriedBody(text=one.text, entity_id=one.entity_id) for one in run.lost],
    )


def _match(match: Match, *, stray: bool) -> MatchBody:
    return MatchBody(
        text=match.message.text,
        entity_id=match.message.entity_id,
        by=match.by,
        start=match.span.start,
        end=match.span.end,
        fresh=match.fresh,
        stray=stray,
    )
