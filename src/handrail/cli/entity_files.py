"""Entities in files, as editors have them: YAML, JSON lines, or a folder of such files."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from handrail.cli.words import read_text
from handrail.content.entities import entity_json, read_entity
from handrail.content.loader import parse_yaml, write_yaml
from handrail.domain.entity import Entity, EntityType, LoadMode
from handrail.errors import ContentInvalid, InvalidInput, NotFound, UnreadableFile

LINES = frozenset({".jsonl", ".ndjson"})
YAML = frozenset({".yaml", ".yml", ".json"})  # JSON is YAML, but for its escapes of surrogates

_PLAIN = entity_json(
    Entity(
        entity_id="",
        entity_type=EntityType.SITUATION,
        load_mode=LoadMode.SITUATION,
        title="",
        concept_summary="",
    )
)
_ALWAYS_WRITTEN = frozenset(
    {"entity_id", "entity_type", "load_mode", "title", "concept_summary", "version"}
)


def read_entities(paths: Iterable[Path]) -> list[Entity]:
    """The entities of all files in order; ``-`` is YAML from standard input.

    Raises `NotFound`, `UnreadableFile` or `ContentInvalid`, each with the file and the place.
    """
    found = [
        read_entity(row, where=where)
        for path in paths
        for each in _files(path)
        for where, row in _rows(each)
    ]
    if not found:
        raise InvalidInput("no entity was found in what was given. Name a file that holds some")
    return found


def as_yaml(entity: Entity) -> str:
    """One document, without the fields that are as they are by default."""
    values = entity_json(entity)
    kept = {
        name: values[name]
        for name in values
        if name in _ALWAYS_WRITTEN or values[name] != _PLAIN[name]
    }
    return write_yaml(kept)


def as_line(entity: Entity) -> str:
    """One line of JSON."""
    return json.dumps(entity_json(entity), ensure_ascii=False)


def file_name(entity: Entity) -> str:
    """What the packaged files are called."""
    return f"{entity.entity_id}.{entity.language}.yaml"


def changed_fields(before: Entity, after: Entity) -> list[str]:
    """The fields in which two versions differ, but for the number."""
    names = (field.name for field in fields(Entity) if field.name != "version")
    return [name for name in names if getattr(before, name) != getattr(after, name)]


def read_file(path: Path) -> str:
    """The text of a file; raises `NotFound` or `UnreadableFile`."""
    if str(path) == "-":
        return read_text("-")
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise NotFound(f"{str(path)!r} cannot be read: {error.strerror}. Name a file") from error
    except UnicodeDecodeError:
        raise UnreadableFile(f"{str(path)!r} is not UTF-8. Save it as UTF-8 text") from None


def json_lines(path: Path) -> Iterator[tuple[str, Any]]:
    """Where each line is, and what it holds; raises `UnreadableFile`."""
    for number, line in enumerate(read_file(path).split("\n"), start=1):
        if not line.strip():
            continue
        try:
            yield f"{path.name} line {number}", json.loads(line)
        except (ValueError, RecursionError):
            raise UnreadableFile(f"{path.name} line {number} is no JSON. Mend that line") from None


def _files(path: Path) -> Sequence[Path]:
    if not path.is_dir():
        return [path]
    return sorted(each for each in path.iterdir() if each.suffix in LINES | YAML)


def _rows(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    for where, value in json_lines(path) if path.suffix in LINES else _documents(path):
        if not isinstance(value, dict):
            raise ContentInvalid(f"{where}: an entity is a list of fields with values")
        yield where, value


def _documents(path: Path) -> Iterator[tuple[str, Any]]:
    documents = parse_yaml(read_file(path), where=repr(str(path)))
    rows = [one for each in documents for one in (each if isinstance(each, list) else [each])]
    for number, row in enumerate(rows, start=1):
        if row is not None:
            yield path.name if len(rows) == 1 else f"{path.name} entity {number}", row
