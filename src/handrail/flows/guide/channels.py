"""The four channels: each finds entities in its own way, with its own kind of score (H7-H12)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

import numpy as np

from handrail.domain.entity import Entity, LoadMode
from handrail.domain.scores import ScoreKind
from handrail.flows.guide.catalogue import Catalogue, Meaning, is_visible
from handrail.flows.guide.found import Asked
from handrail.retrieval.channel import ChannelRanking, Hit, ranked

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from handrail.ports import Vector

_UNSEEN = -2.0  # below every likeness
LIKENESS = (0.2, 0.2, 0.6)
"""Weights of the nearest phrase, the nearest three and the whole; chosen on the train half."""


class Channel(Protocol):
    """One way to find entities."""

    @property
    def name(self) -> str:
        """Stable name, used in traces, weights and evaluations."""

    def search(self, catalogue: Catalogue, asked: Asked, *, k: int) -> ChannelRanking:
        """At most ``k`` entities that ``asked`` may see."""


class SemanticChannel:
    """What lies near in meaning to what parents say (H9)."""

    name = "semantic"

    def search(self, catalogue: Catalogue, asked: Asked, *, k: int) -> ChannelRanking:
        """Likeness to the nearest theme of the message."""
        meaning = catalogue.meaning if asked.readings else None
        if meaning is None:
            return ChannelRanking(self.name, ScoreKind.COSINE, ())
        best = np.full(len(catalogue.searched), _UNSEEN, np.float32)
        for vector in (reading.vector for reading in asked.readings):
            near = meaning.near(vector, asked.visible, k=k)
            if len(near):
                best[near] = np.maximum(best[near], like(meaning, vector, near))
        seen = np.flatnonzero(best > _UNSEEN)
        rows = seen[np.lexsort((seen, -best[seen]))[:k]]
        values = dict(zip(rows.tolist(), best[rows].tolist(), strict=True))
        return _ranking(self.name, ScoreKind.COSINE, catalogue, values, k)


def like(
    meaning: Meaning, vector: Vector, rows: Sequence[int] | NDArray[np.int64]
) -> NDArray[np.float32]:
    """The likeness of each of ``rows`` to a message, shape ``(len(rows),)``, in [-1, 1]."""
    found: NDArray[np.float32] = meaning.likeness(vector, np.asarray(rows, np.int64)) @ np.array(
        LIKENESS, np.float32
    )
    return found


class KeywordChannel:
    """What is named in so many words (H10)."""

    name = "keyword"

    def search(self, catalogue: Catalogue, asked: Asked, *, k: int) -> ChannelRanking:
        """The sum of the weights of the distinct keywords that are there."""
        distinct = {hit.keyword: hit for hit in asked.keywords}.values()
        if not distinct:
            return ChannelRanking(self.name, ScoreKind.INFORMATION, ())
        rows = np.concatenate([hit.rows for hit in distinct])
        weights = np.repeat([hit.weight for hit in distinct], [len(hit.rows) for hit in distinct])
        found, places = np.unique(rows, return_inverse=True)
        sums = np.bincount(places, weights=weights)
        kept = asked.visible[found]
        found, sums = found[kept], sums[kept]
        if len(found) > k:
            order = np.lexsort((found, -sums))[:k]
            found, sums = found[order], sums[order]
        values = dict(zip(found.tolist(), sums.tolist(), strict=True))
        return _ranking(self.name, ScoreKind.INFORMATION, catalogue, values, k)


class PatternChannel:
    """What is said in a way that an entity's triggers know (H11)."""

    name = "pattern"

    def search(self, catalogue: Catalogue, asked: Asked, *, k: int) -> ChannelRanking:
        """How many different triggers of an entity matched."""
        matched: dict[str, set[int]] = {}
        for hit in asked.triggers:
            matched.setdefault(hit.entity_id, set()).add(hit.trigger)
        known = catalogue.row.keys() & matched.keys()  # a stand-in has no row
        rows = {catalogue.row[name]: float(len(matched[name])) for name in known}
        seen = {row: value for row, value in rows.items() if asked.visible[row]}
        return _ranking(self.name, ScoreKind.COUNT, catalogue, seen, k)


class StateChannel:
    """What the user's state brings in (H12); the most important entity first."""

    name = "state"

    def search(self, catalogue: Catalogue, asked: Asked, *, k: int) -> ChannelRanking:
        """Entities whose conditions hold; the value is the priority."""
        held = stated(catalogue, asked)
        best = sorted(held, key=lambda entity: (-entity.priority, entity.entity_id))[:k]
        hits = [Hit(entity.entity_id, float(entity.priority)) for entity in best]
        return ranked(self.name, ScoreKind.COUNT, hits)


def stated(catalogue: Catalogue, asked: Asked) -> list[Entity]:
    """Every visible entity whose conditions hold."""
    values = asked.state.values
    return [
        entity
        for condition, owners in catalogue.conditions
        if condition.holds(values)
        for entity in owners
        if is_visible(entity, asked.audience, asked.chat_type)
    ]


def pinned_by_state(entities: Sequence[Entity]) -> list[Entity]:
    """Those that a state loads: their place is not for ranks to decide (resolution 2)."""
    return [entity for entity in entities if entity.load_mode is LoadMode.STATE]


def _ranking(
    name: str, kind: ScoreKind, catalogue: Catalogue, values: Mapping[int, float], k: int
) -> ChannelRanking:
    searched = catalogue.searched
    hits = (Hit(searched[row].entity_id, value) for row, value in values.items())
    full = ranked(name, kind, hits)
    return ChannelRanking(full.channel, full.kind, full.hits[:k])


CHANNELS: tuple[Channel, ...] = (
    SemanticChannel(),
    KeywordChannel(),
    PatternChannel(),
    StateChannel(),
)
