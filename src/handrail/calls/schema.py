"""The JSON schema of a skill's output, in the strict form that servers can enforce (C27)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from typing import Any

from pydantic import BaseModel

_NOISE = ("title", "default")


def strict_schema(output: type[BaseModel]) -> dict[str, Any]:
    """A fresh JSON schema in which each object lists all its keys and allows no other.

    Raises `TypeError` for a model that accepts unknown keys: what nobody checks may not come back.
    """
    fresh: dict[str, Any] = json.loads(_build(output))
    return fresh


@cache
def _build(output: type[BaseModel]) -> str:
    schema = output.model_json_schema()
    if schema.get("type") != "object":
        raise TypeError(f"{output.__name__} must be an object at the top, not a root model")
    for node in _schemas(schema):
        for noise in _NOISE:
            node.pop(noise, None)
        if node.get("type") == "object":
            _close(node, output)
    return json.dumps(schema)


def _close(node: dict[str, Any], output: type[BaseModel]) -> None:
    if node.get("additionalProperties") is not False:
        raise TypeError(f"{output.__name__} and all it holds need ConfigDict(extra='forbid')")
    node["required"] = list(node.get("properties", {}))


def _schemas(node: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Each schema in ``node``, itself first; property names are never taken for keywords."""
    yield node
    named = [*node.get("properties", {}).values(), *node.get("$defs", {}).values()]
    listed = [s for key in ("anyOf", "oneOf", "allOf", "prefixItems") for s in node.get(key, [])]
    items = [node["items"]] if isinstance(node.get("items"), dict) else []
    for child in (*named, *listed, *items):
        yield from _schemas(child)
