"""Sentences, the heads of their clauses, and what a text asks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from handrail.rails.crisis.folding import fold
from handrail.rails.crisis.spelling import undouble

_END = re.compile(r"[.!?…\n¿¡？]+")
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_BREAK = re.compile(r"[;(–—]|\s-")
_LONG_QUOTE = 3  # words from which a quotation is a sentence of its own
_STOP, _PAUSE = "stop", "pause"


class Sentence(NamedTuple):
    """A range of the text; ``asks`` when a question mark ends it."""

    start: int
    end: int
    asks: bool


class Head(NamedTuple):
    """A word after a break of the text; ``rest`` are it and the words up to the next break."""

    start: int
    end: int
    opens: bool  # a sentence, not only a clause
    rest: Sequence[str]


def sentences(text: str) -> list[Sentence]:
    """The sentences that hold a word, in order."""
    found: list[Sentence] = []
    start = 0
    for match in [*_END.finditer(text), None]:
        end = match.start() if match else len(text)
        if _WORD.search(text, start, end):
            found.append(Sentence(start, end, bool(match) and _asks(match)))
        start = match.end() if match else end
    return found


def _asks(match: re.Match[str] | None) -> bool:
    return match is not None and ("?" in match[0] or "？" in match[0])


def words(text: str) -> list[str]:
    """The words of a text as written."""
    return _WORD.findall(text)


def placed_words(text: str) -> Iterator[tuple[int, int, str]]:
    """Each word with its place, in the form of the lexicons."""
    for match in _WORD.finditer(text):
        yield match.start(), match.end(), normal(match[0])


def normal(word: str) -> str:
    """A word in the form of the lexicons."""
    return undouble(fold(word)[0].replace("'", ""))


def heads(text: str) -> Iterator[Head]:
    """Where sentences and clauses begin, in order."""
    parts = list(_WORD.finditer(text))
    ends = [0, *(part.end() for part in parts)]
    kinds = [_break(text, end, part) for end, part in zip(ends, parts, strict=False)]
    starts = [at for at, kind in enumerate(kinds) if kind]
    for at, following in zip(starts, [*starts[1:], len(parts)], strict=False):  # or no word at all
        rest = [part[0] for part in parts[at:following]]
        yield Head(parts[at].start(), parts[at].end(), kinds[at] == _STOP, rest)


def _break(text: str, before: int, word: re.Match[str]) -> str:
    between = text[before : word.start()]
    if before == 0 or _END.search(between) or "•" in between:
        return _STOP
    if any(mark in between for mark in '“«"') and _begins_quote(text, word):
        return _STOP
    if _BREAK.search(between):
        return _STOP  # nothing stands before what is said there, as at the start of a sentence
    return _PAUSE if re.search(r"[,:)]", between) else ""


def _begins_quote(text: str, word: re.Match[str]) -> bool:
    """Whether an opening mark stands before the word and a whole phrase follows."""
    if text[word.start() - 1] not in '“«"':
        return False
    end = min((at for mark in '”»"' if (at := text.find(mark, word.end())) >= 0), default=-1)
    return len(_WORD.findall(text, word.start(), end)) >= _LONG_QUOTE if end >= 0 else True
