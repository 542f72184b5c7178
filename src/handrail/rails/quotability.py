"""Whether a sentence says the same thing alone as it did in its answer.

A sentence that leans on what went before, that reports or announces something, or that its
neighbour takes back is not quotable alone (SAFETY.md, evidence gate). Neither is one that names a
detail of the first person's life which the present message does not share.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from handrail.content import load
from handrail.domain.text import Case, digest
from handrail.ports import PatternEngine
from handrail.rails.patterns import ExcusablePatterns, plain

FILE = "coach/quotability.en.yaml"
MAX_QUOTE_CHARS = 200  # C26: what is shown to a decider is what may be quoted, whole
MIN_QUOTE_WORDS = 5

_MARKS = re.compile(r"^(?:[\W_]|\d{1,2}[.)])+")
_END_MARKS = frozenset(".!…")
_CLOSERS = "\"'”’)] "
_REMEMBERED = 64  # messages whose subjects are remembered, by hash

Place = Literal["start", "inside", "missing", "next", "previous", "unless-named"]
_OF_SENTENCE = ("start", "inside", "missing", "unless-named")
_ANCHORED = ("start", "next", "previous")


class _Content(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class QuotabilityRule(_Content):
    """One reason why a sentence cannot stand alone; the content file's head explains the keys."""

    id: str
    reason: Literal[
        "foreign",
        "leans-back",
        "conditional",
        "reported",
        "addressed",
        "open-end",
        "overturned",
        "specific",
        "first-person",
    ]
    where: Place
    pattern: str = Field(min_length=1)
    unless: str | None = Field(None, min_length=1)
    named_by: str | None = Field(None, min_length=1)
    source: str = Field(min_length=1)
    review: str = Field(min_length=1)

    @model_validator(mode="after")
    def _only_subjects_are_named(self) -> QuotabilityRule:
        if self.named_by and self.where != "unless-named":
            raise ValueError(f"{self.id}: named_by needs where: unless-named")
        return self


