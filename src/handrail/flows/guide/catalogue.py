"""A catalogue: the active entities of one moment, compiled for every channel."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from math import ceil
from typing import TYPE_CHECKING

import numpy as np

from handrail.content.entities import entity_json
from handrail.domain.entity import Audience, ChatType, Entity, LoadMode
from handrail.domain.text import digest
from handrail.flows.guide.conditions import Condition
from handrail.flows.guide.keywords import Keywords
from handrail.flows.guide.stand_in import listening, marked
from handrail.flows.guide.triggers import Triggers
from handrail.flows.guide.words import EntityReading, EntityWords, emptied, joined
from handrail.ports import PatternEngine, VectorBuilder

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from handrail.ports import Matrix, Vector, VectorIndex

EXACT = 256  # so many entities are compared phrase by phrase without a coarse search before
COARSE = 64  # entities that the coarse search leaves
BLOCK = 16_384  # entities read at once; what they leave is so large that it is given back
SPARE = 1.2  # times as many as would do if those who may not be seen were spread evenly
WIDER = 8  # times as many again, where still too few of them may be seen
_NO_TEXT = -2.0  # below every cosine
NEAREST = 3  # phrases of an entity whose mean counts beside the nearest

ReadTexts = Callable[[Sequence[Sequence[str]]], Sequence[EntityReading]]
"""What the embedder makes of the texts of each entity."""


def embedded_texts(entity: Entity) -> tuple[str, ...]:
    """What is embedded: title with summary, then every way a person may put it (H9, H13)."""
    said = (*entity.recognition, *entity.recognition_clinician)
    return (f"{entity.title}. {entity.concept_summary}", *said)


@dataclass(frozen=True, eq=False)
class Meaning:
    """The vectors of the searched entities: ``rows[starts[i]:starts[i + 1]]`` are those of i."""

    rows: Matrix
    starts: NDArray[np.int64]
    pooled: Matrix
    coarse: VectorIndex | None
    words: EntityWords | None = None

    @classmethod
    def of(
        cls,
        readings: Iterable[Sequence[EntityReading]],
        builder: VectorBuilder,
        *,
        vocabulary: int = 0,
    ) -> Meaning:
        """``readings`` come by the block, so that their many small arrays need not all stand.

        The coarse index is built for more than `EXACT` entities only.
        """
        blocks, pooled, texts, pieces = [], [], [0], []
        for block in readings:
            blocks.append(joined(block))
            pooled += [np.stack([_unit(one.vectors.mean(axis=0)) for one in block])]
            texts += [len(one.vectors) for one in block]
            pieces += [len(one.pieces) for one in block]
        del block  # the parts are many, and go one by one as the whole is made of them
        every, whole = emptied(blocks), np.concatenate(pooled)
        coarse = builder.build(whole) if len(whole) > EXACT else None
        words = EntityWords.of(every, pieces, vocabulary=vocabulary)
        return cls(every.vectors, np.cumsum(texts), whole, coarse, words)

    def near(self, vector: Vector, visible: NDArray[np.bool_], *, k: int) -> NDArray[np.int64]:
        """Visible entities that are worth a closer look, at least ``k`` where there are so many.

        What nobody may see takes nobody's place: the coarse search goes on until there are enough.
        """
        if self.coarse is None or not visible.any():
            return np.flatnonzero(visible)
        most = max(COARSE, k)
        wanted = ceil(most * SPARE / float(visible.mean()))
        while True:
            found = np.array([hit.row for hit in self.coarse.search(vector, k=wanted)], np.int64)
            seen = found[visible[found]]
            if len(seen) >= most or wanted >= len(self.pooled):
                return np.sort(seen[:most])
            wanted *= WIDER

    def likeness(self, vector: Vector, entities: NDArray[np.int64]) -> NDArray[np.float32]:
        """For each entity: nearest phrase, mean of the nearest three, pooled; shape (n, 3)."""
        if len(self.pooled) <= EXACT and np.array_equal(entities, np.arange(len(self.pooled))):
            at, empty = self._plan  # of all, which is made once
            table = (self.rows @ vector)[at]
        else:
            at, empty = _plan(self.starts, entities)
            table = self._cosines(vector, at)
        table[empty] = _NO_TEXT
        best = np.sort(np.partition(table, -NEAREST, axis=1)[:, -NEAREST:], axis=1)
        last = np.where(best > _NO_TEXT, best, np.inf).min(axis=1, keepdims=True)
        best = np.where(best > _NO_TEXT, best, last)  # with fewer texts the last one is repeated
        pooled = self.pooled[entities] @ vector
        return np.stack([best[:, -1], best.mean(axis=1), pooled], axis=1).astype(np.float32)

    def _cosines(self, vector: Vector, at: NDArray[np.int64]) -> NDArray[np.float32]:
        """The cosine of each row in ``at``; comparing all costs less than a copy of most."""
        if 2 * at.size > len(self.rows):
            return np.asarray((self.rows @ vector)[at])
        return np.asarray(self.rows[at.ravel()] @ vector).reshape(at.shape)

    @cached_property
    def _plan(self) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        return _plan(self.starts, np.arange(len(self.pooled)))


def _plan(
    starts: NDArray[np.int64], entities: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Row numbers of each entity's texts, at least `NEAREST` wide, and which of them repeat."""
    counts = starts[entities + 1] - starts[entities]
    places = np.arange(max(NEAREST, int(counts.max(initial=0))))
    at = starts[entities][:, None] + np.minimum(places, counts[:, None] - 1)
    return at, places >= counts[:, None]


