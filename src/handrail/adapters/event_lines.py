"""Events as lines of JSON, so that every log gives back the same values."""

from __future__ import annotations

import json
from collections.abc import Mapping
from math import isfinite

from handrail.errors import InvalidInput


def to_line(event: Mapping[str, object]) -> tuple[float, str]:
    """Time and line of an event; raises `InvalidInput` without ``at`` or for what is no JSON.

    The line is ASCII: what a database takes for a control character stays an escape.
    """
    at = event.get("at")
    if isinstance(at, bool) or not isinstance(at, int | float) or not isfinite(at):
        raise InvalidInput("an event needs 'at', finite seconds since the epoch")
    try:
        return float(at), json.dumps(dict(event), separators=(",", ":"), allow_nan=False)
    except (TypeError, ValueError):  # the vendor's message would repeat the value
        raise InvalidInput("an event holds what JSON cannot. Give it plain values") from None


def from_line(line: str) -> Mapping[str, object]:
    """The event of a line."""
    event: Mapping[str, object] = json.loads(line)
    return event
