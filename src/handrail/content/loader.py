"""Read packaged content: YAML checked against a schema, hashed as a whole."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import BaseModel, ValidationError

from handrail.errors import ContentInvalid

Schema = TypeVar("Schema", bound=BaseModel)

ROOT = Path(str(resources.files("handrail.content")))
_HASHED = ("*.yaml",)
_WIDTH = 96  # of a written line


class _StrictLoader(yaml.CSafeLoader):
    """Safe YAML in which a key may occur once: by default the last of two silently wins."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        keys = [key.value for key, _ in node.value if isinstance(key, yaml.ScalarNode)]
        if len(set(keys)) != len(keys):
            twice = next(key for key in keys if keys.count(key) > 1)
            raise yaml.constructor.ConstructorError(
                "while reading a mapping",
                node.start_mark,
                f"found {twice!r} twice",
                node.start_mark,
            )
        return super().construct_mapping(node, deep=deep)


def read_yaml(name: str) -> Any:
    """The parsed file ``name`` (relative to the content folder); raises `ContentInvalid`."""
    try:
        text = (ROOT / name).read_text(encoding="utf-8")
        return yaml.load(text, Loader=_StrictLoader)  # noqa: S506  a safe loader
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise ContentInvalid(f"content file {name!r} cannot be read: {_reason(error)}") from error


def parse_yaml(text: str, *, where: str) -> list[Any]:
    """Every document of a text that an author wrote; raises `ContentInvalid` naming ``where``."""
    try:
        return list(yaml.load_all(text, Loader=_StrictLoader))
    except yaml.YAMLError as error:
        problem = getattr(error, "problem", None) or "it is no YAML"
        raise ContentInvalid(f"{where}: {problem}{_line(error)}") from error


def write_yaml(values: dict[str, Any]) -> str:
    """One document in the order of the keys, as an author would write it."""
    text: str = yaml.safe_dump(values, sort_keys=False, allow_unicode=True, width=_WIDTH)
    return text


def _reason(error: Exception) -> str:
    """The kind of error, and the line where there is one; never what stands on it."""
    return f"{type(error).__name__}{_line(error)}"


def _line(error: Exception) -> str:
    mark = getattr(error, "problem_mark", None)
    return f" at line {mark.line + 1}" if mark else ""


def load(name: str, schema: type[Schema]) -> Schema:
    """The file ``name`` as ``schema``; raises `ContentInvalid` with the place of each problem."""
    try:
        return schema.model_validate(read_yaml(name))
    except ValidationError as error:
        places = "; ".join(
            f"{'.'.join(str(part) for part in item['loc']) or 'the file'}: {item['msg']}"
            for item in error.errors()[:5]
        )
        raise ContentInvalid(f"content file {name!r}: {places}") from error


@cache
def content_hash() -> str:
    """SHA-256 over every YAML file of the content folder, by path and bytes."""
    sha = hashlib.sha256()
    for path in sorted(p for pattern in _HASHED for p in ROOT.rglob(pattern)):
        body = path.read_bytes()
        sha.update(f"{path.relative_to(ROOT).as_posix()}:{len(body)}:".encode())
        sha.update(body)
    return sha.hexdigest()


def corpora(name: str) -> list[Path]:
    """The files of the packaged corpus ``name``, in order; empty when there is none."""
    return sorted((ROOT / "corpora").glob(f"{name}*.ndjson"))
