"""Entities as authors write them: one YAML file each, or rows of JSON; checked, then frozen."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import fields
from functools import cache
from typing import Any, Self

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    field_validator,
    model_validator,
)

from handrail.content.loader import ROOT, read_yaml
from handrail.domain.entity import Audience, ChatType, Entity, EntityType, LoadMode, Trigger
from handrail.errors import ContentInvalid

FOLDER = "guide/entities"
MAX_TRIGGERS = 120  # of one entity
MAX_TRIGGER_CHARS = 600
_RAW = re.compile(r"[\\\[\]{}^$+]|\.\*|\(\?|'\?|\w\(|[)?*]\w")


class TriggerModel(BaseModel):
    """A plain phrase, or a raw expression that a reviewer answers for."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    phrase: str | None = Field(None, min_length=2, max_length=MAX_TRIGGER_CHARS)
    regex: str | None = Field(None, min_length=2, max_length=MAX_TRIGGER_CHARS)
    safety_critical: bool | None = None

    @model_validator(mode="after")
    def _one_of_two(self) -> Self:
        if (self.phrase is None) == (self.regex is None):
            raise ValueError("a trigger is either a phrase or a regex")
        return self


class EntityModel(BaseModel):
    """One entity as it is written; see `handrail.domain.entity.Entity` for what fields mean."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    entity_id: str = Field(pattern=r"^[a-z][a-z0-9_]{0,99}$")
    entity_type: EntityType
    load_mode: LoadMode
    title: str = Field(min_length=1, max_length=200)
    concept_summary: str = Field(min_length=1, max_length=2_000)
    subtype: str = Field("", max_length=100)
    priority: int = Field(50, ge=0, le=100)
    safety_critical: bool = False
    recognition: tuple[str, ...] = ()
    recognition_clinician: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    trigger_patterns: tuple[TriggerModel, ...] = Field((), max_length=MAX_TRIGGERS)
    state_conditions: dict[str, Any] | None = None
    confused_with: tuple[str, ...] = ()
    never_with: tuple[str, ...] = ()
    acknowledgement: tuple[str, ...] = ()
    guidance_do: tuple[str, ...] = ()
    guidance_dont: tuple[str, ...] = ()
    scripts: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()
    red_flags: tuple[str, ...] = ()
    audience_types: tuple[Audience, ...] = Field(tuple(Audience), min_length=1)
    chat_types: tuple[ChatType, ...] = ()
    editable_by: tuple[str, ...] = ()
    is_active: bool = True
    language: str = Field("en", pattern="^[a-z]{2}$")
    reviewer: str = ""
    source: str = ""
    version: int = Field(1, ge=1)

    @field_validator("keywords", mode="before")
    @classmethod
    def _listed(cls, value: Any) -> Any:
        """A list, or the comma-separated string of the older tables."""
        if value is None:
            return ()
        return tuple(filter(None, map(str.strip, value.split(",")))) if _text(value) else value

    @field_validator("trigger_patterns", mode="before")
    @classmethod
    def _triggers(cls, value: Any) -> Any:
        """Plain strings are phrases, or expressions where they hold signs that no phrase has."""
        rows = () if value is None else value
        if not isinstance(rows, list | tuple):
            return rows
        return [
            ({"regex": row} if _RAW.search(row) else {"phrase": row}) if _text(row) else row
            for row in rows
        ]

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if self.load_mode is LoadMode.STATE and not self.state_conditions:
            raise ValueError("an entity that a state loads needs state_conditions")
        if any(trigger.regex for trigger in self.trigger_patterns) and not self.reviewer:
            raise ValueError(
                "a regex needs a reviewer; write a plain phrase, or name who checked it"
            )
        if any(not line.strip() for name in _TEXTS for line in getattr(self, name)):
            raise ValueError("a line is empty")
        return self

    def entity(self) -> Entity:
        """The frozen form."""
        values = {name: getattr(self, name) for name in type(self).model_fields}
        values["trigger_patterns"] = tuple(
            Trigger(phrase=one.phrase, regex=one.regex, safety_critical=one.safety_critical)
            for one in self.trigger_patterns
        )
        return Entity(**values)


_TEXTS = (
    "recognition",
    "recognition_clinician",
    "keywords",
    "acknowledgement",
    "guidance_do",
    "guidance_dont",
    "scripts",
    "examples",
    "red_flags",
)


def read_entity(value: Mapping[str, Any], *, where: str = "the entity") -> Entity:
    """The entity of a parsed file or row; raises `ContentInvalid` naming each problem."""
    try:
        return EntityModel.model_validate(value).entity()
    except ValidationError as error:
        places = "; ".join(
            f"{'.'.join(str(part) for part in item['loc']) or 'the whole'}: {item['msg']}"
            for item in error.errors()[:5]
        )
        raise ContentInvalid(f"{where}: {places}") from None


def entity_json(entity: Entity) -> dict[str, Any]:
    """The entity as an author may edit and send it again, in JSON values."""
    out: dict[str, Any] = {}
    for field in fields(entity):
        value = getattr(entity, field.name)
        if field.name == "trigger_patterns":
            out[field.name] = [_trigger_json(trigger) for trigger in value]
        elif isinstance(value, tuple):
            out[field.name] = [str(item) for item in value]
        else:
            out[field.name] = value.value if isinstance(value, EntityType | LoadMode) else value
    return out


@cache
def packaged_entities() -> tuple[Entity, ...]:
    """The packaged catalogue in the order of its ids; raises `ContentInvalid`."""
    return tuple(_packaged())


def _packaged() -> Iterator[Entity]:
    for path in sorted((ROOT / FOLDER).glob("*.yaml")):
        name = f"{FOLDER}/{path.name}"
        value = read_yaml(name)
        if not isinstance(value, dict) or value.get("entity_id") != path.stem.partition(".")[0]:
            raise ContentInvalid(f"content file {name!r} is not named after its entity_id")
        yield read_entity(value, where=f"content file {name!r}")


def _trigger_json(trigger: Trigger) -> dict[str, Any]:
    values = {"phrase": trigger.phrase, "regex": trigger.regex}
    if trigger.safety_critical is not None:
        values["safety_critical"] = trigger.safety_critical  # type: ignore[assignment]
    return {name: value for name, value in values.items() if value is not None}


def _text(value: Any) -> bool:
    return isinstance(value, str)
