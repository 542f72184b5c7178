"""One character as the screen reads it: plain, lower-case, undisguised.

Every rule here looks at a single character, so that folding a text keeps its places.
"""

from __future__ import annotations

import re
import unicodedata

_LOOKALIKES = {
    "a": "аαɑᴀ",
    "b": "вьβʙ",
    "c": "сϲᴄ",
    "d": "ԁժᴅ",
    "e": "еєεҽᴇ",
    "f": "ғꜰ",
    "g": "ɡɢ",
    "h": "һнհʜ",
    "i": "іιɩıɪ",
    "j": "јϳᴊ",
    "k": "кκᴋ",
    "l": "ӏʟ",
    "m": "мᴍ",
    "n": "пηոɴ",
    "o": "оοσօᴏ",
    "p": "рρᴘ",
    "q": "ԛ",
    "r": "гʀ",
    "s": "ѕꜱ",
    "t": "тτᴛ",
    "u": "υսцᴜ",
    "v": "νѵᴠ",
    "w": "ѡԝωᴡ",
    "x": "хχ",
    "y": "уүγʏ",
    "z": "ᴢ",
}
_CAPITALS = dict(zip("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "abezhikmnoptyx", strict=True))
_MARKS = {
    **dict.fromkeys("'’‘ʼ`´′‛＇", "'"),
    **dict.fromkeys('"“”„«»″‟＂', '"'),
    **dict.fromkeys("—―", ";"),
    **dict.fromkeys("‐‑‒–−", "-"),
    **dict.fromkeys("¿¡。।؟", "."),
    **dict.fromkeys("\n\r\v\f\x85\u2028\u2029", "\n"),
    **dict.fromkeys("\u115f\u1160\u2800\u3164\uffa0", ""),
    "\t": " ",
    "_": " ",
    "ı": "i",
    "ł": "l",
    "ø": "o",
    "đ": "d",
}
_EMOJI = {
    "🔫": " gun ",
    "🔪": " knife ",
    "🗡": " knife ",
    "💊": " pills ",
    "💀": " die ",
    "☠": " die ",
    "⚰": " die ",
    "🪦": " die ",
    "😂": " lol ",
    "🤣": " lol ",
}
_INVISIBLE = {"Cf", "Cs", "Mn", "Me", "Cc", "Co", "Cn"}
_LETTER_BLOCKS = (0x1F150, 0x1F170, 0x1F1E6)  # circled, squared and regional-indicator A


def _tables() -> dict[str, str]:
    lookalikes = {odd: plain for plain, odds in _LOOKALIKES.items() for odd in odds}
    return {**lookalikes, **_CAPITALS, **_MARKS, **_EMOJI}


class _Folds(dict[str, str]):
    """Character to folded text, worked out once for each character met."""

    def __missing__(self, character: str) -> str:
        folded = self[character] = self._fold(character)
        return folded

    def _fold(self, character: str) -> str:
        for first in _LETTER_BLOCKS:
            if first <= ord(character) < first + 26:
                return chr(ord("a") + ord(character) - first)
        return "".join(map(self._plain, _decomposed(character)))

    def _plain(self, character: str) -> str:
        if character in self:
            return self[character]
        category = unicodedata.category(character)
        if category in _INVISIBLE:
            return ""
        return " " if category[0] == "Z" or category == "So" else character


def _decomposed(character: str) -> str:
    folded = unicodedata.normalize("NFKD", character).casefold()
    return unicodedata.normalize("NFKD", folded)


_FOLDS = _Folds(_tables())
_AS_WRITTEN = re.compile(r"[^\x00-\x7f]+")


def fold(text: str) -> tuple[str, list[int] | range]:
    """The folded text, and for each of its characters the place it came from in ``text``."""
    if text.isascii() and text.isprintable() and "_" not in text:
        return text.replace("`", "'").lower(), range(len(text))
    pieces = [_FOLDS[character] for character in text]
    places = [place for place, piece in enumerate(pieces) for _ in piece]
    return "".join(pieces), places


def fold_lexicon(text: str) -> str:
    """Lexicon text folded like a message; lines and the ``_`` of names stay."""
    if text.isascii():
        return text.lower()
    return _AS_WRITTEN.sub(lambda run: "".join(map(_FOLDS.__getitem__, run[0])), text.lower())
