"""Small entities, and embedders whose vectors a test decides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from handrail.adapters.faiss import FaissMemory
from handrail.adapters.re2 import Re2Engine
from handrail.content.spellings import spellings
from handrail.domain.entity import Entity, EntityType, LoadMode, Trigger
from handrail.domain.risk import Level, Risk, Signal
from handrail.domain.text import Span
from handrail.domain.trace import Tracer
from handrail.flows.guide.catalogue import Catalogue
from handrail.flows.guide.found import Found
from handrail.flows.guide.search import GuideSearch
from handrail.flows.guide.signal import Signals
from handrail.flows.guide.words import EntityReading, condensed
from handrail.ports import Reading

PATTERNS = Re2Engine()
NO_TOKENS = (np.empty(0, np.int32), np.empty((0, 1), np.int8))


def entity(entity_id: str, **changes: Any) -> Entity:
    """A situation with a line of each kind, unless ``changes`` say otherwise."""
    plain = Entity(
        entity_id=entity_id,
        entity_type=EntityType.SITUATION,
        load_mode=LoadMode.SITUATION,
        title=entity_id,
        concept_summary=f"about {entity_id}",
        acknowledgement=(f"{entity_id} is heard.",),
        guidance_do=(f"Do one thing about {entity_id}.",),
        guidance_dont=(f"Leave one thing about {entity_id}.",),
        scripts=(f"Words about {entity_id}.",),
        red_flags=(f"A flag about {entity_id}.",),
    )
    return replace(plain, **changes)


def phrases(*each: str) -> tuple[Trigger, ...]:
    """Triggers that are plain phrases."""
    return tuple(Trigger(phrase=one) for one in each)


def stated(entity_id: str, conditions: Mapping[str, object], **changes: Any) -> Entity:
    """A handler that a state loads."""
    return entity(
        entity_id,
        entity_type=EntityType.HANDLER,
        load_mode=LoadMode.STATE,
        state_conditions=conditions,
        **changes,
    )


class Axes:
    """Texts lie where ``placed`` says, all others on the last of ``dim`` axes."""

    def __init__(self, placed: Mapping[str, Sequence[float]], dim: int = 8) -> None:
        self._placed, self._dim = placed, dim
        self.asked: list[str] = []

    def read(self, text: str) -> Reading:
        """The reading of a message, without tokens."""
        self.asked.append(text)
        vector = np.zeros(self._dim, np.float32)
        found = self._placed.get(text)
        if found is None:
            vector[-1] = 1
        else:
            vector[: len(found)] = found
        return Reading(vector / np.linalg.norm(vector), *NO_TOKENS)

    def entities(self, texts: Sequence[Sequence[str]]) -> list[EntityReading]:
        """The readings of entities by their titles, which stand before the first full stop."""
        return [condensed([self.read(each[0].partition(".")[0])]) for each in texts]


def catalogue_of(
    entities: Sequence[Entity], axes: Axes | None = None, *, revision: int = 1
) -> Catalogue:
    """A catalogue with the packaged spellings."""
    return Catalogue.build(
        entities,
        read=(axes or Axes({})).entities,
        patterns=PATTERNS,
        vectors=FaissMemory(),
        spellings=spellings(),
        revision=revision,
    )


def search_over(
    entities: Sequence[Entity], axes: Axes | None = None, **changes: Any
) -> GuideSearch:
    """A search over these entities and no others."""
    placed = axes or Axes({})
    catalogue = catalogue_of(entities, placed)
    search = GuideSearch(catalogue=lambda: catalogue, read=placed.read, signals=Signals.packaged())
    return replace(search, **changes)


def find(
    search: GuideSearch, message: str, state: Mapping[str, object] | None = None, **more: Any
) -> Found:
    """The final set of a message that the screen heard nothing in."""
    risk = more.pop("risk", Risk())
    return search.find(message, state or {}, risk=risk, tracer=Tracer("test"), **more)


def heard(kind: str, level: Level = Level.HIGH) -> Risk:
    """A risk with one signal."""
    signal = Signal(rule="test", kind=kind, level=level, span=Span(0, 1), language="en")
    return Risk(level=level, kinds=(kind,), signals=(signal,))
