"""Curated content for parents in conflict: one entity is one retrievable unit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


class EntityType(StrEnum):
    """What an entity is to the person who reads it."""

    HANDLER = "HANDLER"
    SITUATION = "SITUATION"
    SCRIPT = "SCRIPT"
    KNOWLEDGE = "KNOWLEDGE"
    GUARDRAIL = "GUARDRAIL"
    RULE = "RULE"


class LoadMode(StrEnum):
    """What brings an entity in: nothing need, a user's state, or what they tell."""

    ALWAYS = "ALWAYS"
    STATE = "STATE"
    SITUATION = "SITUATION"


class Audience(StrEnum):
    """Who an entity may be shown to."""

    PARENT = "PARENT"
    CLINICIAN = "CLINICIAN"
    PROFESSIONAL = "PROFESSIONAL"


class ChatType(StrEnum):
    """What a conversation is about, where the caller says so."""

    FAMILY_HISTORY = "FAMILY_HISTORY"
    PARENT_CHILD = "PARENT_CHILD"
    CO_PARENT = "CO_PARENT"
    COURT_PREP = "COURT_PREP"
    MISCELLANEOUS = "MISCELLANEOUS"


@dataclass(frozen=True, slots=True, kw_only=True)
class Trigger:
    """A plain phrase, or a raw expression in RE2 syntax; one of the two.

    ``safety_critical`` is None where the entity's own flag holds.
    """

    phrase: str | None = None
    regex: str | None = None
    safety_critical: bool | None = None


LINES = ("acknowledgement", "guidance_do", "guidance_dont", "scripts", "examples", "red_flags")
"""The fields that hold reviewed lines; a line is named by its field and its place there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entity:
    """One unit of content; only title, concept_summary and recognition are embedded.

    In HANDLER entities and those that are always loaded, ``guidance_do`` and ``guidance_dont`` say
    how the service behaves and ``scripts`` are what it says; elsewhere all lines speak to the
    parent and ``scripts`` are words that a parent can use. Of entities that are ``confused_with``
    each other the better found one is shown; an entity is ``never_with`` those that forbid it.
    ``version`` rises with every write.
    """

    entity_id: str
    entity_type: EntityType
    load_mode: LoadMode
    title: str
    concept_summary: str
    subtype: str = ""
    priority: int = 50  # 0 to 100
    safety_critical: bool = False
    recognition: tuple[str, ...] = ()
    recognition_clinician: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    trigger_patterns: tuple[Trigger, ...] = ()
    state_conditions: Mapping[str, object] | None = None
    confused_with: tuple[str, ...] = ()
    never_with: tuple[str, ...] = ()
    acknowledgement: tuple[str, ...] = ()
    guidance_do: tuple[str, ...] = ()
    guidance_dont: tuple[str, ...] = ()
    scripts: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()
    red_flags: tuple[str, ...] = ()
    audience_types: tuple[Audience, ...] = tuple(Audience)
    chat_types: tuple[ChatType, ...] = ()  # none means all
    editable_by: tuple[str, ...] = ()
    is_active: bool = True
    language: str = "en"
    reviewer: str = ""
    source: str = ""
    version: int = 1

    def lines(self, field: str) -> tuple[str, ...]:
        """The reviewed lines of one of `LINES`."""
        found: tuple[str, ...] = getattr(self, field)
        return found
