"""`EntityStore` over two SQL tables, whatever the vendor."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from itertools import chain
from operator import itemgetter
from typing import Any, Protocol, TypeAlias

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
    possible,
    readable,
    require,
    require_all,
    unreadable,
)
from handrail.adapters.entity_rows import (
    ATTRIBUTION_COLUMNS,
    ENTITY_COLUMNS,
    Row,
    line_of,
    moment,
    seconds,
    to_row,
)
from handrail.domain.entity import Entity
from handrail.ports import EntityRecord

AT_ONCE = 500  # ids asked for in one statement

VERSIONS = (
    """
    CREATE TABLE IF NOT EXISTS content_entity_versions (
        entity_id TEXT NOT NULL,
        version BIGINT NOT NULL,
        revision BIGINT NOT NULL,
        changed_by TEXT NOT NULL,
        changed_at DOUBLE PRECISION NOT NULL,
        line TEXT NOT NULL,
        PRIMARY KEY (entity_id, version)
    )
    """,
    """
    CREATE INDEX IF NOT EXISTS content_entity_versions_revision
    ON content_entity_versions (revision)
    """,
)
_REVISION = """
SELECT COALESCE(MAX(revision), 0), EXISTS (SELECT 1 FROM content_entities)
FROM content_entity_versions
"""
_HISTORY = """
SELECT line, changed_by, changed_at FROM content_entity_versions WHERE entity_id = ?
"""
_RECORD = "INSERT INTO content_entity_versions VALUES (?, ?, ?, ?, ?, ?)"
_RECORDED = """
FROM content_entities e LEFT JOIN content_entity_versions v
ON v.entity_id = e.entity_id AND v.version = COALESCE(e.version, 1)
"""
_WRITTEN = tuple(name for name in ENTITY_COLUMNS if name != "entity_id")

Line: TypeAlias = tuple[str, int, str, float, str]  # id, version, by, at, what was written


class Cursor(Protocol):
    """What is used of a database's cursor."""

    def execute(self, query: str, params: Sequence[Any] = ..., /) -> Any: ...
    def executemany(self, query: str, params_seq: Any, /) -> Any: ...
    def fetchone(self) -> Any: ...
    def fetchall(self) -> list[Any]: ...
    def __iter__(self) -> Iterator[Any]: ...


