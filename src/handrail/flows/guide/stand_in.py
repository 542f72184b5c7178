"""What answers danger cannot be edited away: packaged entities stand in for what was lost."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from handrail.content.entities import packaged_entities
from handrail.domain.entity import Entity, LoadMode
from handrail.flows.guide.signal import Signals

VERSION = 0
"""Of every stand-in: the store may hold other words under the version that the package names."""


def stand_in(entity_id: str) -> Entity | None:
    """The packaged entity of that id, in `VERSION`; None where there is none."""
    found = (one for one in packaged_entities() if one.entity_id == entity_id)
    return next((replace(one, version=VERSION) for one in found), None)


def stand_ins(entity_ids: Iterable[str]) -> Mapping[str, Entity]:
    """Those of the ids that the package has."""
    return {one.entity_id: one for one in map(stand_in, entity_ids) if one is not None}


def marked(entities: Iterable[Entity]) -> list[Entity]:
    """The entities, those for danger marked as critical whatever flag they carry."""
    named = Signals.packaged().entities
    return [
        replace(one, safety_critical=True) if one.entity_id in named else one for one in entities
    ]


def listening(entities: Sequence[Entity]) -> list[Entity]:
    """Those that words may find, and what stands in for one that danger may no longer find."""
    found = [one for one in entities if one.load_mode is LoadMode.SITUATION]
    lost = Signals.packaged().entities - {one.entity_id for one in found}
    return [*found, *stand_ins(sorted(lost)).values()]
