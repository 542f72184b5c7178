"""Lexicons: the schema of a language's file, and what the screen needs of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from handrail.domain.risk import Level, Subject
from handrail.errors import ContentInvalid
from handrail.rails.crisis.phrases import Book, Phrase, folded
from handrail.rails.crisis.spelling import Sounding, undoubled

Kind = Literal[
    "suicide",
    "passive_ideation",
    "burden",
    "goodbye",
    "facilitation",
    "self_harm",
    "harm_others",
    "abuse",
    "child_abuse",
    "coercive_control",
    "voices",
    "eating_disorder",
    "overdose",
    "substance",
    "exhaustion",
    "slang",
]
Role = Literal[
    "negation",  # ends where the danger begins: "do not", "no plans to"
    "affirmation",  # takes a negation back: "why not", "not only"
    "coordination",  # carries a negation on: "or even"
    "addressed",  # the danger is asked of the listener: "do you want to"
    "reported",  # somebody else said it: "she told me that"
    "feared",  # dreaded by the writer: "scared that I might"
    "formerly",  # puts the danger in the past: "used to"
    "distant",  # long ago
    "recent",  # just now, as against long ago
    "resolved",  # over, and well now
    "now",  # the danger is under way
    "trivial",  # an everyday cause: homework, traffic
    "fiction",
    "topic",
    "self",  # words for the writer
    "third",  # words for somebody else
    "connector",  # begins a new clause without a mark, but gives no cause: "and", "but"
    "loss",  # loss or hopelessness, for rules that need it beside them
]


_TIGHT = {"negation", "affirmation", "addressed", "feared", "formerly"}  # bind to what they touch


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class RuleModel(_Strict):
    """A danger: what is said, how grave it is, and how its surroundings may change that.

    ``subject: open`` asks the words before the hit whose danger it is; ``third`` is the level when
    it is somebody else's. ``negation: own`` means that the phrase holds its own negation.
    ``tense: past`` sinks to mild when long ago or resolved, to moderate when not recent; ``told``
    only when long ago or resolved, ``always`` never. A ``trivial``
    rule sinks to mild beside an everyday cause, a ``topical`` one is set aside as subject matter,
    a ``bare`` one counts only where no fuller phrase lies over it, a ``literal`` one is no idiom's
    and no story's business. ``needs`` names cues, kinds or signs, of which one must be
    present in the message.
    """

    id: str
    kind: Kind
    level: Literal["mild", "moderate", "high"]
    review: str
    say: str
    subject: Literal["self", "third", "other", "open"] = "self"
    third: Literal["none", "mild", "moderate", "high"] = "moderate"
    negation: Literal["outer", "own"] = "outer"
    tense: Literal["present", "past", "told", "always"] = "present"
    trivial: bool = False
    topical: bool = False
    bare: bool = False
    literal: bool = False
    needs: tuple[str, ...] = ()


class SignModel(_Strict):
    """A weak sign: no danger alone, but one of those that `SumModel` adds up.

    Ways to say the same sign may have several entries; they count once. The surroundings set it
    aside as they do a rule's, and it counts only where it is the ``subject``'s own.
    """

    id: str
    sign: str
    review: str
    say: str
    subject: Literal["self", "third"] = "self"
    negation: Literal["outer", "own"] = "outer"
    topical: bool = False


class SumModel(_Strict):
    """A danger made of ``least`` different signs of one message, or of all of them.

    ``signs`` names signs, and kinds of danger found at any level; ``unless`` names signs of a
    harmless reason, such as moving house, any of which takes the sum away.
    """

    id: str
    kind: Kind
    level: Literal["mild", "moderate", "high"]
    review: str
    signs: tuple[str, ...]
    least: int | None = None
    unless: tuple[str, ...] = ()
    subject: Literal["self", "third", "other"] = "self"


class IdiomModel(_Strict):
    """A phrase that sets aside every danger it overlaps, or only those of ``kinds``."""

    id: str
    review: str
    reason: Literal["idiom", "object", "topic", "history", "fiction", "work", "sport", "health"]
    say: str
    kinds: tuple[Kind, ...] = ()


class LexiconModel(_Strict):
    """One language's file.

    ``variants`` are short and dialect spellings of a word, read wherever a phrase says the word;
    ``sounds`` tell which letters sound alike, in the order in which they are put in; ``barriers``
    are negative words that no short gap of a phrase passes over.
    """

    version: str
    language: str
    reviewer: str
    common: str
    guarded: str
    barriers: str = ""
    variants: Mapping[str, str] = {}
    sounds: Mapping[str, str] = {}
    concepts: Mapping[str, str]
    cues: Mapping[Role, str]
    idioms: tuple[IdiomModel, ...]
    rules: tuple[RuleModel, ...]
    signs: tuple[SignModel, ...] = ()
    sums: tuple[SumModel, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A danger, ready to be looked for; a sign is one of level none, whose kind is its name."""

    id: str
    kind: str
    level: Level
    language: str
    phrases: tuple[Phrase, ...]
    subject: Subject | None  # None: the words before it say whose danger it is
    third: Level
    own_negation: bool
    past: bool
    told: bool
    always: bool
    trivial: bool
    topical: bool
    bare: bool
    literal: bool
    needs: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sum:
    """A danger that so many of its signs make up together."""

    id: str
    kind: str
    level: Level
    language: str
    signs: frozenset[str]
    least: int
    unless: frozenset[str]
    subject: Subject


