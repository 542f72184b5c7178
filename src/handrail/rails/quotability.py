"""Whether a sentence says the same thing alone as it did in its answer.

A sentence that leans on what went before, that reports or announces something, or that its
neighbour takes back is not quotable alone (SAFETY.md, evidence gate). Neither is one that names a
detail of the first person's life which the present message does not share.
"""

from __future__ import annotations

import re
from typing import Literal

from pydantic import BaseModel, ConfigDict

from handrail.content import load
from handrail.domain.text import Case
from handrail.ports import PatternEngine

FILE = "coach/quotability.en.yaml"
MAX_QUOTE_CHARS = 200  # C26: what is shown to a decider is what may be quoted, whole
MIN_QUOTE_WORDS = 5

_MARKS = re.compile(r"^(?:[\W_]|\d{1,2}[.)])+")


class QuotabilityRule(BaseModel):
    """One reason why a sentence cannot stand alone."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    reason: Literal[
        "leans-back", "conditional", "reported", "addressed", "open-end", "overturned", "specific"
    ]
    where: Literal["start", "inside", "next", "unless-named"]
    pattern: str
    source: str
    review: str


class QuotabilityFile(BaseModel):
    """The rules with their version and reviewer."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    version: int
    language: str
    reviewer: str
    items: tuple[QuotabilityRule, ...]


class Quotability:
    """Compiled once; a judgement is one scan of the sentence and one of its neighbour."""

    def __init__(self, rules: tuple[QuotabilityRule, ...], engine: PatternEngine) -> None:
        self._rules = rules
        self._patterns = engine.compile([_anchored(rule) for rule in rules])

    @classmethod
    def packaged(cls, engine: PatternEngine) -> Quotability:
        """The rules that ship with the package; raises `ContentInvalid` when they are broken."""
        return cls(load(FILE, QuotabilityFile).items, engine)

    def fault(self, case: Case, sent_id: int, *, message: str) -> str | None:
        """The reason why the sentence cannot stand alone in a reply, or None when it can.

        Beside the reasons of the rules: too-long, too-short, question.
        """
        text = case.sentences[sent_id].of(case.response)
        low = plain(text)
        if len(text) > MAX_QUOTE_CHARS:
            return "too-long"
        if len(low.split()) < MIN_QUOTE_WORDS:
            return "too-short"
        if "?" in text:
            return "question"
        return self._rule_fault(low, plain(message)) or self._overturned(case, sent_id)

    def _rule_fault(self, low: str, message: str) -> str | None:
        shared: set[int] | None = None
        for hit in self._patterns.scan(low):
            rule = self._rules[hit.pattern]
            if rule.where == "next":
                continue
            if rule.where != "unless-named":
                return rule.reason
            if shared is None:
                shared = {found.pattern for found in self._patterns.scan(message)}
            word = low[hit.start : hit.end].removeprefix("your ")
            if hit.pattern not in shared or (word not in message and rule.id == _RELATIONS):
                return rule.reason
        return None

    def _overturned(self, case: Case, sent_id: int) -> str | None:
        if sent_id + 1 >= len(case.sentences):
            return None
        following = plain(case.sentences[sent_id + 1].of(case.response))
        hits = (self._rules[hit.pattern] for hit in self._patterns.scan(following))
        return next((rule.reason for rule in hits if rule.where == "next"), None)


_RELATIONS = "quote-relations"  # here the same word must be shared, not only the same subject


def _anchored(rule: QuotabilityRule) -> str:
    return f"^(?:{rule.pattern})" if rule.where in ("start", "next") else rule.pattern


def plain(text: str) -> str:
    """Lower case with straight apostrophes, without opening quotes or list marks."""
    text = " ".join(text.lower().replace("’", "'").replace("‘", "'").split())
    return _MARKS.sub("", text)
