"""Characters and digits: a reply is plain letters and plain marks, and everything else is odd."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from handrail.rails.reply_contract.terms import Breach, Code

_LETTERS = {"en": "éïöçñ", "es": "áéíóúüñ"}
_MARKS = ".,;:?!¿¡'’‘\"“”«»()–—-…•% \n"
_MARKUP = frozenset("<>{}[]`\\|=*_#~^/&+$€£§°")
_BRACKETS = frozenset("<>{}`")
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})
_DIGITS = re.compile(r"\d[\d .,/-]*\d{2,}|\d{3,}|\d(?:[ ,.-]+\d+){2,}")
_ADDRESS = re.compile(r"[^\s@]*@[^\s@]*|\b\w+\.(?:com|org|net|example|io|app|es|info)\b|://")
_MIXED = re.compile(r"[^\W\d_]+\d+\w*|\d+[^\W\d_]\w*|[^\W\d_]*[a-zñ][A-ZÑ]\w*")
_STRETCHED = re.compile(r"(?i)[^\W\d_]*([^\W\d_])\1\1\w*")
_CHAIN = re.compile(r"[^\W_]+(?:[-–][^\W_]+){2,}")
_ALONE = {"en": "aiAI", "es": "aeouyAEOUY"}
_LETTER = re.compile(r"(?<![\w'’])[^\W\d_](?![\w'’])")


def odd_characters(text: str, language: str, chains: frozenset[str]) -> Iterator[Breach]:
    """What no reply needs: other letters, invisible signs, markup, disguised words."""
    special = _LETTERS.get(language, "")
    allowed = frozenset(_MARKS + special + special.upper())
    for at, character in enumerate(text):
        plain = character in allowed or (character.isascii() and character.isalnum())
        if not plain:
            yield Breach(_kind(character), at, at + 1)
    for pattern in (_MIXED, _STRETCHED):
        yield from (Breach("disguise", *match.span()) for match in pattern.finditer(text))
    for match in _CHAIN.finditer(text):
        if match[0].lower() not in chains:
            yield Breach("disguise", *match.span())
    for match in _LETTER.finditer(text):
        if match[0] not in _ALONE.get(language, ""):
            yield Breach("disguise", *match.span())


def contacts(text: str) -> Iterator[Breach]:
    """Addresses, and numbers longer than a rating."""
    for pattern in (_DIGITS, _ADDRESS):
        yield from (Breach("contact", *match.span()) for match in pattern.finditer(text))


def broken_out(text: str) -> Iterator[Breach]:
    """What may not stand even in the person's own words: signs that change what is around them."""
    for at, character in enumerate(text):
        hidden = unicodedata.category(character) in _HIDDEN and character != "\n"
        if hidden or character in _BRACKETS:
            yield Breach(_kind(character), at, at + 1)


def _kind(character: str) -> Code:
    if character == "@":
        return "contact"
    return "technical" if character in _MARKUP else "disguise"
