"""The small language in which rules are written, and its way to RE2 syntax.

A phrase is words in ordinary spelling, over folded text. ``instruct*`` is any word that begins so;
``{drop}`` is a concept; ``(a b|c)`` is a choice; a trailing ``?`` makes an item optional; ``..3``
stands for up to three words of the same sentence; ``^`` is the beginning of a clause; ``:`` and
``"`` stand for themselves.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from handrail.errors import ContentInvalid
from handrail.rails.crisis.folding import fold_lexicon

JOINT = r"[ \n\t\r,:\"'*()\[\]<>/|_-]*"  # what may stand between two words of one phrase
_CLOSE = r"[ \n\t\r\"'*]*"  # the same in a phrase that no pause may part
_GAP_WORD = r"[^\s.?!;,:]+[ \n\t\r]+"
_TOKEN = re.compile(r"\{\w+\}|\.\.\d+|[\^:\"(|)?]|[^\W_][\w'-]*\*?")
_WORD = re.compile(r"[^\W_]+")
_MARKS = {"(": "(?:", ")": ")", "|": "|", "?": "?", ":": f":{JOINT}", '"': f'"{JOINT}'}
_CLAUSE = "clause"  # the concept that lists words after which a clause begins


class Phrasebook:
    """The concepts of one file; raises `ContentInvalid` for a phrase that cannot be read."""

    def __init__(self, concepts: Mapping[str, str], where: str) -> None:
        self._where = where
        self._texts = {name: fold_lexicon(text) for name, text in concepts.items()}
        self._patterns: dict[str, str] = {}
        self._under_way: set[str] = set()
        self.words = {word for text in self._texts.values() for word in _WORD.findall(text)}

    def pattern(self, said: str, *, close: bool = False) -> str:
        """All lines of ``said`` as alternatives of one pattern; ``close`` lets no pause part it."""
        said = fold_lexicon(said)
        self.words.update(_WORD.findall(said))
        lines = filter(None, map(str.strip, said.split("\n")))
        source = "|".join(f"(?:{self._line(line)})" for line in lines)
        return source.replace(JOINT, _CLOSE) if close else source

    def _line(self, line: str) -> str:
        tokens = _TOKEN.findall(line)
        if "".join(line.split()) != "".join(tokens) or line.count("(") != line.count(")"):
            raise ContentInvalid(f"{self._where}: no phrase can be written {line!r}.")
        following = [*tokens[1:], ""]
        return "".join(self._token(*pair) for pair in zip(tokens, following, strict=True))

    def _token(self, sign: str, following: str) -> str:
        if sign == "^":
            return rf"(?:\A{JOINT}|[.!?;:,\n>\")\]}}*-]{JOINT}|{self._concept(_CLAUSE)})"
        if sign in _MARKS:
            return _MARKS[sign]
        if sign[0] == "{":
            return f"(?:{self._concept(sign[1:-1])})"
        if sign.startswith(".."):
            return f"(?:{_GAP_WORD}){{0,{int(sign[2:])}}}"
        word = _word(sign)
        return f"(?:{word})" if following == "?" else word

    def _concept(self, name: str) -> str:
        if name not in self._texts or name in self._under_way:
            raise ContentInvalid(f"{self._where}: {name!r} is not a concept, or means itself.")
        if name not in self._patterns:
            self._under_way.add(name)
            self._patterns[name] = self._line(self._texts[name].replace("\n", " "))
            self._under_way.remove(name)
        return self._patterns[name]


def _word(token: str) -> str:
    """One word with its edges; only ASCII letters have edges that RE2 sees."""
    stem = token.removesuffix("*")
    body = re.escape(stem).replace("'", "'?")
    before = r"\b" if stem[0].isascii() else ""
    if token != stem:
        return rf"{before}{body}[^\s.?!;,:\"]*{JOINT}"
    after = r"\b" if stem[-1].isascii() else ""
    return f"{before}{body}{after}{JOINT}"
