"""The person's own words: what they said stands in quotation marks and is not judged again."""

from __future__ import annotations

import re
from collections.abc import Sequence

_QUOTE = re.compile('“([^“”]*)”|«([^«»]*)»|"([^"\n]*)"')
_MOST_QUOTES = 4
_STOPS = ".?!…"
_EDGES = " \t\n.,;:!?¿¡…"


def quotes(text: str) -> list[tuple[int, int]]:
    """The ranges of quotations, marks included, in order."""
    return [match.span() for match in _QUOTE.finditer(text)]


def without_own(
    text: str, own_words: Sequence[str], stand_in: str
) -> tuple[str, Sequence[tuple[int, int]]]:
    """``text`` with each quotation of the person's words replaced, and where they stood.

    ``stand_in`` is a short pronoun, padded so that every other place stays. At most four are
    replaced, and none that touches the one before: single words of a person could be strung
    together to say what the person never said.
    """
    spoken = [plain(said) for said in own_words]
    pieces: list[str] = []
    taken: list[tuple[int, int]] = []
    last = 0
    for start, end in quotes(text):
        touches = taken and not re.search(r"\w", text[last:start])
        said = plain(text[start + 1 : end - 1])
        if not said or touches or len(taken) == _MOST_QUOTES or not _said(said, spoken):
            continue
        pieces += [text[last:start], _filled(text[start:end], stand_in)]
        taken.append((start, end))
        last = end
    return "".join([*pieces, text[last:]]), taken


def beside_own(text: str, own: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Quotations in a text without the person's words that lean on one of those, ``own``.

    With no word of ours between them they read as if the person had said both.
    """
    return [
        (start, end)
        for start, end in quotes(text)
        if any(
            not re.search(r"\w", text[min(end, last) : max(start, first)]) for first, last in own
        )
    ]


def wordless(text: str) -> list[tuple[int, int]]:
    """Quotations without a word: nobody said them, and they part what stands around them."""
    return [(start, end) for start, end in quotes(text) if not re.search(r"\w", text[start:end])]


def plain(text: str) -> str:
    """Case, apostrophes, white space and outer marks aside."""
    return " ".join(text.lower().replace("’", "'").split()).strip(_EDGES)


def _said(quote: str, spoken: Sequence[str]) -> bool:
    """Whether the words stand in something the person said, as whole words."""
    return any(f" {quote} " in f" {form} " for said in spoken for form in (said, _loose(said)))


def _loose(said: str) -> str:
    return " ".join(part.strip(_EDGES) for part in said.split())


def _filled(quote: str, stand_in: str) -> str:
    closing = quote[-2] if quote[-2] in _STOPS else ""
    room = len(quote) - len(closing)
    return stand_in[:room].ljust(room) + closing
