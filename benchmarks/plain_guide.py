"""The first version that one would write: every vector, pattern, keyword and condition in turn."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from handrail.domain.entity import Entity, LoadMode
from handrail.flows.guide.conditions import Condition, State
from handrail.flows.guide.text import normal
from handrail.flows.guide.triggers import expression

if TYPE_CHECKING:
    from handrail.ports import Matrix, Vector

NEAREST = 10
Rows = Sequence[int]


class PlainGuide:
    """Four loops over plain lists, in one thread; no audiences, no spellings, no weights.

    Trigger phrases are Python's own expressions here, compiled beforehand, and an entity has one
    vector: both cost less than what they are compared with would need to give the same answers.
    """

    def __init__(self, entities: Sequence[Entity], vectors: Matrix) -> None:
        """``vectors`` ``(n, dim)`` belong to the entities that words may find, in their order."""
        found = [one for one in entities if one.load_mode is LoadMode.SITUATION]
        self._vectors = vectors
        self._keywords = [
            (row, word.lower()) for row, one in enumerate(found) for word in one.keywords
        ]
        self._patterns = [
            (row, re.compile(expression(trigger, where=one.entity_id)))
            for row, one in enumerate(found)
            for trigger in one.trigger_patterns
        ]
        self._conditions = [
            (row, Condition.read(one.state_conditions, where=one.entity_id))
            for row, one in enumerate(entities)
            if one.state_conditions
        ]

    def search(
        self, text: str, vector: Vector, user_state: Mapping[str, object]
    ) -> tuple[Rows, Rows, Rows, Rows]:
        """Rows by meaning (best first), keyword, pattern and state."""
        said = normal(text)
        state = State.read(user_state).values
        return (
            self.near(vector),
            [row for row, keyword in self._keywords if keyword in said],
            [row for row, pattern in self._patterns if pattern.search(said)],
            [row for row, condition in self._conditions if condition.holds(state)],
        )

    def near(self, vector: Vector) -> Rows:
        """Every vector is compared, and the nearest are put in order."""
        cosines = self._vectors @ vector
        most = min(NEAREST, len(cosines))
        best = np.argpartition(-cosines, most - 1)[:most]
        rows: Rows = best[np.argsort(-cosines[best])].tolist()
        return rows
