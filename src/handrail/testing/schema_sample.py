"""Answers computed from a chat request: one that cites what was shown, one that forges."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

FORGED_ID = "0" * 16  # has the form of an id, and belongs to nothing
FORGED_NUMBER = 99_999


def choose(request: dict[str, Any]) -> str:
    """A reply that fits the request's schema; lists of references cite the first one shown."""
    shown = list(_objects(_json_in(request["messages"][-1]["content"])))
    return json.dumps(_Sampler(_schema(request), shown).sample())


def forge(request: dict[str, Any]) -> str:
    """A reply that fits the schema, in which each reference names something never shown."""
    return json.dumps(_Sampler(_schema(request), []).sample())


def _schema(request: dict[str, Any]) -> dict[str, Any]:
    """The schema of the response format, else the one that ends the instructions."""
    form = request.get("response_format", {})
    if form.get("type") == "json_schema":
        schema: dict[str, Any] = form["json_schema"]["schema"]
        return schema
    found: dict[str, Any] = json.loads(request["messages"][0]["content"].splitlines()[-1])
    return found


def _json_in(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None


def _objects(value: Any) -> Iterator[dict[str, Any]]:
    """Every object within a JSON value, in reading order."""
    if isinstance(value, dict):
        yield value
    children = value.values() if isinstance(value, dict) else value
    for child in children if isinstance(value, dict | list) else ():
        yield from _objects(child)


@dataclass(frozen=True, slots=True)
class _Sampler:
    """Builds one instance of a schema: first label, one element a list, references from shown."""

    root: dict[str, Any]
    shown: list[dict[str, Any]]

    def sample(self) -> Any:
        return self._of(self.root)

    def _of(self, schema: dict[str, Any]) -> Any:
        if "$ref" in schema:
            return self._of(self.root["$defs"][schema["$ref"].rsplit("/", 1)[-1]])
        if "anyOf" in schema:
            return self._of(schema["anyOf"][0])
        if "const" in schema:
            return schema["const"]
        if "enum" in schema:
            return schema["enum"][0]
        return self._typed(schema)

    def _typed(self, schema: dict[str, Any]) -> Any:
        match schema["type"]:
            case "object":
                return self._object(schema["properties"])
            case "array":
                return [self._of(schema["items"]) for _ in range(max(1, schema.get("minItems", 0)))]
            case "integer" | "number":
                return schema.get("maximum", FORGED_NUMBER)
            case "string":
                return FORGED_ID
            case kind:
                return {"boolean": False, "null": None}[kind]

    def _object(self, properties: dict[str, Any]) -> dict[str, Any]:
        for candidate in self.shown:
            if properties.keys() <= candidate.keys():
                return {name: candidate[name] for name in properties}
        return {name: self._of(schema) for name, schema in properties.items()}
