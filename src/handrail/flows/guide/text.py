"""A message as keywords and patterns read it: plain signs, one for each sign of the original."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

_SIGNS = {
    **dict.fromkeys("\u2018\u2019\u201b\u02bc\u00b4`\uff07", "'"),
    **dict.fromkeys("\u201c\u201d\u201e\u00ab\u00bb", '"'),
    **dict.fromkeys("-\u2010\u2011\u2012\u2013\u2014\u2015\u2212_/", " "),
}
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
_END = re.compile(r"[.!?][^\w\s]*\s")


@dataclass(frozen=True, slots=True)
class Word:
    """A word in its folded spelling, where it stands, and in which sentence."""

    text: str
    start: int
    end: int
    sentence: int


def normal(text: str) -> str:
    """Lower case without accents, straight apostrophes, hyphens and white space as spaces.

    As long as ``text``. An accent costs nothing, and a letter without one has word edges in RE2.
    """
    return text.translate(_NORMAL)


@lru_cache(maxsize=4096)
def _sign(sign: str) -> str:
    if (known := _SIGNS.get(sign)) is not None:
        return known
    if sign.isspace():
        return "\n" if sign == "\n" else " "
    base, *marks = list(unicodedata.normalize("NFKD", sign))
    if base.isalpha() and base.isascii() and all(map(unicodedata.combining, marks)):
        return base.lower()
    lower = sign.lower()
    return lower if len(lower) == 1 else sign


class _Normal(dict[int, str]):
    """What each sign becomes; the plain ones are known beforehand."""

    def __missing__(self, code: int) -> str:
        return _sign(chr(code))


_NORMAL = _Normal({code: _sign(chr(code)) for code in range(128)})


def words(text: str, spellings: Mapping[str, str]) -> Sequence[Word]:
    """The words of a normal text; ``spellings`` maps other spellings to the one that is compared.

    An apostrophe is dropped, so that a missing one costs nothing: don't, dont.
    """
    found = []
    end = sentence = 0
    for match in _WORD.finditer(text):
        sentence += _END.search(text, end, match.start()) is not None
        plain, end = match[0].replace("'", ""), match.end()
        found.append(Word(spellings.get(plain, plain), match.start(), end, sentence))
    return found