class SqlEntities(ABC):
    """Entities in `content_entities`, every version in `content_entity_versions`.

    A row of another program may be no entity. `entities` leaves it out and `unreadable` tells of
    it, so that it keeps nobody from the others; but where it is marked as critical for safety,
    `entities` raises `StoreFailed`: a catalogue without it would be dangerous. `get` raises
    `ContentInvalid` for it, `put` may replace it and `delete` take it away; its history keeps the
    row as it was and does not show it. What another program writes into a row is seen by whoever
    reads next, but does not raise the revision.
    """

    mark = "?"  # what stands for a parameter

    def __init__(self, *, attributed: Collection[str] = tuple(ATTRIBUTION_COLUMNS)) -> None:
        """``attributed`` are the columns of who and when that stand and can be written."""
        self._attributed = attributed

    @abstractmethod
    def _reading(self) -> AbstractContextManager[Cursor]:
        """A cursor for a few rows."""

    @abstractmethod
    def _scanning(self) -> AbstractContextManager[Cursor]:
        """A cursor for one statement that gives many rows, in bounded memory."""

    @abstractmethod
    def _writing(self) -> AbstractContextManager[Cursor]:
        """A cursor for the only writer, whose work is kept whole or, after an error, not at all."""

    def revision(self) -> int:
        """Rises with each write that changes something; rows that were there before count as 1."""
        with self._reading() as cursor:
            return _revision(cursor)

    def entities(self) -> Sequence[Entity]:
        """The standing version of every active entity, in the order of ids."""
        with self._scanning() as cursor:
            return sorted(active(_rows(cursor)), key=lambda entity: entity.entity_id)

    def unreadable(self) -> Sequence[str]:
        """What is wrong with each active row that `entities` leaves out, and what to do."""
        with self._scanning() as cursor:
            return sorted(unreadable(_rows(cursor)))

    def get(self, entity_id: str, *, version: int | None = None) -> EntityRecord | None:
        """A version, by default the standing one, active or not; None where there is none."""
        if not possible(entity_id):
            return None
        with self._reading() as cursor:
            if version is not None:
                return of_version(self._versions(cursor, entity_id), version)
            written = self._standing(cursor, [entity_id]).get(entity_id)
        return written.record() if written else None

    def history(self, entity_id: str) -> Sequence[EntityRecord]:
        """Every version that is an entity, oldest first."""
        if not possible(entity_id):
            return []
        with self._reading() as cursor:
            return list(readable(self._versions(cursor, entity_id)))

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
        asked = sorted(filter(possible, expected or ()))
        with self._writing() as cursor:
            require_all(expected, self._standing(cursor, asked).get)
            new, before = self._changed(cursor, fit)
            if new:
                self._write(cursor, new, before, by=by, at=at)
        return new

    def delete(self, entity_id: str, *, by: str, at: float, expected: int | None = None) -> bool:
        """Write a version that is not active; whether there was an active one."""
        check_author(by, at)
        asked = [entity_id] if possible(entity_id) else []
        with self._writing() as cursor:
            written = self._standing(cursor, asked).get(entity_id)
            require(written, expected, entity_id)
            row = deleted(written) if written else None
            if written is None or row is None:
                return False
            gone = Written(row=row, by=by, at=at, recorded=False)
            self._record(cursor, map(_line, filter(_unrecorded, (written, gone))))
            self._update(cursor, ("is_active", "version"), [row], by=by, at=at)
        return True

    def _changed(
        self, cursor: Cursor, entities: Sequence[Entity]
    ) -> tuple[list[Entity], dict[str, Written]]:
        """Those that are new or differ, and what stands for them; the rest is not kept in mind."""
        new: list[Entity] = []
        before: dict[str, Written] = {}
        for start in range(0, len(entities), AT_ONCE):
            some = entities[start : start + AT_ONCE]
            standing = self._standing(cursor, [entity.entity_id for entity in some])
            found = list(changed(some, standing.get))
            ids = standing.keys() & {entity.entity_id for entity in found}
            before.update((key, standing[key]) for key in ids)
            new += found
        return new, before

    def _write(
        self,
        cursor: Cursor,
        entities: Sequence[Entity],
        before: Mapping[str, Written],
        *,
        by: str,
        at: float,
    ) -> None:
        """Write what is new or has changed; what stood before is kept first."""
        older = (_line(written) for written in before.values() if not written.recorded)
        lines = ((each.entity_id, each.version, by, at, line_of(each)) for each in entities)
        self._record(cursor, chain(older, lines))
        changes = (to_row(each) for each in entities if each.entity_id in before)
        self._update(cursor, _WRITTEN, changes, by=by, at=at)
        fresh = (to_row(each) for each in entities if each.entity_id not in before)
        self._insert(cursor, fresh, by=by, at=at)

    def _record(self, cursor: Cursor, lines: Iterable[Line]) -> None:
        revision = _revision(cursor) + 1
        rows = ((*line[:2], revision, *line[2:]) for line in lines)
        cursor.executemany(self._sql(_RECORD), rows)

    def _update(
        self,
        cursor: Cursor,
        names: Sequence[str],
        rows: Iterable[Row],
        *,
        by: str,
        at: float,
    ) -> None:
        told = self._told(by, at, "updated_by", "updated_at")
        places = ", ".join(f"{name} = ?" for name in (*names, *told))
        statement = f"UPDATE content_entities SET {places} WHERE entity_id = ?"  # noqa: S608  names
        columns = itemgetter(*names)
        values = ((*columns(row), *told.values(), row["entity_id"]) for row in rows)
        cursor.executemany(self._sql(statement), values)

    def _insert(self, cursor: Cursor, rows: Iterable[Row], *, by: str, at: float) -> None:
        told = self._told(by, at, *ATTRIBUTION_COLUMNS)
        names = (*ENTITY_COLUMNS, *told)
        places = ", ".join("?" * len(names))
        statement = f"INSERT INTO content_entities ({', '.join(names)}) VALUES ({places})"  # noqa: S608
        columns = itemgetter(*ENTITY_COLUMNS)
        values = ((*columns(row), *told.values()) for row in rows)
        cursor.executemany(self._sql(statement), values)

    def _told(self, by: str, at: float, *names: str) -> dict[str, str]:
        """Who and when, by those of the columns that can be written."""
        values = {"by": by, "at": moment(at)}
        return {name: values[name[-2:]] for name in names if name in self._attributed}

    def _standing(self, cursor: Cursor, ids: Sequence[str]) -> dict[str, Written]:
        """What stands for each of the ids, as far as anything does."""
        told = [f"e.{name}" if name in self._attributed else "NULL" for name in _TOLD]
        names = ", ".join((*(f"e.{name}" for name in ENTITY_COLUMNS), *told))
        standing: dict[str, Written] = {}
        for start in range(0, len(ids), AT_ONCE):
            some = ids[start : start + AT_ONCE]
            places = ", ".join("?" * len(some))
            statement = (
                f"SELECT {names}, v.changed_by, v.changed_at {_RECORDED} "
                f"WHERE e.entity_id IN ({places})"
            )
            cursor.execute(self._sql(statement), some)
            standing.update((row[0], _written(row)) for row in cursor.fetchall())
        return standing

    def _versions(self, cursor: Cursor, entity_id: str) -> list[Written]:
        """Every version of the history, and the standing row where that is not in it."""
        standing = self._standing(cursor, [entity_id]).values()
        cursor.execute(self._sql(_HISTORY), [entity_id])
        versions = [kept(line, by=by, at=at) for line, by, at in cursor.fetchall()]
        # Between the two questions the standing row may have become one of the history.
        found = [*filter(_unrecorded, standing), *versions]
        return list({written.version: written for written in found}.values())

    def _sql(self, statement: str) -> str:
        return statement.replace("?", self.mark)


_TOLD = ("updated_by", "created_by", "updated_at", "created_at")
_ROWS = f"SELECT {', '.join(ENTITY_COLUMNS)} FROM content_entities"  # noqa: S608  our names


def _rows(cursor: Cursor) -> Iterator[Row]:
    cursor.execute(_ROWS)
    return (dict(zip(ENTITY_COLUMNS, row, strict=True)) for row in cursor)


def _revision(cursor: Cursor) -> int:
    cursor.execute(_REVISION)
    last, older = cursor.fetchone()
    return int(last) or int(older)


def _written(columns: Sequence[Any]) -> Written:
    """A standing row; the history knows better who wrote it and when, where it has the version."""
    row = dict(zip(ENTITY_COLUMNS, columns, strict=False))
    updated_by, created_by, updated_at, created_at, by, at = columns[len(ENTITY_COLUMNS) :]
    if by is not None:
        return Written(row=row, by=by, at=at)
    old = seconds(updated_at or created_at)
    return Written(row=row, by=str(updated_by or created_by or ""), at=old, recorded=False)


def _unrecorded(written: Written) -> bool:
    return not written.recorded


def _line(written: Written) -> Line:
    row = written.row
    return row["entity_id"], written.version, written.by, written.at, line_of_row(row)
