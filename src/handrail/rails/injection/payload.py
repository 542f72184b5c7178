"""Text that is hidden inside a text: encoded, reversed, or written in invisible characters."""

from __future__ import annotations

import base64
import binascii
import codecs
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from urllib.parse import unquote

from handrail.domain.text import Span
from handrail.ports import PatternEngine

_TAG_BLOCK = 0xE0000  # Unicode's invisible copies of ASCII
_READABLE = 0.9  # share of letters and spaces from which bytes are taken for a text
_HEX_MARKS = re.compile(r"[ :,]")


@dataclass(frozen=True, slots=True)
class Payload:
    """What was hidden, how, and where it stood."""

    how: str
    text: str
    span: Span


class Payloads:
    """Finds hidden texts and decodes each once; linear in the text."""

    def __init__(self, engine: PatternEngine) -> None:
        self._patterns = engine.compile([pattern for _, pattern, _ in _HIDDEN])

    def of(self, text: str) -> Iterator[Payload]:
        """Every hidden text; one that is announced (rot13, reversed) is read once over all."""
        announced: set[str] = set()
        for hit in self._patterns.scan(text):
            how, _, decode = _HIDDEN[hit.pattern]
            if how in _ANNOUNCED:
                if how not in announced:
                    announced.add(how)
                    yield Payload(how, _ANNOUNCED[how](text), Span(0, len(text)))
            elif plain := decode(text[hit.start : hit.end]):
                yield Payload(how, plain, Span(hit.start, hit.end))


def _from_base64(token: str) -> str | None:
    body = token.rstrip("=").replace("-", "+").replace("_", "/")
    body = body[:-1] if len(body) % 4 == 1 else body
    try:
        return _text(base64.b64decode(body + "=" * (-len(body) % 4), validate=True))
    except (binascii.Error, ValueError):
        return None


def _from_hex(token: str) -> str | None:
    try:
        return _text(bytes.fromhex(_HEX_MARKS.sub("", token)))
    except ValueError:
        return None


def _text(raw: bytes) -> str | None:
    text = raw.decode("utf-8", "ignore")
    readable = sum(character.isalpha() or character.isspace() for character in text)
    return text if text and readable >= _READABLE * len(raw) else None


def _from_tags(token: str) -> str:
    return "".join(chr(ord(character) - _TAG_BLOCK) for character in token)


def _rotated(text: str) -> str:
    return codecs.encode(text, "rot13")


def _reversed(text: str) -> str:
    return text[::-1]


_ANNOUNCED: dict[str, Callable[[str], str]] = {"rot13": _rotated, "reversed": _reversed}
_HIDDEN: tuple[tuple[str, str, Callable[[str], str | None]], ...] = (
    ("base64", r"[A-Za-z0-9+/_-]{20,}={0,2}", _from_base64),
    ("hex", r"(?:[0-9A-Fa-f]{2}[ :,]?){10,}", _from_hex),
    ("percent", r"(?:[\w.+-]*%[0-9A-Fa-f]{2}){3,}[\w.+-]*", unquote),
    ("tags", r"[\x{E0020}-\x{E007E}]{4,}", _from_tags),
    ("rot13", r"(?i)\brot[ -]?13\b|\bc[ae]+sar\b", _rotated),
    (
        "reversed",
        r"(?i)\brevers|\bbackward|\bright[ -]to[ -]left\b|\bal rev[eé]s\b|\bderecha a izquierda\b",
        _reversed,
    ),
)
