"""One language's file: the schema, and its phrases ready to be looked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

from handrail.content.loader import ROOT, load
from handrail.errors import ContentInvalid
from handrail.rails.crisis.phrases import Book, Phrase, folded
from handrail.rails.crisis.spelling import undouble, undoubled
from handrail.rails.reply_contract.forms import (
    Verbs,
    english_forms,
    orders,
    prohibitions,
    spanish_forms,
)
from handrail.rails.reply_contract.terms import Code

_FILES = "reply_contract/*.yaml"
Where: TypeAlias = Literal["anywhere", "told", "asked", "quoted", "unquoted"]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class RuleModel(_Strict):
    """What may not be said; ``told`` is what no question says, ``everywhere`` in any language."""

    id: str
    code: Code
    review: str
    say: str
    where: Where = "anywhere"
    everywhere: bool = False


class ShieldModel(_Strict):
    """A phrase that sets aside each breach of ``codes`` that it overlaps."""

    id: str
    review: str
    codes: tuple[Code, ...]
    say: str


class TrapModel(_Strict):
    """How a thinking trap is called."""

    id: str
    review: str
    say: str


class FollowModel(_Strict):
    """Words after which nothing but ``may`` is allowed to stand."""

    after: str
    code: Code
    may: str
    where: Where = "anywhere"


class ContractModel(_Strict):
    """One language's file; the comments in it explain the keys."""

    id: str
    version: str
    language: str
    reviewer: str
    source: str
    function_words: str
    anchors: str
    anchor_openers: str
    openers: str
    opener_endings: str = ""
    lead_ins: str
    lead_in_endings: str = ""
    clitics: str = ""
    negation: str = ""
    commands: str
    verbs: Verbs = Field(default_factory=Verbs)
    states: str = ""
    deeds: str = ""
    deed_forms: str = ""
    doers: str = ""
    under_way: str = ""
    deed_endings: str = ""
    no_deeds: str = ""
    goals: str = ""
    aims: str = ""
    guarded: str
    chains: str = ""
    voices: tuple[Mapping[str, str], ...] = ()
    traps: tuple[TrapModel, ...]
    asks: str
    asking: str
    asking_first: str = ""
    questions: tuple[str, ...] = ()
    joined: tuple[str, ...] = ()
    concepts: Mapping[str, str]
    rules: tuple[RuleModel, ...]
    shields: tuple[ShieldModel, ...]
    follows: tuple[FollowModel, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """Something that is said in some ways: a breach, a shield, a trap's name or an ask."""

    role: Literal["rule", "shield", "trap", "ask"]
    id: str
    language: str
    phrases: tuple[Phrase, ...]
    codes: tuple[Code, ...] = ()
    where: Where = "anywhere"
    everywhere: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Follow:
    """Words in normal form, and those that may come next."""

    after: tuple[str, ...]
    written: str  # how the words must be written where an accent tells them apart, or ""
    may: frozenset[str]
    code: Code
    where: Where


@dataclass(frozen=True, slots=True, kw_only=True)
class Lexicon:
    """What one file says; words are in normal form, but for those of ``small`` and ``voices``."""

    language: str
    version: str
    said: tuple[Said, ...]
    follows: tuple[Follow, ...]
    small: frozenset[str]
    anchors: frozenset[str]
    anchor_stems: tuple[str, ...]
    anchor_openers: frozenset[str]
    openers: frozenset[str]
    opener_endings: tuple[str, ...]
    lead_ins: frozenset[str]
    lead_in_endings: tuple[str, ...]
    clitics: frozenset[str]
    negation: frozenset[str]
    commands: frozenset[str]
    prohibitions: frozenset[str]
    deeds: frozenset[str]
    deed_forms: frozenset[str]
    doers: frozenset[str]
    under_way: frozenset[str]
    deed_endings: tuple[str, ...]
    no_deeds: frozenset[str]
    goals: frozenset[str]
    aims: frozenset[str]
    asking: frozenset[str]
    asking_first: frozenset[str]
    questions: tuple[str, ...]
    joined: tuple[str, ...]
    guarded: frozenset[str]
    chains: frozenset[str]
    voices: tuple[Mapping[str, str], ...]
    words: frozenset[str]


def load_lexicons() -> Iterator[Lexicon]:
    """Every packaged language by name; raises `ContentInvalid` when a file is broken."""
    for path in sorted(ROOT.glob(_FILES)):
        name = path.relative_to(ROOT).as_posix()
        yield lexicon_of(load(name, ContractModel), name)


def lexicon_of(model: ContractModel, where: str) -> Lexicon:
    """The lexicon in a parsed file; raises `ContentInvalid` for a phrase that cannot be read."""
    _refuse_twins(model, where)
    book = Book(model.concepts, frozenset(folded(model.function_words).split()), where)
    said = tuple(_said(model, book))
    small, openers = folded(model.function_words).split(), folded(model.openers).split()
    deeds = _deeds(model)
    anchors = folded(model.anchors).split()
    commands = {*folded(model.commands).split(), *orders(model.verbs)}
    known = undoubled({*book.words, *small, *openers, *commands}).values()
    return Lexicon(
        language=model.language,
        version=model.version,
        said=said,
        follows=tuple(map(_follow, model.follows)),
        small=frozenset(small),
        anchors=frozenset(word for word in anchors if word[-1] != "*"),
        anchor_stems=tuple(word[:-1] for word in anchors if word[-1] == "*"),
        anchor_openers=frozenset(folded(model.anchor_openers).split()),
        openers=_normal(model.openers),
        opener_endings=tuple(model.opener_endings.split()),
        lead_ins=_normal(model.lead_ins),
        lead_in_endings=tuple(model.lead_in_endings.split()),
        clitics=_normal(model.clitics),
        negation=_normal(model.negation),
        deeds=frozenset(map(undouble, deeds)),
        deed_forms=_deed_forms(model, deeds),
        doers=_normal(model.doers),
        under_way=_normal(model.under_way),
        deed_endings=tuple(model.deed_endings.split()),
        no_deeds=_normal(f"{model.no_deeds} {model.function_words}"),
        goals=_normal(model.goals),
        aims=_normal(f"{model.aims} {model.function_words}"),
        prohibitions=frozenset(map(undouble, prohibitions(model.verbs))),
        asking=frozenset(model.asking.split()),
        asking_first=frozenset(model.asking_first.split()),
        questions=model.questions,
        joined=model.joined,
        commands=frozenset(map(undouble, commands)),
        guarded=frozenset(folded(model.guarded).split()),
        chains=frozenset(model.chains.split()),
        voices=model.voices,
        words=frozenset(word for word in known if word[-1] != "*"),
    )


def _said(model: ContractModel, book: Book) -> Iterator[Said]:
    for rule in model.rules:
        yield Said(
            role="rule",
            id=rule.id,
            language=model.language,
            phrases=book.phrases(rule.id, rule.say),
            codes=(rule.code,),
            where=rule.where,
            everywhere=rule.everywhere,
        )
    for shield in model.shields:
        yield Said(
            role="shield",
            id=shield.id,
            language=model.language,
            phrases=book.phrases(shield.id, shield.say),
            codes=shield.codes,
        )
    for trap in model.traps:
        phrases = book.phrases(trap.id, trap.say)
        yield Said(role="trap", id=trap.id, language=model.language, phrases=phrases)
    asks = book.phrases("asks", model.asks)
    yield Said(role="ask", id="asks", language=model.language, phrases=asks)


def _deeds(model: ContractModel) -> frozenset[str]:
    """Verbs that somebody could be told to do, as the dictionary has them."""
    changed = (pair.partition(":")[0] for pair in model.verbs.changed.split())
    verbs = {*model.deeds.split(), *model.verbs.regular.split(), *changed}
    if not model.verbs.regular:
        verbs |= set(folded(model.commands).split())
    return frozenset(verbs - set(model.states.split()))


def _deed_forms(model: ContractModel, deeds: frozenset[str]) -> frozenset[str]:
    if not model.verbs.regular:
        return english_forms(deeds) | _normal(model.deed_forms)
    return spanish_forms(deeds, model.deed_forms.split())


def _follow(model: FollowModel) -> Follow:
    after = tuple(map(undouble, folded(model.after).split()))
    return Follow(
        after=after,
        written="" if model.after.isascii() else model.after,
        may=_normal(model.may),
        code=model.code,
        where=model.where,
    )


def _normal(words: str) -> frozenset[str]:
    return frozenset(map(undouble, folded(words).split()))


def _refuse_twins(model: ContractModel, where: str) -> None:
    entries: Sequence[RuleModel | ShieldModel | TrapModel]
    entries = [*model.rules, *model.shields, *model.traps]
    ids = [each.id for each in entries]
    if twins := sorted({name for name in ids if ids.count(name) > 1}):
        raise ContentInvalid(f"{where}: {', '.join(twins)} is defined more than once.")
