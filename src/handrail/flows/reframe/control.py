"""The control block of a model's turn, read field by field (A18, A59, A62).

Whatever a model writes there, each field that can be read is kept, and a warning is never lost.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from handrail.domain.text import canonical

PHASES = ("warmup", "clarify", "reframe", "summary", "followup", "closed")
FIELDS = ("situation", "thought", "emotion", "intensity")
MAX_QUESTIONS = 3
MAX_QUESTION_CHARS = 200
MAX_BALANCED_CHARS = 600
KEYS = (
    "next_phase",
    "missing_fields",
    "suggest_questions",
    "crisis_detected",
    "balanced_thought",
    "confidence_shift",
)

_TRUE = frozenset({"true", "yes", "y", "1", "on", "si", "sí"})
_WARNING = re.compile(
    r"crisis[\s_\\-]{0,4}detected[\s\"'\\]{0,6}[:=]{1,2}[\s\"'\\\[]{0,6}(?:true|yes|y|1|on|s[ií])\b",
    re.IGNORECASE,
)
_PIECE = re.compile(  # what is not closed runs to the end, so that nothing is read twice
    r"""
      "(?:[^"\\]|\\.?)*(?:"|\Z) | '(?:[^'\\]|\\.?)*(?:'|\Z)
    | //[^\n]* | /\*(?:[^*]|\*(?!/))*(?:\*/|\Z)
    | [A-Za-z_]+ | .
    """,
    re.DOTALL | re.VERBOSE,
)
_NAMES = {"true": "true", "false": "false", "null": "null", "none": "null"}
_LOOSE_PHASE = re.compile(r"next_phase[\s\"'\\]{0,6}[:=][\s\"'\\]{0,6}([A-Za-z]{1,12})")
_LOOSE_LIST = re.compile(
    r"(missing_fields|suggest_questions)[\s\"'\\]{0,6}[:=]\s{0,6}([^\]{}]{0,800})"
)
_LOOSE_STRING = re.compile(r"[\"']([^\"'\n]{1,200})[\"']")


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfidenceShift:
    """Confidence before and after, each 0 to 10; ``from`` and ``to`` in the block."""

    before: int
    after: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Control:
    """What a model says beside its text; a suggestion and nothing more, but for the warning."""

    next_phase: str | None = None
    missing_fields: tuple[str, ...] = ()
    suggest_questions: tuple[str, ...] = ()
    crisis_detected: bool = False
    balanced_thought: str | None = None
    confidence_shift: ConfidenceShift | None = None

    def to_json(self) -> dict[str, Any]:
        """The object of the block; the two fields that are optional stay out when empty."""
        body: dict[str, Any] = {
            "next_phase": self.next_phase,
            "missing_fields": list(self.missing_fields),
            "suggest_questions": list(self.suggest_questions),
            "crisis_detected": self.crisis_detected,
        }
        if self.balanced_thought is not None:
            body["balanced_thought"] = self.balanced_thought
        if shift := self.confidence_shift:
            body["confidence_shift"] = {"from": shift.before, "to": shift.after}
        return body


def warns(text: str) -> bool:
    """Whether ``crisis_detected`` is said to be true anywhere, however broken the rest is."""
    return _WARNING.search(text) is not None


def read_control(block: str) -> tuple[Control | None, tuple[str, ...]]:
    """The control in a block and the faults on the way; None when no field could be read."""
    body, faults = _body(block)
    if not any(key in body for key in KEYS):
        return None, ("control-unreadable",)
    faults += tuple(f"bad-{name}" for name in _bad(body))
    return (
        Control(
            next_phase=_phase(body.get("next_phase")),
            missing_fields=_fields(body.get("missing_fields")),
            suggest_questions=_questions(body.get("suggest_questions")),
            crisis_detected=_true(body.get("crisis_detected")),
            balanced_thought=_balanced(body.get("balanced_thought")),
            confidence_shift=_shift(body.get("confidence_shift")),
        ),
        faults,
    )


def _body(block: str) -> tuple[Mapping[str, Any], tuple[str, ...]]:
    """The object in a block: as JSON, as JSON once mended, or what can be picked out of it."""
    start, end = block.find("{"), block.rfind("}")
    inner = block[start : end + 1] if 0 <= start < end else block[max(start, 0) :] + "}"
    body = _object(inner)
    if body is not None:
        return body, ()
    body = _object("".join(_mended(inner)))
    if body is not None:
        return body, ("control-mended",)
    return _picked(block), ("control-broken",)


def _object(text: str) -> Mapping[str, Any] | None:
    try:
        body = json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return None
    return body if isinstance(body, dict) else None


def _mended(text: str) -> Iterator[str]:
    """The pieces of JSON that somebody wrote as a program: comments, quotes, commas, names."""
    comma = False
    for match in _PIECE.finditer(text):
        piece = match[0]
        if piece.isspace() or piece.startswith(("//", "/*")):
            continue
        if comma and piece not in "}]":
            yield ","
        comma = piece == ","
        if not comma:
            yield _as_json(piece)


def _as_json(piece: str) -> str:
    if piece[0] == "'" and len(piece) > 1:
        return json.dumps(piece[1:-1].replace("\\'", "'"))
    if piece[0].isalpha() or piece[0] == "_":
        return _NAMES.get(piece.lower(), json.dumps(piece))
    return piece


def _picked(block: str) -> dict[str, Any]:
    """The fields that can be told apart without any grammar."""
    body: dict[str, Any] = {}
    if match := _LOOSE_PHASE.search(block):
        body["next_phase"] = match[1]
    for name, rest in _LOOSE_LIST.findall(block):
        body.setdefault(name, _LOOSE_STRING.findall(rest))
    if warns(block):
        body["crisis_detected"] = True
    return body


def _bad(body: Mapping[str, Any]) -> Iterator[str]:
    """The fields that were written and say nothing, or less than they say."""
    if body.get("next_phase") is not None and _phase(body["next_phase"]) is None:
        yield "next_phase"
    for name, read in (("missing_fields", _fields), ("suggest_questions", _questions)):
        given = _listed(body.get(name))
        if len(read(given)) != len(given) or not isinstance(body.get(name, []), list):
            yield name


def _phase(value: object) -> str | None:
    name = value.strip().lower() if isinstance(value, str) else ""
    return name if name in PHASES else None


def _listed(value: object) -> list[object]:
    if isinstance(value, list):
        return value
    return [] if value is None else [value]


def _texts(value: object) -> Iterator[str]:
    yield from (canonical(each) for each in _listed(value) if isinstance(each, str))


def _fields(value: object) -> tuple[str, ...]:
    named = (text.lower() for text in _texts(value))
    return tuple(dict.fromkeys(name for name in named if name in FIELDS))


def _questions(value: object) -> tuple[str, ...]:
    fitting = [text for text in _texts(value) if 0 < len(text) <= MAX_QUESTION_CHARS]
    return tuple(dict.fromkeys(fitting))[:MAX_QUESTIONS]


def _true(value: object) -> bool:
    return value is True or (
        isinstance(value, str | int | float)
        and str(value).strip().lower().removesuffix(".0") in _TRUE
    )


def _balanced(value: object) -> str | None:
    text = canonical(value) if isinstance(value, str) else ""
    return text if 0 < len(text) <= MAX_BALANCED_CHARS else None


def _shift(value: object) -> ConfidenceShift | None:
    if not isinstance(value, Mapping):
        return None
    before, after = _rating(value.get("from")), _rating(value.get("to"))
    if before is None or after is None:
        return None
    return ConfidenceShift(before=before, after=after)


def _rating(value: object) -> int | None:
    if isinstance(value, str) and value.strip().isdecimal() and len(value.strip()) <= 2:
        value = int(value)
    whole = isinstance(value, int) and not isinstance(value, bool)
    return value if whole and isinstance(value, int) and 0 <= value <= 10 else None
