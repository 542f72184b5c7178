"""Twelve ways in which people, phones and filters disguise a sentence without changing it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

_HOMOGLYPHS = str.maketrans("aeiopcxyAEIOPC", "аеіорсхуАЕІОРС")
_LEET = str.maketrans("aeios", "4310$")
_SHORTEST_TYPO = 4


def _each_word(change: Callable[[str], str]) -> Callable[[str], str]:
    return lambda text: " ".join(change(word) for word in text.split(" "))


def _typo(text: str) -> str:
    """The second and third letter of the longest word, changed round."""
    words = text.split(" ")
    at = max(range(len(words)), key=lambda n: len(words[n]))
    word = words[at]
    if len(word) >= _SHORTEST_TYPO:
        words[at] = word[0] + word[2] + word[1] + word[3:]
    return " ".join(words)


def _long_vowels(word: str) -> str:
    return word + word[-1] * 3 if word[-1:].isalpha() else word


MUTATIONS: Mapping[str, Callable[[str], str]] = {
    "upper case": str.upper,
    "zero-width": lambda text: "\u200b".join(text),
    "curly apostrophe": lambda text: text.replace("'", "\u2019"),
    "no apostrophe": lambda text: text.replace("'", ""),
    "homoglyph": lambda text: text.translate(_HOMOGLYPHS),
    "leet": lambda text: text.translate(_LEET),
    "repeated letter": _each_word(_long_vowels),
    "spaced letters": lambda text: "  ".join(" ".join(word) for word in text.split(" ")),
    "emoji": lambda text: text.replace(" ", " \U0001f622 "),
    "line break": lambda text: text.replace(" ", "\n"),
    "full width": lambda text: "".join(
        chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in text
    ),
    "typo": _typo,
}
