"""The word lists of a language, and a sentence as tokens in which listed wordings are one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

from handrail.content import load

FOLDER = "evidence"
LANGUAGES = ("en", "es")

Tokens: TypeAlias = tuple[str, ...]

_TOKEN = re.compile(
    r"(?P<number>(?:(?<![^\s(])[-−])?\d+(?:[.,]\d+)*)|(?P<word>[^\W\d_]+(?:['’][^\W\d_]+)*)"
    r"|(?P<mark>\S)"
)
_THOUSANDS = re.compile(r"[-−]?\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_SILENT = frozenset("'’‘`*_")  # marks that are never spoken
_BREAKS = str.maketrans({"!": ".", "…": ".", "–": "—", "“": '"', "”": '"', "«": '"', "»": '"'})
_BEFORE = frozenset('.,;:—"()[]{}¡')  # marks that do not count before a sentence
_BEHIND = frozenset('."()[]{}')  # and behind it: a colon there means that something follows


class _Content(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class WordGroup(_Content):
    """Wordings that belong together: one thing, a pair of opposites, or words of one kind."""

    id: str
    words: tuple[str, ...] = Field(min_length=1)
    review: str = Field(min_length=1)


Kind = Literal[
    "question",
    "polarity",
    "condition",
    "reported",
    "modality",
    "quantifier",
    "time",
    "subject",
]


class WordKind(WordGroup):
    """Words by what a difference in them is called."""

    id: Kind


class WordLists(_Content):
    """One language; the content file's head explains the keys."""

    version: int
    language: str
    reviewer: str
    droppable: tuple[str, ...]
    addable: tuple[str, ...]
    intensifiers: frozenset[str]
    same: tuple[WordGroup, ...]
    numbers: dict[str, str]
    opposites: tuple[WordGroup, ...]
    kinds: tuple[WordKind, ...] = Field(min_length=1)

    def tokens(self, text: str) -> Tokens:
        """Words, figures and marks in lower case, with one wording for what is the same.

        Marks around the sentence do not count, a question mark does.
        """
        found = tuple(_tokens(text))
        return _trimmed(self._unified(tuple(self.numbers.get(token, token) for token in found)))

    def without_opener(self, tokens: Tokens, openers: Sequence[Tokens]) -> Tokens:
        """The tokens behind any of ``openers`` and its comma; without one it may be no opener."""
        for opener in openers:
            end = len(opener)
            if tokens[:end] == opener and tokens[end : end + 1] == (",",):
                return self.without_opener(_trimmed(tokens[end + 1 :]), openers)
        return tokens

    @cached_property
    def droppable_tokens(self) -> Sequence[Tokens]:
        """Openers that a restatement may leave out."""
        return self._phrases(self.droppable)

    @cached_property
    def addable_tokens(self) -> Sequence[Tokens]:
        """Openers that a restatement may begin with."""
        return self._phrases(self.addable)

    @cached_property
    def letters(self) -> frozenset[str]:
        """What a restatement may bring along beside plain letters: those of permitted words."""
        same = (word for group in self.same for word in group.words)
        return frozenset("".join((*self.addable, *self.numbers, *same)))

    @cached_property
    def polarity(self) -> frozenset[str]:
        """Words that turn a statement around."""
        return frozenset(w for kind in self.kinds if kind.id == "polarity" for w in kind.words)

    def _phrases(self, phrases: Sequence[str]) -> Sequence[Tokens]:
        return [self.tokens(phrase) for phrase in phrases]

    @cached_property
    def _wordings(self) -> dict[str, list[tuple[Tokens, Tokens]]]:
        """Other wordings by their first token, longest first, each with the one that stands in."""
        table: dict[str, list[tuple[Tokens, Tokens]]] = {}
        for group in self.same:
            first, *others = (tuple(_tokens(word)) for word in group.words)
            for other in others:
                table.setdefault(other[0], []).append((other, first))
        for wordings in table.values():
            wordings.sort(key=lambda pair: -len(pair[0]))
        return table

    def _unified(self, tokens: Tokens) -> Tokens:
        out: list[str] = []
        at = 0
        while at < len(tokens):
            for other, first in self._wordings.get(tokens[at], ()):
                if tokens[at : at + len(other)] == other:
                    out += first
                    at += len(other)
                    break
            else:
                out.append(tokens[at])
                at += 1
        return tuple(out)


def load_words(language: str = "en") -> WordLists:
    """The packaged lists of a language; raises `ContentInvalid` when there are none or broken."""
    return load(f"{FOLDER}/agreement.{language}.yaml", WordLists)


def _tokens(text: str) -> Iterator[str]:
    for match in _TOKEN.finditer(text):
        token = match.group()
        if match["word"]:
            yield token.replace("’", "'").casefold()
        elif match["number"]:
            yield token.replace(",", "") if _THOUSANDS.fullmatch(token) else token
        elif token not in _SILENT and not _joins_letters(text, match.start()):
            yield token.translate(_BREAKS).replace("-", "—")


def _joins_letters(text: str, at: int) -> bool:
    """Whether the mark is a hyphen within a word."""
    return text[at] == "-" and text[at - 1 : at].isalpha() and text[at + 1 : at + 2].isalpha()


def _trimmed(tokens: Tokens) -> Tokens:
    start, end = 0, len(tokens)
    while start < end and tokens[start] in _BEFORE:
        start += 1
    while end > start and tokens[end - 1] in _BEHIND:
        end -= 1
    return tokens[start:end]
