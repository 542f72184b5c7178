"""What may not be quoted at a person, even verbatim: advice patterns over the evidence pool.

It applies to evidence before anyone can select it (C24, C25) and never to the finished reply
(C69). Entries are patterns of advice, not single common words.
"""

from __future__ import annotations

from typing import Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, model_validator

from handrail.content import load
from handrail.domain.duties import Duties
from handrail.ports import PatternEngine
from handrail.rails.patterns import ExcusablePatterns, plain

FILE = "coach/denylist.en.yaml"

Category = Literal[
    "medication",
    "medical-claim",
    "diagnosis",
    "confidentiality",
    "absolute",
    "manipulation",
    "harm",
    "contact",
]
CATEGORIES = frozenset(get_args(Category))


def forbids(duties: Duties) -> frozenset[str]:
    """The categories that may not be shown at all, not even beside a reply.

    Quotes are held to every category whatever the duties are. Where nothing may be said in the
    manner of therapy, what is shown instead is held to every category as well.
    """
    if not duties.therapeutic_communication:
        return CATEGORIES
    owed = {
        "medication": duties.no_medication_advice,
        "medical-claim": duties.no_diagnosis,
        "diagnosis": duties.no_diagnosis,
        "confidentiality": duties.no_confidentiality_promise,
    }
    return frozenset(name for name, on in owed.items() if on)


class _Content(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class DenylistItem(_Content):
    """One pattern in RE2 syntax over lower-cased text with straight apostrophes.

    Where ``unless`` matches as well the entry does not apply. ``catches`` and ``passes`` are its
    own examples, and a test holds the entry to them.
    """

    id: str
    category: Category
    pattern: str = Field(min_length=1)
    unless: str | None = Field(None, min_length=1)
    catches: tuple[str, ...] = Field(min_length=1)
    passes: tuple[str, ...] = Field(min_length=1)
    source: str = Field(min_length=1)
    review: str = Field(min_length=1)


class DenylistFile(_Content):
    """The denylist with its version and reviewer; ids are unique and there is an entry."""

    version: int
    language: str
    reviewer: str
    items: tuple[DenylistItem, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _unique(self) -> DenylistFile:
        if len({item.id for item in self.items}) != len(self.items):
            raise ValueError("an id occurs twice")
        return self


class Denylist:
    """Compiled once; scanning is linear in the text."""

    def __init__(self, items: tuple[DenylistItem, ...], engine: PatternEngine) -> None:
        self.items = items
        self._patterns = ExcusablePatterns([(i.pattern, i.unless) for i in items], engine)

    @classmethod
    def packaged(cls, engine: PatternEngine) -> Denylist:
        """The denylist that ships with the package; raises `ContentInvalid` when it is broken."""
        return cls(load(FILE, DenylistFile).items, engine)

    def hits(self, text: str) -> tuple[DenylistItem, ...]:
        """The entries that ``text`` matches, each once, in file order; empty means quotable."""
        return tuple(self.items[at] for at in self._patterns.matching(plain(text)))

    def subjects(self, text: str) -> frozenset[str]:
        """The categories of the entries that ``text`` matches."""
        return frozenset(item.category for item in self.hits(text))
