"""Trigger patterns: plain phrases become safe expressions, raw ones are bounded (H24, H36).

A phrase is words. A star ends a stem (``threaten*``), ``(a b|c)`` is a choice, a question mark
makes the word or choice before it optional, and ``...`` stands for up to three words. A missing
apostrophe costs nothing. A match stays inside a sentence and begins and ends with a word.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from handrail.domain.entity import Entity, Trigger
from handrail.domain.text import Span
from handrail.errors import ContentInvalid
from handrail.flows.guide.text import normal
from handrail.ports import PatternEngine, PatternSet

_SIGN = re.compile(r"\.\.\.|[^\W_]+(?:'[^\W_]+)*\*?|[(|)?]")
_GLUED = re.compile(r"[^\W_]\(|[)?*][^\W_]")
_NOTHING = ("", "a b")  # in the second there are edges of words, which have no length either
_BETWEEN = r"""[ \n,;:"()&]+"""
_LETTERS = r"[^\W_]*"
_ANY_WORDS = rf"(?:[^\s.!?,;:]+{_BETWEEN}){{0,3}}?"


@dataclass(frozen=True, slots=True)
class TriggerHit:
    """One match: whose trigger, which of its triggers, where, and whether it is for safety."""

    entity_id: str
    trigger: int
    span: Span
    safety_critical: bool


@dataclass(frozen=True, slots=True)
class _Owner:
    entity_id: str
    trigger: int
    safety_critical: bool


class Triggers:
    """The trigger patterns of many entities, compiled once; matching takes linear time."""

    def __init__(self, entities: Sequence[Entity], engine: PatternEngine) -> None:
        owned = [
            (entity, at, one)
            for entity in entities
            for at, one in enumerate(entity.trigger_patterns)
        ]
        self._owners = [
            _Owner(entity.entity_id, at, _is_critical(entity, one)) for entity, at, one in owned
        ]
        self._patterns: PatternSet = engine.compile(
            [expression(one, where=entity.entity_id) for entity, _, one in owned]
        )
        found = (hit for text in _NOTHING for hit in self._patterns.scan(text))
        if idle := {self._owners[hit.pattern].entity_id for hit in found if hit.start == hit.end}:
            raise ContentInvalid(f"a trigger of {sorted(idle)[0]!r} matches where nothing is said")

    def scan(self, text: str) -> list[TriggerHit]:
        """Every match in a normal text, in order."""
        if not self._owners:
            return []
        return [
            TriggerHit(
                owner.entity_id, owner.trigger, Span(hit.start, hit.end), owner.safety_critical
            )
            for hit in self._patterns.scan(text)
            for owner in (self._owners[hit.pattern],)
        ]


def _is_critical(entity: Entity, trigger: Trigger) -> bool:
    own = trigger.safety_critical
    return entity.safety_critical if own is None else own


def expression(trigger: Trigger, *, where: str) -> str:
    """The trigger in RE2 syntax, for normal text; raises `ContentInvalid`."""
    if trigger.regex is not None:
        return f"(?i){trigger.regex}"
    return _of_phrase(normal(trigger.phrase or ""), where)


def _of_phrase(phrase: str, where: str) -> str:
    signs = _SIGN.findall(phrase)
    if "".join(signs).replace(" ", "") != re.sub(r"[\s,]", "", phrase) or not signs:
        raise ContentInvalid(f"{where}: the phrase {phrase!r} holds signs that no phrase has")
    if not any(sign[0].isalnum() for sign in signs):
        raise ContentInvalid(f"{where}: the phrase {phrase!r} has no word")
    if glued := _GLUED.search(phrase):
        raise ContentInvalid(f"{where}: put a space into {glued[0]!r} of the phrase {phrase!r}")
    return rf"\b{_sequence(_Signs(signs, phrase, where))}"


class _Signs:
    """The signs of one phrase, read from left to right."""

    def __init__(self, signs: Sequence[str], phrase: str, where: str) -> None:
        self._signs, self._at = signs, 0
        self._phrase, self._where = phrase, where

    def next(self) -> str | None:
        return self._signs[self._at] if self._at < len(self._signs) else None

    def take(self) -> str:
        self._at += 1
        return self._signs[self._at - 1]

    def broken(self) -> ContentInvalid:
        return ContentInvalid(
            f"{self._where}: in {self._phrase!r} brackets do not pair, or hold nothing that must be"
        )


def _sequence(signs: _Signs) -> str:
    made = _choice(signs, inner=False)
    if signs.next() is not None:
        raise signs.broken()
    return made


def _choice(signs: _Signs, *, inner: bool) -> str:
    ways = [_row(signs)]
    while signs.next() == "|":
        signs.take()
        ways.append(_row(signs))
    if (signs.next() == ")") is not inner:
        raise signs.broken()
    if inner:
        signs.take()
    if not all(ways):
        raise signs.broken()
    return ways[0] if len(ways) == 1 else f"(?:{'|'.join(ways)})"


def _row(signs: _Signs) -> str:
    """Items in a row; the separators stand before every item but the first firm one."""
    made = ""
    waiting = ""  # optional items that have come before the first firm one
    gap = ""
    while (sign := signs.next()) not in (None, "|", ")"):
        signs.take()
        if sign == "...":
            gap += _ANY_WORDS
            continue
        if sign == "?":
            raise signs.broken()
        item = _choice(signs, inner=True) if sign == "(" else _word(sign or "")
        optional = signs.next() == "?"
        if optional:
            signs.take()
        if made:
            joined = f"{_BETWEEN}{gap}{item}"
            made += f"(?:{joined})?" if optional else joined
        elif optional:
            waiting += f"(?:{item}{_BETWEEN})?"
        else:
            made = f"{waiting}{item}"
        gap = ""
    return made


def _word(sign: str) -> str:
    stem = sign.endswith("*")
    letters = re.escape(sign.rstrip("*")).replace("'", "'?")
    return rf"{letters}{_LETTERS}\b" if stem else rf"{letters}\b"
