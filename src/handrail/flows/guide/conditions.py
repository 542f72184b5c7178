"""State conditions: a small closed language over the fields that a caller may send (H12, H37).

``{field: value}`` asks for that value, a list for any of its values, an object for all of its
comparisons: eq, gte, lte, gt, lt, in, also with a leading dollar sign. All fields must hold;
``any`` holds a list of conditions of which one must hold. A field that is absent or null holds
nothing, and one of a wrong type counts as absent.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from operator import eq, ge, gt, le, lt
from types import MappingProxyType
from typing import Any

from handrail.errors import ContentInvalid

_COMPARED: Mapping[str, Callable[[Any, Any], bool]] = {
    "eq": eq,
    "gte": ge,
    "lte": le,
    "gt": gt,
    "lt": lt,
}
_NUMBERS = frozenset({"gte", "lte", "gt", "lt"})
ANY = "any"
MAX_DEPTH = 4
MAX_NUMBER = 2**53  # which every JSON can hold
MAX_TEXT = 100
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.:-]{0,99}")  # a receipt holds it, and no text

FIELDS: Mapping[str, str] = MappingProxyType(
    {
        "is_first_conversation": "bool",
        "conversation_count": "int",
        "days_since_last": "number",
        "last_rating": "number",
        "user_type": "user_type",
        "has_pending_debrief": "bool",
        "session_type": "string",
    }
)
USER_TYPES = frozenset({"PARENT", "CLINICIAN", "PROFESSIONAL"})


@dataclass(frozen=True, slots=True)
class State:
    """What is known of the user: present values of the declared types, and what was set aside."""

    values: Mapping[str, object] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()

    @classmethod
    def read(cls, given: Mapping[str, object]) -> State:
        """The state of a request; null means absent, wrong types and unknown fields are told."""
        kept: dict[str, object] = {}
        told = []
        for name in sorted(given, key=str):
            value = given[name]
            if name not in FIELDS:
                told.append(f"user_state.{_plain(name)} is not known and was not used")
            elif value is not None and not _fits(FIELDS[name], value):
                told.append(f"user_state.{name} is not {_WANTED[FIELDS[name]]} and was not used")
            elif value is not None:
                kept[name] = value
        return cls(kept, tuple(told))


_WANTED = {
    "bool": "true or false",
    "int": "a whole number",
    "number": "a number",
    "user_type": "PARENT, CLINICIAN or PROFESSIONAL",
    "string": "a short name",
}


def _plain(name: object) -> str:
    """A field's name as a warning can show it."""
    text = str(name)
    return text if len(text) <= MAX_TEXT and text.isprintable() else ascii(text)[:MAX_TEXT]


def _fits(kind: str, value: object) -> bool:
    match kind:
        case "bool":
            return isinstance(value, bool)
        case "int":
            return isinstance(value, int) and _is_number(value)
        case "number":
            return _is_number(value)
        case "user_type":
            return isinstance(value, str) and value in USER_TYPES
        case _:
            return isinstance(value, str) and _NAME.fullmatch(value) is not None


@dataclass(frozen=True, slots=True)
class Condition:
    """A checked condition; where no field is present, none holds."""

    tests: tuple[tuple[str, str, object], ...]
    ways: tuple[Condition, ...] = ()

    @classmethod
    def read(cls, given: Mapping[str, object], *, where: str) -> Condition:
        """Raises `ContentInvalid`, naming ``where``, for what the language does not know."""
        return _read(given, where, 1)

    def holds(self, state: Mapping[str, object]) -> bool:
        """Whether the present values meet every test, and one of the ways if there are any."""
        for name, sign, wanted in self.tests:  # hundreds of conditions are asked at once
            if not _meets(state.get(name), sign, wanted):
                return False
        return not self.ways or any(way.holds(state) for way in self.ways)


def _meets(value: object, sign: str, wanted: Any) -> bool:
    if value is None:
        return False
    if sign == "in":
        return any(_same(value, one) for one in wanted)
    if sign == "eq":
        return _same(value, wanted)
    return _is_number(value) and _COMPARED[sign](value, wanted)


def _same(value: object, wanted: object) -> bool:
    """Equality in which true is not 1."""
    return isinstance(value, bool) is isinstance(wanted, bool) and value == wanted


def _is_number(value: object) -> bool:
    plain = isinstance(value, int | float) and not isinstance(value, bool)
    return plain and -MAX_NUMBER <= value <= MAX_NUMBER  # type: ignore[operator]


def _read(given: Mapping[str, object], where: str, depth: int) -> Condition:
    if not isinstance(given, Mapping) or not given:
        raise ContentInvalid(f"{where}: a condition is an object with at least one field")
    if depth > MAX_DEPTH:
        raise ContentInvalid(f"{where}: conditions may be nested {MAX_DEPTH} deep")
    tests: list[tuple[str, str, object]] = []
    ways: tuple[Condition, ...] = ()
    for name in sorted(given, key=str):
        if name == ANY:
            ways = _ways(given[name], where, depth)
        elif name not in FIELDS:
            raise ContentInvalid(f"{where}: {name!r} is no field of a state. Use {_listed()}")
        else:
            tests += [(name, sign, wanted) for sign, wanted in _tests(name, given[name], where)]
    return Condition(tuple(tests), ways)


def _ways(given: object, where: str, depth: int) -> tuple[Condition, ...]:
    if not isinstance(given, list | tuple) or not given:
        raise ContentInvalid(f"{where}: 'any' holds a list of conditions")
    return tuple(_read(one, where, depth + 1) for one in given)


def _tests(name: str, given: object, where: str) -> Sequence[tuple[str, object]]:
    if isinstance(given, Mapping):
        if not given:
            raise ContentInvalid(f"{where}: {name!r} compares with nothing")
        return [_compared(name, str(key).removeprefix("$"), given[key], where) for key in given]
    if isinstance(given, list | tuple):
        return [_compared(name, "in", given, where)]
    return [_compared(name, "eq", given, where)]


def _compared(name: str, sign: str, wanted: object, where: str) -> tuple[str, object]:
    if sign == "in":
        if not isinstance(wanted, list | tuple) or not wanted:
            raise ContentInvalid(f"{where}: {name!r} needs a list of values")
        for one in wanted:
            _require_fit(name, one, where)
        return sign, tuple(wanted)
    if sign not in _COMPARED:
        raise ContentInvalid(f"{where}: {sign!r} is no comparison. Use eq, gte, lte, gt, lt or in")
    if sign in _NUMBERS and FIELDS[name] not in ("int", "number"):
        raise ContentInvalid(f"{where}: {name!r} is no number, which {sign!r} compares")
    _require_fit(name, wanted, where, loose=sign in _NUMBERS)
    return sign, wanted


def _require_fit(name: str, wanted: object, where: str, *, loose: bool = False) -> None:
    kind = "number" if loose else FIELDS[name]
    if wanted is None or not _fits(kind, wanted):
        raise ContentInvalid(f"{where}: {name!r} is compared with what is not {_WANTED[kind]}")


def _listed() -> str:
    return ", ".join(FIELDS)
