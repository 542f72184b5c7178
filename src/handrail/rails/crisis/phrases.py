"""The small language in which lexicons are written, and its way to RE2 syntax.

A phrase is words in ordinary spelling. ``kill*`` is any word that begins so; ``{die}`` is a concept
of the same file; ``(a b|c)`` is a choice; a trailing ``?`` makes an item optional, a trailing ``~``
lets it come any number of times or not at all; ``...`` stands for up to three words of the same
clause and ``..5`` for up to five. Each line is an alternative.

Reading a lexicon finds only the trigger words of each phrase. Its pattern is written out when a
message first holds one of them, so that starting up never pays for thousands of patterns.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from handrail.errors import ContentInvalid
from handrail.rails.crisis.folding import fold_lexicon
from handrail.rails.crisis.spelling import undouble

_TOKEN = re.compile(r"\{\w+\}|[^\W_]+\*?|\.\.\.|\.\.\d|[(|)?~\n]")
_READABLE = re.compile(r"(?:\{\w+\}|[^\W_]+\*?|\.\.\.|\.\.\d|[(|)?~\s])*")
_WORD = re.compile(r"[^\W_]+")
_GAP = 3
_COMMON_COST = 100  # a common word is a poor trigger: nearly every message holds it

_LETTER = r"[^ ,.?\n]"
_WORD_END = r"\b[ ,\n]?"  # two words have one separator between them; "." and "?" end a sentence
_STEM_END = _LETTER + r"*[ ,\n]?"
_SIGNS = {"(": "(?:", ")": ")", "|": "|", "\n": "|", "?": "?", "~": "*"}


def plain(text: str) -> str:
    """Lexicon text in the normal form that messages are brought to."""
    return undouble(fold_lexicon(text).replace("'", ""))


def words_of(text: str) -> Iterable[str]:
    """The words of a plain phrase text; stems keep their star."""
    return (token for token in _TOKEN.findall(text) if token[0].isalnum())


@dataclass(frozen=True, slots=True)
class Phrase:
    """A way to say something: every match of it holds at least one word of ``triggers``."""

    text: str
    triggers: frozenset[str]
    book: Book = field(repr=False, compare=False)

    @property
    def pattern(self) -> str:
        """The phrase in RE2 syntax; a match may end with the separator behind its last word."""
        return rf"\b(?:{self.book.pattern(self.text)})"


class Book:
    """The concepts of one lexicon; raises `ContentInvalid` for a phrase that cannot be read."""

    def __init__(self, concepts: Mapping[str, str], common: Collection[str], where: str) -> None:
        self._where = where
        self._common = common
        self._texts = {plain(name): plain(text).strip("\n") for name, text in concepts.items()}
        self._triggers: dict[str, frozenset[str]] = {}
        self._patterns: dict[str, str] = {}
        self._under_way: set[str] = set()
        self.words: set[str] = set()
        for name in self._texts:
            self.triggers(name)

    def phrase(self, name: str, text: str) -> Phrase:
        """The phrase, checked; ``name`` is named by the error."""
        text = plain(text).strip("\n")
        return Phrase(text, self._read(name, text), self)

    def pattern(self, text: str) -> str:
        """A checked phrase text in RE2 syntax."""
        tokens = [*_TOKEN.findall(text), ""]
        return "".join(map(self._written, tokens, tokens[1:]))

    def triggers(self, concept: str) -> frozenset[str]:
        """Words of which every match of the concept holds at least one."""
        if concept not in self._triggers:
            if concept not in self._texts or concept in self._under_way:
                raise self._broken(concept, "is not a concept, or means itself")
            self._under_way.add(concept)
            self._triggers[concept] = self._read(concept, self._texts[concept])
        return self._triggers[concept]

    def _written(self, token: str, following: str) -> str:
        if token in _SIGNS:
            return _SIGNS[token]
        if token[0] == "{":
            return f"(?:{self._concept(token[1:-1])})"
        if token[0] == ".":
            return f"(?:{_LETTER}+[ \\n]){{0,{_gap(token)}}}"
        word = token[:-1] + _STEM_END if token[-1] == "*" else token + _WORD_END
        return f"(?:{word})" if following in ("?", "~") else word

    def _concept(self, name: str) -> str:
        if name not in self._patterns:
            self._patterns[name] = self.pattern(self._texts[name])
        return self._patterns[name]

    def _read(self, name: str, text: str) -> frozenset[str]:
        tokens = _TOKEN.findall(text)
        if not _READABLE.fullmatch(text):
            raise self._broken(name, f"holds signs that no phrase has: {text!r}")
        self.words.update(token for token in tokens if token[0].isalnum())
        try:
            return self._called_by(tokens)
        except (IndexError, ValueError):
            raise self._broken(name, f"has an empty part or a stray bracket: {text!r}") from None

    def _called_by(self, tokens: Sequence[str]) -> frozenset[str]:
        """The triggers of a phrase: of each alternative, its item that messages hold least often.

        Raises `ValueError` for an alternative without any firm item, `IndexError` for brackets
        that do not pair.
        """
        open_choices: list[_Choice] = [_Choice()]
        for token, following in zip(tokens, [*tokens[1:], ""], strict=True):
            choice = open_choices[-1]
            if token == "(":
                open_choices.append(_Choice())
            elif token in "|\n":
                choice.close_alternative()
            elif token == ")":
                inner = open_choices.pop().closed()
                open_choices[-1].take(inner, following, self._common)
            elif token[0] == "{":
                choice.take(self.triggers(token[1:-1]), following, self._common)
            elif token[0].isalnum():
                choice.take(frozenset((token,)), following, self._common)
        (whole,) = open_choices
        return whole.closed()

    def _broken(self, name: str, how: str) -> ContentInvalid:
        return ContentInvalid(f"{self._where}: {name} {how}.")


class _Choice:
    """Alternatives being read: the best triggers of the present one, and those of the others."""

    __slots__ = ("_all", "_best", "_cost")

    def __init__(self) -> None:
        self._all: set[str] = set()
        self._best: frozenset[str] | None = None
        self._cost = 0

    def take(self, triggers: frozenset[str], following: str, common: Collection[str]) -> None:
        """Weigh the next item; one that may be absent cannot be relied on."""
        if following in ("?", "~"):
            return
        cost = len(triggers) + _COMMON_COST * len(triggers.intersection(common))
        if self._best is None or cost < self._cost:
            self._best, self._cost = triggers, cost

    def close_alternative(self) -> None:
        """End the present alternative; raises `ValueError` when nothing in it is firm."""
        if self._best is None:
            raise ValueError
        self._all |= self._best
        self._best = None

    def closed(self) -> frozenset[str]:
        """The triggers of the whole choice."""
        self.close_alternative()
        return frozenset(self._all)


def _gap(token: str) -> int:
    return _GAP if token == "..." else int(token[2:])
