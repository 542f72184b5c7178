"""BERT's uncased tokenizer: clean, lower, split on punctuation, then the longest known pieces.

It gives the ids of the reference tokenizer (Devlin et al. 2018, "BERT"), but for two things. Names
of special tokens inside a text, such as ``[SEP]``, are read as ordinary characters, so that a
writer cannot put a control token into the model's input. And marks that joined Unicode after
version 8 are marks here, where the reference's older tables call them unassigned.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice

MAX_WORD_CHARS = 100  # longer words are unknown, as in the reference
_CACHED_WORDS = 1 << 15
_CACHED_CHARS = 32

# Unicode White_Space without the control characters, which are removed instead.
_CHUNK = re.compile(r"[^\t\n\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+")
_CONTROL = frozenset({"Cc", "Cf", "Co", "Cs"})  # not Cn: the reference keeps unassigned ones
_CJK = (
    (0x4E00, 0x9FFF),
    (0x3400, 0x4DBF),
    (0xF900, 0xFAFF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F),
    (0x2B920, 0x2CEAF),
    (0x2F800, 0x2FA1F),
)


class WordPiece:
    """Text to token ids; ``vocabulary`` lists the pieces in id order."""

    def __init__(self, vocabulary: Sequence[str]) -> None:
        ids = {piece: number for number, piece in enumerate(vocabulary)}
        self._heads = ids
        self._tails = {p.removeprefix("##"): n for p, n in ids.items() if p.startswith("##")}
        self._unknown, self._first, self._last = ids["[UNK]"], ids["[CLS]"], ids["[SEP]"]
        self._cached = lru_cache(maxsize=_CACHED_WORDS)(lambda chunk: tuple(self._chunk(chunk)))

    @property
    def size(self) -> int:
        """Number of pieces in the vocabulary."""
        return len(self._heads)

    def encode(self, text: str, *, limit: int) -> list[int]:
        """At most ``limit`` ids, the first and the last of which are [CLS] and [SEP].

        Stops reading when the limit is reached, so that a long text costs no more than its start.
        """
        ids = [self._first]
        for match in _CHUNK.finditer(text):
            chunk = match.group()
            short = len(chunk) <= _CACHED_CHARS
            ids += self._cached(chunk) if short else islice(self._chunk(chunk), limit)
            if len(ids) >= limit:
                break
        return [*ids[: limit - 1], self._last]

    def _chunk(self, chunk: str) -> Iterator[int]:
        for word in _words(chunk):
            yield from self._pieces(word)

    def _pieces(self, word: str) -> list[int]:
        if len(word) > MAX_WORD_CHARS:
            return [self._unknown]
        pieces, start, known = [], 0, self._heads
        while start < len(word):
            end = next((e for e in range(len(word), start, -1) if word[start:e] in known), start)
            if end == start:
                return [self._unknown]
            pieces.append(known[word[start:end]])
            start, known = end, self._tails
        return pieces


def _words(chunk: str) -> Iterator[str]:
    """The words and punctuation marks of a run without white space."""
    if chunk.isascii() and chunk.isalnum():
        yield chunk.lower()
        return
    start = 0
    text = _plain(chunk)
    for place, char in enumerate(text):
        if _is_mark(char) or _is_cjk(char):
            if start < place:
                yield text[start:place]
            yield char
            start = place + 1
    if start < len(text):
        yield text[start:]


def _plain(chunk: str) -> str:
    """Without control characters and accents, in lower case."""
    kept = "".join(c for c in chunk if c.isalnum() or not _is_control(c))
    bare = unicodedata.normalize("NFD", kept)
    bare = "".join(c for c in bare if c.isascii() or unicodedata.category(c) != "Mn")
    return bare.replace("Σ", "σ").lower()  # letter by letter: no final sigma


def _is_control(char: str) -> bool:
    return char == "\ufffd" or unicodedata.category(char) in _CONTROL


def _is_mark(char: str) -> bool:
    if char.isascii():
        return not char.isalnum()
    return unicodedata.category(char).startswith("P")


def _is_cjk(char: str) -> bool:
    code = ord(char)
    return code >= 0x3400 and any(low <= code <= high for low, high in _CJK)
