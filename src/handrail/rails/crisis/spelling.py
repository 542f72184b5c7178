"""Disguised and misspelt words, set right only where that yields a word the lexicons know."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping

_DOUBLED = re.compile(r"([^\W\d_])\1+")
_LEET = str.maketrans("034579@$!|68", "oeastgasiigb")
_LEET_L = str.maketrans("1!|", "lll")
_LEET_I = str.maketrans("1", "i")
_DISGUISED = re.compile(r"[^\W\d_][0-9@$!|]|[0-9@$!|][^\W\d_]")
_LONGEST_SPLIT = 1 << 14  # letters of a run-together message that are worth taking apart
_LONGEST_WORD = 16
_SHORTEST_SPLIT = 6
_SHORTEST_TYPO = 6  # letters from which a lost letter is mended
_SHORTEST_SWAP = 4  # letters from which two changed round are mended in any known word


def undouble(word: str) -> str:
    """The word with each run of one letter made single: lexicon and message are both read so."""
    return _DOUBLED.sub(r"\1", word)


def undoubled(words: Iterable[str]) -> dict[str, str]:
    """Each word with its `undouble`; one pass over all of them, for there are thousands."""
    known = list(words)
    return dict(zip(known, undouble("\n".join(known)).split("\n"), strict=True)) if known else {}


class Sounding:
    """The words of a language by how they sound.

    ``sounds`` are spellings and the sign of their sound, put in one after the other. Where two
    words sound the same the first one stands.
    """

    def __init__(self, sounds: Mapping[str, str], words: Iterable[str]) -> None:
        self._sounds = tuple(sounds.items())
        known = [word for word in words if len(word) >= _SHORTEST_SWAP]
        heard = self._sound("\n".join(known)).split("\n")
        plain = undouble("\n".join(known)).split("\n")
        self._words = dict(zip(reversed(heard), reversed(plain), strict=True))

    def word(self, letters: str) -> str | None:
        """The known word, undoubled, that sounds like ``letters``."""
        return self._words.get(self._sound(letters))

    def _sound(self, text: str) -> str:
        for spelling, sound in self._sounds:
            text = text.replace(spelling, sound)
        return undouble(text)


class Speller:
    """Knows the words of the lexicons and brings disguised words back to them.

    ``guarded`` are the words worth most repair: lost or masked letters and words run together are
    mended only where one of these comes out. ``words`` and ``stems`` are undoubled already.
    ``sounding`` are words by how they sound, each set with the `Sounds` of its language.
    """

    def __init__(
        self,
        words: Collection[str] = (),
        stems: Collection[str] = (),
        guarded: Collection[str] = (),
        sounding: Collection[Sounding] = (),
    ) -> None:
        self._sounding = tuple(sounding)
        self._words = frozenset(words).union(map(undouble, guarded))
        self._stems = tuple(sorted(stem for stem in stems if stem.isalpha()))
        self._guarded = frozenset(map(undouble, guarded))
        self._slips = dict(_slips(guarded))
        self._masked = _by_shape(guarded)

    def spell(self, raw: str) -> str:
        """The normal form of one folded word; a run-together phrase comes back with spaces."""
        letters = raw.replace("'", "")
        word = undouble(letters)
        if self._knows(word):
            return word
        return self._repaired(letters) or _without_marks(word)

    def _knows(self, word: str) -> bool:
        return word in self._words or word.startswith(self._stems)

    def _repaired(self, letters: str) -> str | None:
        if _DISGUISED.search(letters):
            return next(filter(self._knows, _undisguised(letters)), None)
        if "*" in letters:
            return self._unmasked(letters)
        slip = self._slips.get(undouble(letters))
        return slip or self._heard(letters) or self._unswapped(letters) or self._split(letters)

    def _heard(self, letters: str) -> str | None:
        """The known word that sounds the same: "kiero", "bolber"."""
        if not _SHORTEST_SWAP <= len(letters) <= _LONGEST_WORD:
            return None
        found = (sounding.word(letters) for sounding in self._sounding)
        return next(filter(None, found), None)

    def _unswapped(self, letters: str) -> str | None:
        """The known word that comes of changing two neighbours round, but for the first letter."""
        if not _SHORTEST_SWAP <= len(letters) <= _LONGEST_WORD:
            return None
        swapped = (_swapped(letters, at) for at in range(1, len(letters) - 1))
        return next(filter(self._words.__contains__, map(undouble, swapped)), None)

    def _unmasked(self, letters: str) -> str | None:
        shape = re.compile(re.escape(letters).replace(r"\*", "."))
        same = self._masked.get((letters[0], len(letters)), ())
        return next((undouble(known) for known in same if shape.fullmatch(known)), None)

    def _split(self, letters: str) -> str | None:
        """As few known words as make up ``letters`` end to end, one of them guarded."""
        if not _SHORTEST_SPLIT <= len(letters) <= _LONGEST_SPLIT:
            return None
        fewest: list[tuple[int, int] | None] = [*([None] * len(letters)), (0, 0)]
        for start in range(len(letters) - 1, -1, -1):
            for end in range(start + 1, min(start + _LONGEST_WORD, len(letters)) + 1):
                rest, best = fewest[end], fewest[start]
                if rest is None or undouble(letters[start:end]) not in self._words:
                    continue
                if best is None or rest[0] + 1 < best[0]:
                    fewest[start] = (rest[0] + 1, end)
        words = list(_steps(letters, fewest))
        return " ".join(words) if self._guarded.intersection(words) else None


def _steps(letters: str, fewest: list[tuple[int, int] | None]) -> Iterator[str]:
    start = 0
    while start < len(letters) and (step := fewest[start]):
        yield undouble(letters[start : step[1]])
        start = step[1]


def _without_marks(word: str) -> str:
    """Unknown marks inside a word part it: ``stop!now`` is two sentences, ``a*b`` two words."""
    return re.sub(r"[^\w.]+", " ", re.sub(r"!+", ".", word)).strip(" .") or word


def _undisguised(letters: str) -> Iterator[str]:
    for ones in (_LEET_I, _LEET_L):
        yield undouble(letters.translate(ones).translate(_LEET))


def _by_shape(guarded: Collection[str]) -> Mapping[tuple[str, int], list[str]]:
    shapes: dict[tuple[str, int], list[str]] = {}
    for word in sorted(guarded):
        shapes.setdefault((word[0], len(word)), []).append(word)
    return shapes


def _slips(guarded: Collection[str]) -> Iterator[tuple[str, str]]:
    """Slips of a key: two letters of a short word changed round, one of a long word lost."""
    for word in sorted(guarded):
        if len(word) < _SHORTEST_SWAP:
            yield from ((_swapped(word, at), word) for at in range(1, len(word) - 1))
        elif len(word) >= _SHORTEST_TYPO:
            lost = (undouble(word[:at] + word[at + 1 :]) for at in range(1, len(word)))
            yield from ((slip, undouble(word)) for slip in lost)


def _swapped(word: str, at: int) -> str:
    return word[:at] + word[at + 1] + word[at] + word[at + 2 :]
