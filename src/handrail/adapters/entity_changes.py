"""What a write of entities changes: the rules that all stores of entities share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from handrail.adapters.entity_rows import (
    Row,
    equal,
    from_line,
    is_active,
    line_of,
    moment,
    read_row,
    standard,
    to_line,
    version_of,
)
from handrail.domain.entity import Entity
from handrail.errors import ContentInvalid, EntityConflict, InvalidInput, StoreFailed
from handrail.ports import EntityRecord


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """One version as a store keeps it; ``recorded`` is whether its history has it already."""

    row: Row
    by: str = ""
    at: float = 0.0
    recorded: bool = True

    @property
    def version(self) -> int:
        """What a write of this entity is based on."""
        return version_of(self.row)

    def record(self) -> EntityRecord:
        """As the port gives it; raises `ContentInvalid` where the row is no entity."""
        return EntityRecord(entity=read_row(self.row), by=self.by, at=self.at)


Find: TypeAlias = Callable[[str], Written | None]  # what stands for an id


def checked(entities: Sequence[Entity], *, by: str, at: float) -> list[Entity]:
    """The entities as they are kept; raises `InvalidInput` and `ContentInvalid` for unfit ones."""
    check_author(by, at)
    kept = [standard(entity) for entity in entities]
    if len({entity.entity_id for entity in kept}) < len(kept):
        raise InvalidInput("an entity is there twice. Write each of them once")
    return kept


def check_author(by: str, at: float) -> None:
    """Raise `InvalidInput` for a name or a time that not every store can keep."""
    moment(at)
    if not possible(by):
        raise InvalidInput("the name of who writes holds characters that cannot be stored")


def possible(text: str) -> bool:
    """Whether every store can keep the text; no entity has an id that is not possible."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return "\0" not in text


def changed(entities: Iterable[Entity], standing: Find) -> Iterator[Entity]:
    """Those that are new or differ, with their versions."""
    for entity in entities:
        written = standing(entity.entity_id)
        if written is None:
            yield entity
        elif not equal(written.row, entity):
            yield replace(entity, version=written.version + 1)


def require_all(expected: Mapping[str, int] | None, standing: Find) -> None:
    """Raise `EntityConflict` where another version stands than is expected."""
    for entity_id, version in (expected or {}).items():
        require(standing(entity_id), version, entity_id)


def require(written: Written | None, expected: int | None, entity_id: str) -> None:
    """Raise `EntityConflict` where another version stands than ``expected``; 0 is none."""
    version = written.version if written else 0
    if expected is not None and expected != version:
        raise EntityConflict(
            f"the entity {entity_id!r} stands at version {version}, not {expected}. "
            "Read it again and redo the change"
        )


def deleted(written: Written) -> Row | None:
    """The row as it is without being active, or None where it is not active already.

    What the row holds is not read: one that is no entity can be deleted too.
    """
    if not is_active(written.row):
        return None
    return {**written.row, "is_active": False, "version": written.version + 1}


def active(rows: Iterator[Row]) -> Iterator[Entity]:
    """The entities of active rows; see `unreadable` for those that are left out.

    Raises `StoreFailed` where a row that is critical for safety cannot be read.
    """
    for row in rows:
        try:
            if is_active(row):
                yield read_row(row)
        except ContentInvalid as error:
            if row.get("safety_critical"):
                raise StoreFailed(f"an entity that safety needs cannot be read: {error}") from None


def unreadable(rows: Iterator[Row]) -> Iterator[str]:
    """What is wrong with each active row that is no entity, and what to do about it."""
    for row in rows:
        try:
            if is_active(row):
                read_row(row)
        except ContentInvalid as error:
            yield str(error)


def readable(versions: Sequence[Written]) -> Iterator[EntityRecord]:
    """The versions that are entities, oldest first."""
    for written in sorted(versions, key=lambda each: each.version):
        try:
            yield written.record()
        except ContentInvalid:
            continue


def of_version(versions: Sequence[Written], version: int) -> EntityRecord | None:
    """That one of the versions; raises `ContentInvalid` where it is no entity."""
    found = next((each for each in versions if each.version == version), None)
    return found.record() if found else None


def kept(line: str, *, by: str, at: float) -> Written:
    """A version from its line."""
    return Written(row=from_line(line), by=by, at=at)


def line_of_row(row: Row) -> str:
    """What the history keeps of a row: the entity in it, or the row itself where there is none."""
    try:
        return line_of(read_row(row))
    except ContentInvalid:
        return to_line(row)
