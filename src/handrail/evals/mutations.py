"""Ways in which people, phones and filters disguise a sentence without changing what it says.

Each is a pure function of the text. `MUTATIONS` are the twelve that the published retention counts;
`FURTHER` ones are measured beside them.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping
from typing import TypeAlias

Mutation: TypeAlias = Callable[[str], str]

_HOMOGLYPHS = str.maketrans("aeiopcxyAEIOPC", "аеіорсхуАЕІОРС")
_LEET = str.maketrans("aeios", "4310$")
_FULL_WIDTH = {code: code + 0xFEE0 for code in range(ord("!"), ord("~") + 1)}
_SHORTEST_TYPO = 4
_REPEATS = 3
_ZERO_WIDTH_SPACE = "\u200b"
_SOFT_HYPHEN = "\u00ad"
_CRYING = "\U0001f622"
_ACUTE, _GRAVE, _DIAERESIS = "\u0301", "\u0300", "\u0308"  # a tilde makes another letter: ñ


def disguised(text: str) -> Mapping[str, str]:
    """``text`` under each mutation that changes it and leaves something to read, by name."""
    known = MUTATIONS | FURTHER
    changed = {name: mutate(text) for name, mutate in known.items()}
    return {name: said for name, said in changed.items() if said != text and said.strip()}


def _each_word(change: Mutation) -> Mutation:
    return lambda text: " ".join(change(word) for word in text.split(" "))


def _longest_word(change: Mutation) -> Mutation:
    """Apply ``change`` to the first of the longest words, if it has a middle to hide a slip in."""

    def mutate(text: str) -> str:
        words = text.split(" ")
        at = max(range(len(words)), key=lambda n: len(words[n]))
        if len(words[at]) >= _SHORTEST_TYPO:
            words[at] = change(words[at])
        return " ".join(words)

    return mutate


def _stretched(word: str) -> str:
    return word + word[-1] * _REPEATS if word[-1:].isalpha() else word


def _without_accents(text: str) -> str:
    apart = unicodedata.normalize("NFD", text)
    kept = "".join(c for c in apart if c not in (_ACUTE, _GRAVE, _DIAERESIS))
    return unicodedata.normalize("NFC", kept)


def _alternating(text: str) -> str:
    return "".join(c.upper() if at % 2 else c.lower() for at, c in enumerate(text))


MUTATIONS: dict[str, Mutation] = {
    "upper_case": str.upper,
    "zero_width": _ZERO_WIDTH_SPACE.join,
    "curly_apostrophe": lambda text: text.replace("'", "\u2019"),
    "no_apostrophe": lambda text: text.replace("'", ""),
    "homoglyph": lambda text: text.translate(_HOMOGLYPHS),
    "leet": lambda text: text.translate(_LEET),
    "repeated_letter": _each_word(_stretched),
    "spaced_letters": lambda text: "  ".join(" ".join(word) for word in text.split(" ")),
    "emoji": lambda text: text.replace(" ", f" {_CRYING} "),
    "line_break": lambda text: text.replace(" ", "\n"),
    "full_width": lambda text: text.translate(_FULL_WIDTH),
    "typo": _longest_word(lambda word: word[0] + word[2] + word[1] + word[3:]),
}

FURTHER: dict[str, Mutation] = {
    "no_accents": _without_accents,
    "mixed_case": _alternating,
    "decomposed": lambda text: unicodedata.normalize("NFD", text),
    "soft_hyphen": _SOFT_HYPHEN.join,
    "dotted_letters": _each_word(".".join),
    "no_punctuation": lambda text: "".join(c for c in text if c.isalnum() or c in " '\u2019\n"),
    "dropped_letter": _longest_word(lambda word: word[:2] + word[3:]),
    "doubled_letter": _longest_word(lambda word: word[:2] + word[1] + word[2:]),
}
