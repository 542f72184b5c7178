"""A true sentence in slightly other words, by the same lists that permit them.

So the figure over rewordings shows that the gate does what its lists say; whether the lists hold
what people would call the same is for their reviewers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

from handrail.rails.agreement import WordLists


def reworded(text: str, words: WordLists, *, seed: str) -> str | None:
    """One permitted rewording of the sentence, or None where there is none to make."""
    options = [option for option in _options(text, words) if option != text]
    return Random(f"{seed}:{text}").choice(options) if options else None  # noqa: S311


def _options(text: str, words: WordLists) -> Iterator[str]:
    yield from _without_opener(text, words)
    for group in words.same:
        first, *others = group.words
        for other in others:
            yield from _replaced(text, other, first)
            if f" {first} " not in f" {other} ":  # not every "to" is an "in order to"
                yield from _replaced(text, first, other)
    for word, figure in words.numbers.items():
        if word != "one":  # more often a pronoun
            yield from _replaced(text, word, figure)


def _without_opener(text: str, words: WordLists) -> Iterator[str]:
    for opener in words.droppable:
        if text.lower().startswith(f"{opener}, "):
            rest = text[len(opener) + 2 :]
            yield rest[:1].upper() + rest[1:]


def _replaced(text: str, old: str, new: str) -> Iterator[str]:
    """The text with the first ``old`` as ``new``, in small letters and between spaces."""
    found = re.search(rf"(?<= ){re.escape(old)}(?=[ ,.])", text)
    if found and not text[: found.start()].endswith(", "):
        yield text[: found.start()] + new + text[found.end() :]