@dataclass(frozen=True, eq=False)
class Catalogue:
    """Every channel's index over the same entities; nothing in it changes.

    ``searched`` are the entities that words may find, and rows of the indexes count them; ``rules``
    are the triggers of those that are always loaded, which say when a rule has to be spoken of.
    """

    entities: tuple[Entity, ...]
    find_meaning: Callable[[], Meaning | None]
    keywords: Keywords
    triggers: Triggers
    rules: Triggers
    conditions: tuple[tuple[Condition, tuple[Entity, ...]], ...]
    revision: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)
    _made: list[Meaning | None] = field(default_factory=list, repr=False)
    _views: dict[tuple[Audience, ChatType | None], NDArray[np.bool_]] = field(
        default_factory=dict, repr=False
    )

    @classmethod
    def build(
        cls,
        entities: Sequence[Entity],
        *,
        read: ReadTexts,
        patterns: PatternEngine,
        vectors: VectorBuilder,
        spellings: Mapping[str, str],
        vocabulary: int = 0,
        revision: int = 0,
    ) -> Catalogue:
        """``vocabulary`` is the embedder's number of word pieces, 0 where it gives none.

        Raises `ContentInvalid` for a pattern or a condition that cannot be read.
        """
        kept = tuple(sorted(marked(entities), key=lambda entity: entity.entity_id))
        searched = _searched(kept)
        return cls(
            entities=kept,
            find_meaning=partial(_meaning, searched, read, vectors, vocabulary),
            keywords=Keywords(searched, spellings),
            triggers=Triggers(listening(kept), patterns),
            rules=Triggers([one for one in kept if one.load_mode is LoadMode.ALWAYS], patterns),
            conditions=_conditions(kept),
            revision=revision,
        )

    @cached_property
    def meaning(self) -> Meaning | None:
        """The vectors, made when somebody first needs them: danger is answered without."""
        with self._lock:
            if not self._made:
                self._made.append(self.find_meaning())
            return self._made[0]

    @property
    def is_read(self) -> bool:
        """Whether the vectors were made."""
        return bool(self._made)

    @cached_property
    def searched(self) -> tuple[Entity, ...]:
        """Entities that words may find: all but those that a state or nothing at all brings in."""
        return _searched(self.entities)

    @cached_property
    def always(self) -> tuple[Entity, ...]:
        """Entities that are always loaded, the most important first (H38)."""
        found = (entity for entity in self.entities if entity.load_mode is LoadMode.ALWAYS)
        return tuple(sorted(found, key=lambda entity: (-entity.priority, entity.entity_id)))

    @cached_property
    def by_id(self) -> Mapping[str, Entity]:
        """Active entities by id."""
        return {entity.entity_id: entity for entity in self.entities}

    @cached_property
    def row(self) -> Mapping[str, int]:
        """The row of each searched entity."""
        return {entity.entity_id: row for row, entity in enumerate(self.searched)}

    @cached_property
    def critical(self) -> NDArray[np.bool_]:
        """Which searched entities danger may pin, by row."""
        return np.array([one.safety_critical for one in self.searched], bool)

    @cached_property
    def sha256(self) -> str:
        """A hash over every active entity with its version; what a receipt pins."""
        return digest(*(repr(sorted(entity_json(entity).items())) for entity in self.entities))

    def visible(self, audience: Audience, chat_type: ChatType | None) -> NDArray[np.bool_]:
        """Which searched entities an audience may see in a kind of conversation (H38)."""
        key = (audience, chat_type)
        if key not in self._views:
            seen = [is_visible(entity, audience, chat_type) for entity in self.searched]
            self._views[key] = np.array(seen, bool)
        return self._views[key]


def _meaning(
    searched: Sequence[Entity], read: ReadTexts, vectors: VectorBuilder, vocabulary: int
) -> Meaning | None:
    if not searched:
        return None
    texts = [embedded_texts(entity) for entity in searched]
    blocks = (read(texts[at : at + BLOCK]) for at in range(0, len(texts), BLOCK))
    return Meaning.of(blocks, vectors, vocabulary=vocabulary)


def is_visible(entity: Entity, audience: Audience, chat_type: ChatType | None) -> bool:
    """Whether an entity is for that audience and that kind of conversation; none given fits all."""
    fits = chat_type is None or not entity.chat_types or chat_type in entity.chat_types
    return fits and audience in entity.audience_types


def _searched(entities: Sequence[Entity]) -> tuple[Entity, ...]:
    return tuple(one for one in entities if one.load_mode is LoadMode.SITUATION)


def _conditions(entities: Sequence[Entity]) -> tuple[tuple[Condition, tuple[Entity, ...]], ...]:
    """Distinct conditions with the entities that share each, so that each is asked once."""
    shared: dict[Condition, list[Entity]] = {}
    for entity in entities:
        if entity.state_conditions and entity.load_mode is not LoadMode.ALWAYS:
            where = f"state_conditions of {entity.entity_id!r}"
            shared.setdefault(Condition.read(entity.state_conditions, where=where), []).append(
                entity
            )
    return tuple((condition, tuple(owners)) for condition, owners in shared.items())


def _unit(vector: NDArray[np.floating]) -> Vector:
    scaled: Vector = (vector / max(float(np.linalg.norm(vector)), 1e-9)).astype(np.float32)
    return scaled