@dataclass(frozen=True, slots=True, kw_only=True)
class Idiom:
    """A harmless sense of dangerous words."""

    id: str
    reason: str
    language: str
    kinds: frozenset[str]
    phrases: tuple[Phrase, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cue:
    """Words that change what the dangers around them mean."""

    role: str
    language: str
    phrases: tuple[Phrase, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Lexicon:
    """What one language's file says."""

    language: str
    version: str
    reviewer: str
    rules: tuple[Rule, ...]
    sums: tuple[Sum, ...]
    idioms: tuple[Idiom, ...]
    cues: tuple[Cue, ...]
    words: frozenset[str]
    stems: frozenset[str]
    guarded: frozenset[str]
    sounding: Sounding | None


def read_lexicon(raw: object, where: str) -> Lexicon:
    """The lexicon in the parsed file ``where``; raises `ContentInvalid` naming what is wrong."""
    try:
        model = LexiconModel.model_validate(raw)
    except ValidationError as broken:
        raise ContentInvalid(f"{where}: {broken}") from broken
    return _Builder(model, where).lexicon()


class _Builder:
    def __init__(self, model: LexiconModel, where: str) -> None:
        self._model = model
        self._where = where
        self._common = tuple(map(folded, model.common.split()))
        common = frozenset(self._common)
        self._book = Book(model.concepts, common, where, model.variants, model.barriers)

    def lexicon(self) -> Lexicon:
        model = self._model
        self._refuse_twins(
            [
                *(r.id for r in model.rules),
                *(s.id for s in model.signs),
                *(s.id for s in model.sums),
                *(i.id for i in model.idioms),
            ]
        )
        rules = (*map(self._rule, model.rules), *map(self._sign, model.signs))
        sums = tuple(map(self._sum, model.sums))
        idioms = tuple(map(self._idiom, model.idioms))
        cues = tuple(self._cue(role, said) for role, said in model.cues.items())
        words = undoubled(self._book.words).values()
        return Lexicon(
            language=model.language,
            version=model.version,
            reviewer=model.reviewer,
            rules=rules,
            sums=sums,
            idioms=idioms,
            cues=cues,
            words=frozenset(word for word in words if word[-1] != "*"),
            stems=frozenset(word[:-1] for word in words if word[-1] == "*"),
            guarded=frozenset(folded(model.guarded).split()),
            sounding=self._sounding(),
        )

    def _sounding(self) -> Sounding | None:
        """The file's words by their sound, common and guarded ones before others."""
        if not self._model.sounds:
            return None
        rest = sorted(word for word in self._book.words if word[-1] != "*")
        first = [*self._common, *folded(self._model.guarded).split()]
        return Sounding(self._model.sounds, dict.fromkeys([*first, *rest]))

    def _rule(self, rule: RuleModel) -> Rule:
        return Rule(
            id=rule.id,
            kind=rule.kind,
            level=Level[rule.level.upper()],
            language=self._model.language,
            phrases=self._phrases(rule.id, rule.say),
            subject=None if rule.subject == "open" else Subject(rule.subject),
            third=Level[rule.third.upper()],
            own_negation=rule.negation == "own",
            past=rule.tense in ("past", "told"),
            told=rule.tense == "told",
            always=rule.tense == "always",
            trivial=rule.trivial,
            topical=rule.topical,
            bare=rule.bare,
            literal=rule.literal,
            needs=frozenset(rule.needs),
        )

    def _sign(self, sign: SignModel) -> Rule:
        return Rule(
            id=sign.id,
            kind=sign.sign,
            level=Level.NONE,
            language=self._model.language,
            phrases=self._phrases(sign.id, sign.say),
            subject=Subject(sign.subject),
            third=Level.NONE,
            own_negation=sign.negation == "own",
            past=False,
            told=False,
            always=False,
            trivial=False,
            topical=sign.topical,
            bare=False,
            literal=False,
            needs=frozenset(),
        )

    def _sum(self, total: SumModel) -> Sum:
        known = {each.kind for each in self._model.rules} | {s.sign for s in self._model.signs}
        least = len(total.signs) if total.least is None else total.least
        named = {*total.signs, *total.unless}
        if not 1 < least <= len(set(total.signs)) or not known.issuperset(named):
            raise ContentInvalid(
                f"{self._where}: {total.id} needs two signs or more, each said in the file."
            )
        return Sum(
            id=total.id,
            kind=total.kind,
            level=Level[total.level.upper()],
            language=self._model.language,
            signs=frozenset(total.signs),
            least=least,
            unless=frozenset(total.unless),
            subject=Subject(total.subject),
        )

    def _idiom(self, idiom: IdiomModel) -> Idiom:
        kinds = frozenset[str](idiom.kinds)
        return Idiom(
            id=idiom.id,
            reason=idiom.reason,
            language=self._model.language,
            kinds=kinds,
            phrases=self._phrases(idiom.id, idiom.say),
        )

    def _cue(self, role: str, said: str) -> Cue:
        phrases = self._phrases(role, said, tight=role in _TIGHT)
        return Cue(role=role, language=self._model.language, phrases=phrases)

    def _phrases(self, name: str, said: str, *, tight: bool = False) -> tuple[Phrase, ...]:
        phrases = self._book.phrases(name, said, tight=tight)
        if not phrases:
            raise ContentInvalid(f"{self._where}: {name} says nothing.")
        return phrases

    def _refuse_twins(self, ids: Sequence[str]) -> None:
        twins = sorted(set(_twice(ids)))
        if twins:
            raise ContentInvalid(f"{self._where}: {', '.join(twins)} is defined more than once.")


def _twice(ids: Sequence[str]) -> Iterator[str]:
    seen: set[str] = set()
    for name in ids:
        if name in seen:
            yield name
        seen.add(name)
