"""Long messages: an embedding reads about 200 words, so each theme gets one of its own (H40)."""

from __future__ import annotations

import re

LONG = 500  # words from which a message is split; shorter ones are embedded whole
THEME = 120  # words of a theme, at the ends of sentences
_SENTENCE = re.compile(r"[^.!?\n]*[.!?\n]*\s*")
_WORD = re.compile(r"\s*\S+\s*")


def themes(text: str) -> list[str]:
    """The message itself, or its parts in order; together the parts are the whole."""
    if len(text.split()) <= LONG:
        return [text]
    parts, words = [""], 0
    for sentence in _pieces(text):
        count = len(sentence.split())
        if words and words + count > THEME:
            parts, words = [*parts, ""], 0
        parts[-1] += sentence
        words += count
    return parts


def _pieces(text: str) -> list[str]:
    """Sentences, cut where one alone is longer than a theme."""
    out = []
    for sentence in _SENTENCE.findall(text):
        words = _WORD.findall(sentence)
        out += ["".join(words[at : at + THEME]) for at in range(0, len(words), THEME)]
    return out
