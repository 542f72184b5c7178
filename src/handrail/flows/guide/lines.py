"""Reviewed lines by their ids: those of entities, by version, and those that join them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from handrail.content.wordings import Wordings
from handrail.domain.entity import LINES, Entity
from handrail.domain.reply import Fragment, Vetted
from handrail.errors import ContentInvalid
from handrail.flows.guide import stand_in

PREFIX = "guide:"
SUMMARY = "concept_summary"

ByVersion = Callable[[str, int], Entity | None]
"""An entity as it stood in a version, or None."""


class GuideLines(Wordings):
    """The lines that join an entity's own."""

    prefix = "guide/"
    speaker = "the guide"


@cache
def packaged_lines() -> GuideLines:
    """The lines of every packaged language; raises `ContentInvalid` when a file is broken."""
    return GuideLines.packaged("guide/lines.*.yaml")


def line(entity: Entity, field: str, place: int = 0) -> Fragment:
    """An entity's line with its proof: ``guide:<entity_id>@<version>:<field>``, piece ``place``."""
    item = f"{PREFIX}{entity.entity_id}@{entity.version}:{field}"
    return Fragment(_texts(entity, field)[place], Vetted(item_id=item, piece=place))


def is_entity_line(item_id: str) -> bool:
    """Whether a reviewed line belongs to an entity."""
    return item_id.startswith(PREFIX)


def cited(item_id: str) -> tuple[str, int, str]:
    """Entity id, version and field of an entity's line; raises `ContentInvalid`."""
    name, _, rest = item_id.removeprefix(PREFIX).partition("@")
    version, _, field = rest.partition(":")
    known = item_id.startswith(PREFIX) and version.isdecimal() and field in (*LINES, SUMMARY)
    if not known:
        raise ContentInvalid(f"no reviewed line {item_id!r}")
    return name, int(version), field


def as_it_stood(name: str, version: int, by_version: ByVersion) -> Entity | None:
    """An entity in a version; in that of stand-ins the packaged one."""
    kept = version != stand_in.VERSION
    return by_version(name, version) if kept else stand_in.stand_in(name)


def entity_piece(item_id: str, piece: int, by_version: ByVersion) -> str:
    """The text of an entity's line; raises `ContentInvalid` where there is none."""
    name, version, field = cited(item_id)
    entity = as_it_stood(name, version, by_version)
    texts = _texts(entity, field) if entity else ()
    if not 0 <= piece < len(texts):
        raise ContentInvalid(f"no reviewed line {item_id!r} piece {piece}")
    return texts[piece]


def _texts(entity: Entity, field: str) -> tuple[str, ...]:
    return (entity.concept_summary,) if field == SUMMARY else entity.lines(field)
