"""`EntityStore` in a dictionary."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence

from handrail.adapters.entity_changes import (
    Written,
    active,
    changed,
    check_author,
    checked,
    deleted,
    kept,
    line_of_row,
    of_version,
    readable,
    require,
    require_all,
)
from handrail.adapters.entity_rows import from_line, line_of
from handrail.domain.entity import Entity
from handrail.ports import EntityRecord


class MemoryEntities:
    """Entities of one process; kept as lines, so that nobody changes them afterwards."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._revision = 0
        self._lines: dict[str, list[tuple[str, str, float]]] = {}

    def revision(self) -> int:
        """Rises with each write that changes something."""
        return self._revision

    def entities(self) -> Sequence[Entity]:
        """The standing version of every active entity, in the order of ids."""
        with self._guard:
            lines = [self._lines[key][-1][0] for key in sorted(self._lines)]
        return list(active(map(from_line, lines)))

    def get(self, entity_id: str, *, version: int | None = None) -> EntityRecord | None:
        """A version, by default the standing one, active or not; None where there is none."""
        versions = self._versions(entity_id)
        if version is not None:
            return of_version(versions, version)
        return versions[-1].record() if versions else None

    def history(self, entity_id: str) -> Sequence[EntityRecord]:
        """Every version, oldest first."""
        return list(readable(self._versions(entity_id)))

    def put(
        self,
        entities: Sequence[Entity],
        *,
        by: str,
        at: float,
        expected: Mapping[str, int] | None = None,
    ) -> Sequence[Entity]:
        """Write all or none; gives those that changed, as they stand now.

        Raises `EntityConflict`, `ContentInvalid` for what breaks the schema of content, and
        `InvalidInput` for what cannot be stored.
        """
        fit = checked(entities, by=by, at=at)
        with self._guard:
            require_all(expected, self._standing)
            new = list(changed(fit, self._standing))
            for entity in new:
                self._keep(entity.entity_id, line_of(entity), by, at)
            self._revision += bool(new)
        return new

    def delete(self, entity_id: str, *, by: str, at: float, expected: int | None = None) -> bool:
        """Write a version that is not active; whether there was an active one."""
        check_author(by, at)
        with self._guard:
            written = self._standing(entity_id)
            require(written, expected, entity_id)
            row = deleted(written) if written else None
            if row is not None:
                self._keep(entity_id, line_of_row(row), by, at)
                self._revision += 1
        return row is not None

    def _standing(self, entity_id: str) -> Written | None:
        versions = self._lines.get(entity_id)
        if not versions:
            return None
        line, by, at = versions[-1]
        return kept(line, by=by, at=at)

    def _versions(self, entity_id: str) -> list[Written]:
        with self._guard:
            lines = tuple(self._lines.get(entity_id, ()))
        return [kept(line, by=by, at=at) for line, by, at in lines]

    def _keep(self, key: str, line: str, by: str, at: float) -> None:
        self._lines.setdefault(key, []).append((line, by, at))
