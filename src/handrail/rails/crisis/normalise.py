"""A message as the screen reads it, and the way back to the places in the original.

Normal text is plain words with exactly one separator between two of them: a space, ``\\n`` (line),
``,`` (a weak pause), ``.`` or ``?`` (the end of a sentence).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from handrail.domain.text import Span
from handrail.rails.crisis.folding import fold
from handrail.rails.crisis.spelling import Speller

_WORD = re.compile(r"\$?[^\W_]+(?:['*@$!|]+[^\W_]+)*\$*")
_SPELT_OUT = 4  # so many single letters in a row are one word spelt out
_WORD_BREAK = re.compile(r"\s{2}|[,;!?\n\"]|\s\.|\.\s")  # ends a word that is spelt out
_ELLIPSIS = re.compile(r"\s*\.{2,}\s*")
_FULL_STOP = re.compile(r"[.!;]|\n\s*\n")
_PAUSE = re.compile(r"[,:()\[\]<>]|\s-+\s|--")
_CACHED_RUN = 8  # longer runs of separators are too rare to be worth remembering
_CACHED_WORD = 32


@dataclass(frozen=True, slots=True)
class Normal:
    """Normal text; ``starts[n]`` is where its word ``n`` begins, ``origins[n]`` where it lay."""

    text: str
    starts: Sequence[int]
    origins: Sequence[tuple[int, int]]
    quotes: Sequence[tuple[int, int]]

    def span(self, start: int, end: int) -> Span:
        """The place in the original message of a non-empty range of the normal text."""
        first = bisect_right(self.starts, start) - 1
        last = bisect_right(self.starts, end - 1) - 1
        return Span(self.origins[first][0], self.origins[last][1])

    def quotation(self, start: int) -> tuple[int, int]:
        """The pair of quotation marks around a place; an empty range where there is none."""
        at = bisect_right(self.quotes, (start, len(self.text))) - 1
        if at >= 0 and self.quotes[at][0] <= start < self.quotes[at][1]:
            return self.quotes[at]
        return start, start


class Normaliser:
    """Folds, respells and separates; linear in the text, the same for the same text."""

    def __init__(self, speller: Speller) -> None:
        self._speller = speller
        self._short_word = lru_cache(maxsize=1 << 14)(speller.spell)

    def __call__(self, text: str) -> Normal:
        folded, places = fold(text)
        words: list[str] = []
        starts: list[int] = []
        origins: list[tuple[int, int]] = []
        marks: list[int] = []
        length = last = 0
        for start, end, raw in self._words(folded):
            if words:
                run = folded[last:start]
                words.append(_separator(run))
                length += 1
            else:
                run = folded[:start]
            marks.extend([length] * run.count('"'))
            word = self._word(raw)
            words.append(word)
            starts.append(length)
            origins.append((places[start], places[end - 1] + 1))
            length += len(word)
            last = end
        marks.extend([length] * folded.count('"', last))
        return Normal(
            "".join(words), starts, origins, tuple(zip(marks[::2], marks[1::2], strict=False))
        )

    def _word(self, raw: str) -> str:
        return self._short_word(raw) if len(raw) <= _CACHED_WORD else self._speller.spell(raw)

    def _words(self, folded: str) -> Iterator[tuple[int, int, str]]:
        """Words with their ranges; letters set apart one by one come as the words they spell."""
        letters: list[int] = []
        for match in _WORD.finditer(folded):
            start, end = match.span()
            if end - start == 1 and folded[start].isalpha():
                letters.append(start)
                continue
            yield from _spelt_out(folded, letters)
            letters = []
            yield start, end, match.group()
        yield from _spelt_out(folded, letters)


def _spelt_out(folded: str, letters: Sequence[int]) -> Iterator[tuple[int, int, str]]:
    """Single letters in a row: the words they spell where they are many, else themselves."""
    word: list[int] = []
    for at in letters:
        if word and (len(letters) < _SPELT_OUT or _WORD_BREAK.search(folded[word[-1] + 1 : at])):
            yield word[0], word[-1] + 1, "".join(folded[place] for place in word)
            word = []
        word.append(at)
    if word:
        yield word[0], word[-1] + 1, "".join(folded[place] for place in word)


def _separator(run: str) -> str:
    return " " if run == " " else _known_run(run) if len(run) <= _CACHED_RUN else _classify(run)


def _classify(run: str) -> str:
    if "?" in run:
        return "?"
    if _ELLIPSIS.fullmatch(run):
        return ","
    if _FULL_STOP.search(run):
        return "."
    if _PAUSE.search(run):
        return ","
    return "\n" if "\n" in run else " "


_known_run = lru_cache(maxsize=1 << 12)(_classify)
