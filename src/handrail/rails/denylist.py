"""What may not be quoted at a person, even verbatim: advice patterns over the evidence pool.

It applies to evidence before anyone can select it (C24, C25) and never to the finished reply
(C69). Entries are patterns of advice, not single common words.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict

from handrail.content import load
from handrail.ports import PatternEngine

FILE = "coach/denylist.en.yaml"


class DenylistItem(BaseModel):
    """One pattern in RE2 syntax over lower-cased text with straight apostrophes."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    category: Literal[
        "medication", "medical-claim", "manipulation", "absolute", "harm", "diagnosis", "contact"
    ]
    pattern: str
    source: str
    review: str


class DenylistFile(BaseModel):
    """The denylist with its version and reviewer."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    version: int
    language: str
    reviewer: str
    items: tuple[DenylistItem, ...]


class Denylist:
    """Compiled once; scanning is linear in the text."""

    def __init__(self, items: tuple[DenylistItem, ...], engine: PatternEngine) -> None:
        self._items = items
        self._patterns = engine.compile([item.pattern for item in items])

    @classmethod
    def packaged(cls, engine: PatternEngine) -> Denylist:
        """The denylist that ships with the package; raises `ContentInvalid` when it is broken."""
        return cls(load(FILE, DenylistFile).items, engine)

    def hits(self, text: str) -> tuple[DenylistItem, ...]:
        """The entries that ``text`` matches, each once, in file order; empty means quotable."""
        found = {hit.pattern for hit in self._patterns.scan(plain(text))}
        return tuple(self._items[index] for index in sorted(found))


def plain(text: str) -> str:
    """Lower case, straight apostrophes, single spaces: the form the patterns are written for."""
    return " ".join(text.lower().replace("’", "'").split())
