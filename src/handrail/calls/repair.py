"""From a model's text to a checked value: tolerant of wrapping, strict about content.

Prose and code fences around the object are skipped. Nothing is executed, completed, coerced or
guessed: an object that is not exactly what was asked for is an error with a code.
"""

from __future__ import annotations

import json
import math
from typing import Any, NoReturn, TypeVar

from pydantic import BaseModel, ValidationError

from handrail.calls.failure import CallFailed, Failure

MAX_REPLY_CHARS = 32_768  # some thirteen times the 600 tokens that a skill asks for by default

O = TypeVar("O", bound=BaseModel)  # noqa: E741  the letter that Skill[I, O] uses


def read(text: str, output: type[O], *, limit: int = MAX_REPLY_CHARS) -> O:
    """The first JSON object of ``text`` as an ``output``; raises `CallFailed`.

    Text past ``limit`` code points is never looked at; the cost is linear in what is.
    """
    found = first_object(text[:limit])
    try:
        return output.model_validate_json(json.dumps(found), strict=True)
    except (ValidationError, RecursionError, ValueError):
        raise CallFailed(Failure.SCHEMA) from None  # pydantic's message quotes the input


def first_object(text: str) -> dict[str, Any]:
    """The object that starts at the first ``{``; one that is an element of a list is refused."""
    start = text.find("{")
    if start < 0 or text[:start].rstrip().endswith("["):
        raise CallFailed(Failure.NO_OBJECT)
    found: dict[str, Any]
    try:
        found, _ = _DECODER.raw_decode(text, start)
    except (ValueError, RecursionError):
        raise CallFailed(Failure.MALFORMED) from None
    return found


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise CallFailed(Failure.DUPLICATE_KEY)
    return fields


def _finite(literal: str) -> float:
    number = float(literal)
    if not math.isfinite(number):
        raise CallFailed(Failure.NOT_FINITE)
    return number


def _refuse_constant(_literal: str) -> NoReturn:
    raise CallFailed(Failure.NOT_FINITE)


_DECODER = json.JSONDecoder(
    object_pairs_hook=_distinct, parse_float=_finite, parse_constant=_refuse_constant
)