class QuotabilityFile(_Content):
    """The rules with their version and reviewer; ids are unique and there is a rule.

    ``links`` are opening words that add something and take nothing back; rules look past them.
    """

    version: int
    language: str
    reviewer: str
    links: tuple[str, ...]
    items: tuple[QuotabilityRule, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _unique(self) -> QuotabilityFile:
        if len({item.id for item in self.items}) != len(self.items):
            raise ValueError("an id occurs twice")
        return self


class Quotability:
    """Compiled once; a judgement is one scan of the sentence and one of each neighbour."""

    def __init__(self, file: QuotabilityFile, engine: PatternEngine) -> None:
        rules = file.items
        links = "|".join(sorted(map(re.escape, file.links), key=len, reverse=True))
        self._links = re.compile(rf"^(?:(?:{links})\b[,:]? *)+") if links else _MARKS
        self._rules = [rule for rule in rules if rule.where in _OF_SENTENCE]
        self._sentence = _compiled(self._rules, engine)
        self._required = {at for at, r in enumerate(self._rules) if r.where == "missing"}
        self._next_rules = [rule for rule in rules if rule.where == "next"]
        self._next = _compiled(self._next_rules, engine)
        self._previous_rules = [rule for rule in rules if rule.where == "previous"]
        self._previous = _compiled(self._previous_rules, engine)
        self._subjects = [at for at, r in enumerate(self._rules) if r.where == "unless-named"]
        named = [self._rules[at].named_by or self._rules[at].pattern for at in self._subjects]
        self._message = engine.compile(named)
        self._named: dict[str, frozenset[int]] = {}

    @classmethod
    def packaged(cls, engine: PatternEngine) -> Quotability:
        """The rules that ship with the package; raises `ContentInvalid` when they are broken."""
        return cls(load(FILE, QuotabilityFile), engine)

    def fault(self, case: Case, sent_id: int, *, message: str) -> str | None:
        """The reason why the sentence cannot stand alone in a reply, or None when it can.

        Beside the reasons of the rules: too-long, too-short, question, fragment,
        odd-letters, inside-quote.
        """
        text = case.sentences[sent_id].of(case.response)
        return (
            _shape_fault(text)
            or self._sentence_fault(self._links.sub("", _opened(text)), message)
            or ("inside-quote" if _inside_quote(case, sent_id) else None)
            or self._neighbour_fault(case, sent_id)
        )

    def leans_back(self, text: str) -> bool:
        """Whether the sentence needs the one before it to say what it means."""
        low = self._links.sub("", _opened(text))
        found = set(self._sentence.matching(low)) ^ self._required
        return any(self._rules[at].reason == "leans-back" for at in found)

    def taken_back(self, case: Case, sent_id: int) -> bool:
        """Whether the sentence after it denies or limits what this one says."""
        if sent_id + 1 == len(case.sentences):
            return False
        found = self._next.matching(_opened(_sentence(case, sent_id + 1)))
        return any(self._next_rules[at].reason == "overturned" for at in found)

    def _sentence_fault(self, low: str, message: str) -> str | None:
        found = set(self._sentence.matching(low))
        for at in sorted(found ^ self._required):
            rule = self._rules[at]
            if rule.where != "unless-named" or at not in self._subjects_of(message):
                return rule.reason
        return None

    def _subjects_of(self, message: str) -> frozenset[int]:
        """Numbers of the subjects that ``message`` names; remembered by hash, never by text."""
        key = digest(message)
        if key not in self._named:
            hits = self._message.scan(plain(message))
            if len(self._named) >= _REMEMBERED:
                self._named = {}
            self._named[key] = frozenset(self._subjects[hit.pattern] for hit in hits)
        return self._named[key]

    def _neighbour_fault(self, case: Case, sent_id: int) -> str | None:
        if sent_id > 0:
            found = self._previous.matching(_opened(_sentence(case, sent_id - 1)))
            if found:
                return self._previous_rules[found[0]].reason
        if sent_id + 1 < len(case.sentences):
            found = self._next.matching(_opened(_sentence(case, sent_id + 1)))
            if found:
                return self._next_rules[found[0]].reason
        return None


def _compiled(rules: Sequence[QuotabilityRule], engine: PatternEngine) -> ExcusablePatterns:
    return ExcusablePatterns([(_anchored(rule), rule.unless) for rule in rules], engine)


def _anchored(rule: QuotabilityRule) -> str:
    return f"^(?:{rule.pattern})" if rule.where in _ANCHORED else rule.pattern


def _sentence(case: Case, sent_id: int) -> str:
    return case.sentences[sent_id].of(case.response)


def _opened(text: str) -> str:
    """The plain text without opening quotes or list marks."""
    return _MARKS.sub("", plain(text))


def _shape_fault(text: str) -> str | None:
    if len(text) > MAX_QUOTE_CHARS:
        return "too-long"
    if len(text.split()) < MIN_QUOTE_WORDS:
        return "too-short"
    if "?" in text:
        return "question"
    if _is_fragment(text):
        return "fragment"
    if not text.isascii() and any(map(_is_odd, text)):
        return "odd-letters"
    return None


def _is_fragment(text: str) -> bool:
    """Whether a sentence was cut: it begins small, has no end mark or an open bracket."""
    body = _MARKS.sub("", text)
    if body[:1].islower() or body.rstrip(_CLOSERS)[-1:] not in _END_MARKS:
        return True
    return body.count("(") != body.count(")")


def _is_odd(letter: str) -> bool:
    """Whether a character could hide a word from the patterns: invisible, or not Latin."""
    if letter.isascii():
        return False
    if letter.isalpha():
        return not unicodedata.name(letter, "").startswith("LATIN SMALL LETTER ") and (
            not unicodedata.name(letter, "").startswith("LATIN CAPITAL LETTER ")
        )
    return unicodedata.category(letter) in ("Cf", "Cc", "Co", "Cs", "Cn", "Mn", "Me")


def _inside_quote(case: Case, sent_id: int) -> bool:
    """Whether the sentence is, or stands within, somebody's speech in quotation marks.

    Marks are counted from the beginning of the paragraph.
    """
    span = case.sentences[sent_id]
    before = case.response[case.response.rfind("\n", 0, span.start) + 1 : span.start]
    text = span.of(case.response)
    if before.count('"') % 2 or before.count("“") > before.count("”"):
        return True
    return text.count('"') % 2 == 1 or text.count("“") != text.count("”") or _is_speech(text)


def _is_speech(text: str) -> bool:
    return text[0] in '"“' and text.rstrip(" .!,;")[-1] in '"”'
