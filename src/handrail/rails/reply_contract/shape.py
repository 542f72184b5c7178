"""The outer shape of a reply: how long, how laid out, whether it is language at all."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from handrail.rails.crisis.folding import fold
from handrail.rails.reply_contract.own_words import quotes
from handrail.rails.reply_contract.sentences import sentences, words
from handrail.rails.reply_contract.terms import Breach, Terms

_LONGEST_WORD = 30
_FEWEST_WORDS = 4
_MOST_REPEATED = 6
_MOST_BULLETS = 3
_CAPITALS = re.compile(r"\b[A-ZÁÉÍÓÚÜÑ]{3,}\b")
_NAMES = frozenset({"AURA"})
_BULLET = re.compile(r"(?m)^[ \t]*(?:[•–—-]|\(?\d{1,2}[.)]|\(?[a-z]\))[ \t]*")
_INLINE = re.compile(r"(?<!\S)\(?(?:\d{1,2}|[a-z])[.)][ \t]+\S")
_ENDS = (".", "?", "!", "…", "”", "»", '"')
_PAIRS = (("“", "”"), ("«", "»"), ("(", ")"))
_VOWELS = frozenset("aeiouy")
_CONSONANTS = re.compile(r"[^aeiouy\W\d_]{6,}")


def length(text: str, terms: Terms) -> Iterator[Breach]:
    """Words of the whole, of a sentence and of a quotation."""
    if len(words(text)) > terms.words:
        yield Breach("too-many-words", 0, len(text))
    for start, end, _ in sentences(text):
        if len(words(text[start:end])) > terms.sentence_words:
            yield Breach("balanced-too-long", start, end)
    for start, end in quotes(text):
        if len(words(text[start:end])) > terms.balanced_words:
            yield Breach("balanced-too-long", start, end)


def lists(text: str, terms: Terms) -> Iterator[Breach]:
    """Lines that begin like points of a list, and points within a line."""
    points = list(_BULLET.finditer(text))
    plain = [point for point in points if point[0].strip() == "•"]
    if not terms.bullets or len(plain) < len(points) or len(points) > _MOST_BULLETS:
        yield from (Breach("naked-list", *point.span()) for point in points)
    inline = [*_INLINE.finditer(text)]
    if inline or text.count("•") > len(plain):
        yield Breach("naked-list", 0, len(text))


def unfinished(text: str) -> Iterator[Breach]:
    """No mark at the end, or marks without their pair."""
    whole = text.rstrip()
    odd = any(whole.count(first) != whole.count(last) for first, last in _PAIRS)
    if odd or whole.count('"') % 2 or not whole.endswith(_ENDS):
        yield Breach("unfinished", 0, len(text))


def gibberish(text: str, small: frozenset[str]) -> Iterator[Breach]:
    """Hardly a word, one word over and over, shouting, or no words at all."""
    said = words(text)
    counts = Counter(fold(word)[0].replace("'", "") for word in said)
    worn = any(
        count > _MOST_REPEATED * (1 if word not in small else 3) for word, count in counts.items()
    )
    same = Counter(text[start:end].strip().lower() for start, end, _ in sentences(text))
    loud = [word for word in _CAPITALS.findall(text) if word not in _NAMES]
    odd = any(len(word) > _LONGEST_WORD or _unspeakable(word) for word in said)
    if len(said) < _FEWEST_WORDS or worn or loud or odd or max(same.values(), default=0) > 1:
        yield Breach("gibberish", 0, len(text))


def _unspeakable(word: str) -> bool:
    plain = fold(word)[0].replace("'", "")
    return (len(plain) > 3 and _VOWELS.isdisjoint(plain)) or bool(_CONSONANTS.search(plain))
