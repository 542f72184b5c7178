"""A question as retrieval sees it: its words, and what one forward pass made of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from handrail.ports import Reading, Vector


@dataclass(frozen=True, slots=True)
class Question:
    """The text, its unit vector, and ``intent``: the vector moved towards its plain concern.

    ``reading`` is None for embedders without token vectors.
    """

    text: str
    vector: Vector
    intent: Vector
    reading: Reading | None = None
