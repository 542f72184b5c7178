"""How near a text lies to labelled messages in the embedding space: dangers against harmless ones.

The log of the summed nearness to dangers, less that to harmless messages. Nearness is
``exp(cosine / TEMPERATURE)``, so that the few nearest decide (a kernel density ratio; Parzen 1962).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from handrail.errors import ContentInvalid, IndexMismatch, ModelFailed

if TYPE_CHECKING:
    from handrail.ports import Embedder, Matrix, Vector

TEMPERATURE = 0.05  # chosen among 0.03 to 0.1 with one writer's messages left out at a time
NAMED = 3
_UNIT_TOLERANCE = 1e-2


@dataclass(frozen=True, slots=True)
class Exemplar:
    """A labelled message by its id; ``kind`` is the kind of its danger, empty for harmless ones."""

    id: str
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Nearness:
    """The log-odds, and the nearest dangers, nearest first; ties fall to the earlier row."""

    log_odds: float
    nearest: tuple[Exemplar, ...]


class Exemplars:
    """Labelled messages under a projection; dangers come first.

    ``rows`` are int8 of shape ``(len(labels), d)``, ``projection`` is ``(dim, d)``; a row times
    ``unit`` is a projected unit vector. ``embedder`` and ``fingerprint`` are name and fingerprint
    of the one model whose vectors can be compared.
    """

    def __init__(
        self,
        labels: Sequence[Exemplar],
        rows: Matrix,
        projection: Matrix,
        *,
        unit: float,
        embedder: str,
        fingerprint: str,
    ) -> None:
        import numpy as np

        self.embedder = embedder
        self.fingerprint = fingerprint
        self._labels = tuple(labels)
        self._dangers = sum(bool(label.kind) for label in labels)
        if rows.shape != (len(labels), projection.shape[1]):
            raise ContentInvalid(f"{len(labels)} exemplars have rows of shape {rows.shape}")
        if not 0 < self._dangers < len(labels) or not all(
            label.kind for label in labels[: self._dangers]
        ):
            raise ContentInvalid("exemplars are of two sorts, and dangers come first")
        self._rows = rows.astype(np.float32) * np.float32(unit / TEMPERATURE)
        self._projection = projection.astype(np.float32)

    def require(self, embedder: Embedder) -> None:
        """Raise `IndexMismatch` unless the exemplars were made with ``embedder``.

        Cosines of another model are other numbers, and a threshold on them means nothing. One of
        another name is not asked for its fingerprint, which may need a server.
        """
        if embedder.name != self.embedder or embedder.fingerprint != self.fingerprint:
            raise IndexMismatch(
                f"the exemplars are for {self.embedder!r} ({self.fingerprint[:12]}), not for "
                f"{embedder.name!r} as it is here. Fit them anew, or leave them out"
            )

    def nearness(self, vector: Vector) -> Nearness:
        """How near a unit vector lies; raises `ModelFailed` for what is no unit vector."""
        import numpy as np

        self._check(vector)
        near = self._rows @ (np.asarray(vector, np.float32) @ self._projection)
        weights = np.exp(near - near.max(), dtype=np.float64)
        dangers, harmless = weights[: self._dangers].sum(), weights[self._dangers :].sum()
        least = np.finfo(np.float64).tiny
        order = np.argsort(-near[: self._dangers], kind="stable")[:NAMED]
        return Nearness(
            round(float(np.log(max(dangers, least)) - np.log(max(harmless, least))), 4),
            tuple(self._labels[int(at)] for at in order),
        )

    def _check(self, vector: Vector) -> None:
        import numpy as np

        shape = np.shape(vector)
        if shape != (self._projection.shape[0],):
            raise ModelFailed(f"the embedder gave a vector of shape {shape}")
        length = float(np.linalg.norm(np.asarray(vector, np.float64)))
        if not abs(length - 1.0) <= _UNIT_TOLERANCE:  # not-a-number is not near 1 either
            raise ModelFailed(f"the embedder gave a vector of length {length:.3g}")
