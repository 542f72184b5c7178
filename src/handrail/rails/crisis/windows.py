"""What the second reader looks at: windows of a long message, plain words for disguised ones."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence

from handrail.rails.crisis.folding import fold
from handrail.rails.crisis.normalise import Normal
from handrail.rails.crisis.spelling import undouble

WINDOW_WORDS = (
    30  # the labelled messages have 20 words on average; nine in ten are shorter than this
)
MOST_WINDOWS = 400  # six thousand words; what lies beyond is for the first reader alone
_SENTENCE_END = re.compile(r"[.?\n]")
_WORD = re.compile(r"[^\W_]+")
_PLAIN = re.compile(r"[\s!-~¿¡“”‘’«»…–—]*")
_MARK = re.compile(r"[,.?]")
_STRETCHED = re.compile(r"([^\W\d_])\1\1")


def windows(normal: Normal) -> Iterator[tuple[int, int]]:
    """Ranges of the normal text that overlap by about half, by start; none for a short message.

    A window ends with a sentence where one ends in its later half.
    """
    count = len(normal.starts)
    if count <= WINDOW_WORDS:
        return
    ends = _sentence_ends(normal)
    start = 0
    for _ in range(MOST_WINDOWS):
        limit = min(start + WINDOW_WORDS, count)
        end = limit if limit == count else _cut(ends, start + WINDOW_WORDS // 2, limit)
        yield normal.starts[start], _end_of(normal, end)
        if end == count:
            return
        start = _cut(ends, start + (end - start) // 2, end - 1, first=True)


def _sentence_ends(normal: Normal) -> Sequence[bool]:
    """For each word count whether a sentence ends behind that many words."""
    before = (normal.text[start - 1] for start in normal.starts[1:])
    return [False, *(_SENTENCE_END.match(mark) is not None for mark in before), True]


def _cut(ends: Sequence[bool], low: int, high: int, *, first: bool = False) -> int:
    """A word count in ``[low, high]`` at which a sentence ends, or the bound on the other side."""
    places = [at for at in range(low, high + 1) if ends[at]]
    if not places:
        return low if first else high
    return places[0] if first else places[-1]


def _end_of(normal: Normal, words: int) -> int:
    return len(normal.text) if words == len(normal.starts) else normal.starts[words] - 1


def undisguised(message: str, normal: Normal) -> bool:
    """Whether a message is written in plain letters and in the words that it was read as.

    Only then does an embedder, which knows nothing of disguises, read what people read.
    """
    bare = "".join(
        letter
        for letter in unicodedata.normalize("NFD", message.lower())
        if unicodedata.category(letter) != "Mn"
    )
    return bool(_PLAIN.fullmatch(bare)) and _says(bare.replace("’", "'"), normal)


def in_plain_words(message: str, normal: Normal) -> str:
    """A disguised message for an embedder: without the disguise if that is all, else as read."""
    folded = fold(message)[0]
    return folded if _says(folded, normal) else readable(normal.text)


def _says(text: str, normal: Normal) -> bool:
    return not _STRETCHED.search(text) and _words(text) == _words(normal.text)


def _words(text: str) -> list[str]:
    """Words with their doubled letters made single, as normal text has those it does not know."""
    return _WORD.findall(undouble(text.replace("'", "")))


def readable(normal_text: str) -> str:
    """Normal text with a space behind its marks, as people write."""
    return _MARK.sub(lambda mark: f"{mark[0]} ", normal_text)
