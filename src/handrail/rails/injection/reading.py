"""A text as the screen reads it: folded, and once more with disguised words set right."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from handrail.domain.text import Span
from handrail.ports import PatternEngine
from handrail.rails.crisis.folding import fold

_SPACED = r"\b[a-z0-9](?:[ .*-]{1,4}[a-z0-9]\b){4,}"
_LEET = r"[a-z0-9@$!|]*(?:[a-z][0-9@$!|]|[0-9@$!|][a-z])[a-z0-9@$!|]*"
_LEETS = tuple(str.maketrans("0134579@$!|8", f"o{one}eastgas{one}{one}b") for one in "il")
_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]+")
_WIDE = re.compile(r"[ .*-]{2,}")
_MARKS = re.compile(r"[ .*-]+")
_LONGEST_WORD = 16
_LONGEST_RUN = 2_000  # letters set apart that are worth taking apart: nobody writes more so
_SHORTEST_SLIP = 6
_Mended = tuple[int, int, str]


@dataclass(frozen=True, slots=True)
class Reading:
    """Folded text; ``places[n]`` is the range of the original behind its character ``n``."""

    text: str
    places: Sequence[tuple[int, int]] | Sequence[int]

    def span(self, start: int, end: int) -> Span:
        """Where a non-empty range of the text lay."""
        first, last = self.places[start], self.places[end - 1]
        return Span(
            first if isinstance(first, int) else first[0],
            last + 1 if isinstance(last, int) else last[1],
        )


class Reader:
    """Knows the words of the lexicons, and brings disguised ones back to them."""

    def __init__(
        self, words: Collection[str], guarded: Collection[str], engine: PatternEngine
    ) -> None:
        self._words = frozenset(words)
        self._slips = {
            slip: word
            for word in sorted(guarded)
            for slip in _slips(word)
            if slip not in self._words
        }
        slips = rf"\b(?:{'|'.join(self._slips)})\b" if self._slips else _SPACED
        self._disguises = engine.compile([_SPACED, _LEET, slips])

    def read(self, text: str) -> Iterator[Reading]:
        """The folded text, then, where words in it are disguised, the text with them mended."""
        folded, places = folded_text(text)
        yield Reading(folded, places)
        if mended := list(self._mended(folded)):
            yield _respelt(folded, places, mended)

    def _mended(self, folded: str) -> Iterator[_Mended]:
        """Ranges of ``folded`` with what should stand there, in order, none overlapping."""
        last = 0
        for hit in self._disguises.scan(folded):
            written = folded[hit.start : hit.end]
            plain = self._spelt(written) if hit.pattern == 0 else self._plain(written)
            if plain and hit.start >= last:
                yield hit.start, hit.end, plain
                last = hit.end

    def _plain(self, word: str) -> str | None:
        if slip := self._slips.get(word):
            return slip
        return next((p for t in _LEETS if (p := word.translate(t)) in self._words), None)

    def _spelt(self, spaced: str) -> str:
        """Letters set apart as the words they spell; wide gaps part words, else known words do."""
        letters = _MARKS.sub("", spaced)
        parts = [_MARKS.sub("", part) for part in _WIDE.split(spaced)]
        if all(len(part) == 1 for part in parts):
            parts = [letters]
        return " ".join(word for part in parts for word in self._split(part.translate(_LEETS[0])))

    def _split(self, letters: str) -> Sequence[str]:
        """As few known words as make up ``letters``; itself where they do not."""
        if letters in self._words or len(letters) > _LONGEST_RUN:
            return [letters]
        best: list[tuple[int, int] | None] = [(0, 0), *[None] * len(letters)]
        for end in range(1, len(letters) + 1):
            for start in range(max(0, end - _LONGEST_WORD), end):
                head, here = best[start], best[end]
                if head is None or letters[start:end] not in self._words:
                    continue
                if here is None or head[0] + 1 < here[0]:
                    best[end] = (head[0] + 1, start)
        return _steps(letters, best) or [letters]


def _steps(letters: str, best: Sequence[tuple[int, int] | None]) -> Sequence[str]:
    words: list[str] = []
    end = len(letters)
    while end and (step := best[end]):
        words.append(letters[step[1] : end])
        end = step[1]
    return words[::-1] if not end else []


def folded_text(text: str) -> tuple[str, Sequence[int]]:
    """``text`` as rules read it, with the place of each character; plain ASCII keeps its places."""
    if text.isascii():
        return _folded_ascii(text), range(len(text))
    pieces: list[str] = []
    places: list[int] = []
    last = 0
    for run in _BEYOND_ASCII.finditer(text):
        start, end = run.span()
        folded, within = fold(run[0])
        pieces += [_folded_ascii(text[last:start]), folded]
        places += range(last, start)
        places += [start + place for place in within]
        last = end
    pieces.append(_folded_ascii(text[last:]))
    places += range(last, len(text))
    return "".join(pieces), places


def _folded_ascii(text: str) -> str:
    return text.lower().replace("_", " ").replace("`", "'")


def _slips(word: str) -> Iterator[str]:
    """One letter inside lost, doubled, or changed round with its neighbour."""
    if len(word) < _SHORTEST_SLIP:
        return
    for at in range(1, len(word) - 1):
        yield word[:at] + word[at + 1 :]
        yield word[:at] + word[at + 1] + word[at] + word[at + 2 :]
        yield word[:at] + word[at] + word[at:]


def _respelt(folded: str, places: Sequence[int], mended: Sequence[_Mended]) -> Reading:
    pieces: list[str] = []
    ranges: list[tuple[int, int]] = []
    last = 0
    for start, end, word in [*mended, (len(folded), len(folded), "")]:
        pieces += [folded[last:start], word]
        ranges += [(places[at], places[at] + 1) for at in range(last, start)]
        if word:
            ranges += [(places[start], places[end - 1] + 1)] * len(word)
        last = end
    return Reading("".join(pieces), ranges)
