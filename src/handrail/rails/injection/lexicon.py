"""What an attack sounds like: the schema of a language's file, and what the screen needs of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from handrail.content.loader import ROOT, load
from handrail.errors import ContentInvalid
from handrail.rails.injection.phrases import Phrasebook

_FOLDER = "injection"

Kind = Literal[
    "override",  # drop the instructions that hold
    "extraction",  # show the instructions, or a secret beside them
    "persona",  # be somebody whom no rule binds
    "mode",  # a switch that is said to turn the rules off
    "authority",  # the writer claims the right to order
    "forgery",  # marks of a chat template, or turns that nobody took
    "output",  # the reply's words are dictated
    "encoded",  # the order comes in disguise
    "tool",  # send, fetch, run or smuggle something
    "indirect",  # a text that speaks to the machine that reads it
]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class RuleModel(_Strict):
    """A sign of an attack; ``weight`` is how far it alone makes the case.

    ``say`` holds phrases, one a line; ``pattern`` is RE2 syntax over folded text. ``example`` is a
    text on which the rule fires.
    """

    id: str
    kind: Kind
    weight: float = Field(gt=0, lt=1)
    review: str
    example: str
    say: str = ""
    pattern: str = ""

    @model_validator(mode="after")
    def _says_something(self) -> RuleModel:
        if bool(self.say.strip()) == bool(self.pattern):
            raise ValueError(f"{self.id} needs either say or pattern")
        return self


class ShieldModel(_Strict):
    """A phrase that sets aside every sign it overlaps: talk about such words, not such talk."""

    id: str
    review: str
    reason: Literal["own-question", "reported", "topic", "device", "document"]
    example: str
    say: str


class LexiconModel(_Strict):
    """One language's file; ``guarded`` are words worth mending when they are misspelt."""

    version: str
    language: str
    reviewer: str
    guarded: str = ""
    concepts: dict[str, str] = {}
    items: tuple[RuleModel, ...] = ()
    shields: tuple[ShieldModel, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A sign, ready to be looked for."""

    id: str
    kind: str
    weight: float
    pattern: str
    phrase: bool  # a match may have marks and spaces at its edges, which are no part of it


@dataclass(frozen=True, slots=True, kw_only=True)
class Shield:
    """What sets a sign aside."""

    id: str
    reason: str
    pattern: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Lexicon:
    """What one file says."""

    language: str
    version: str
    rules: tuple[Rule, ...]
    shields: tuple[Shield, ...]
    words: frozenset[str]
    guarded: frozenset[str]


def load_lexicons() -> Iterator[Lexicon]:
    """Every ``injection/*.yaml`` by name: adding a language is adding a file."""
    for path in sorted((ROOT / _FOLDER).glob("*.yaml")):
        name = f"{_FOLDER}/{path.name}"
        yield lexicon_of(load(name, LexiconModel), name)


def lexicon_of(model: LexiconModel, where: str) -> Lexicon:
    """The lexicon in a parsed file; raises `ContentInvalid` for what cannot be read."""
    _refuse_twins([*(r.id for r in model.items), *(s.id for s in model.shields)], where)
    book = Phrasebook(model.concepts, where)
    rules = tuple(
        Rule(
            id=r.id,
            kind=r.kind,
            weight=r.weight,
            pattern=r.pattern or book.pattern(r.say),
            phrase=not r.pattern,
        )
        for r in model.items
    )
    shields = tuple(
        Shield(id=s.id, reason=s.reason, pattern=book.pattern(s.say, close=True))
        for s in model.shields
    )
    return Lexicon(
        language=model.language,
        version=model.version,
        rules=rules,
        shields=shields,
        words=frozenset(book.words),
        guarded=frozenset(model.guarded.split()),
    )


def _refuse_twins(ids: Sequence[str], where: str) -> None:
    if twins := sorted({name for name in ids if ids.count(name) > 1}):
        raise ContentInvalid(f"{where}: {', '.join(twins)} is defined more than once.")
