"""What only a conversation shows: which danger the other side asked about, and signs of strain."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from handrail.content.loader import ROOT, load
from handrail.domain.risk import Level, Subject
from handrail.ports import PatternEngine
from handrail.rails.crisis.answers import Answer
from handrail.rails.crisis.lexicon import Kind
from handrail.rails.crisis.normalise import Normal, Normaliser
from handrail.rails.crisis.phrases import Book, Phrase, folded
from handrail.rails.crisis.reading import Index, Sentence
from handrail.rails.crisis.scope import Places
from handrail.rails.crisis.spelling import Speller, undoubled

_FILES = "conversation/hearing.*.yaml"
_ASKING = re.compile(r"[^.?!\n]*\?")  # a sentence that asks, in either language
_LevelName = Literal["none", "mild", "moderate", "high"]
Side = Literal["future", "self"]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class QuestionModel(_Strict):
    """A direct question and the level that each answer to it means.

    A ``beside`` question counts only in a turn that speaks of suicide or self-harm; a sentence
    with an ``unless`` phrase does not ask it.
    """

    id: str
    review: str
    kind: Kind
    say: str
    subject: Subject = Subject.SELF
    yes: _LevelName
    unsure: _LevelName
    no: _LevelName = "none"
    beside: bool = False
    unless: str = ""


class SignModel(_Strict):
    """A sign of strain; those about the future weigh with those about oneself."""

    id: str
    review: str
    sign: str
    side: Side
    say: str


class HearingModel(_Strict):
    """One language's file."""

    id: str
    version: str
    language: str
    reviewer: str
    common: str
    concepts: Mapping[str, str]
    danger: str
    safe: str
    leading: str
    void: str
    negation: str
    own: str = Field(alias="self")
    third: str
    questions: tuple[QuestionModel, ...]
    signs: tuple[SignModel, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A direct question that was asked.

    ``open`` when its answer can only be its own: no other question followed it, and it does not
    suggest a no, as "you wouldn't hurt yourself, right?" does.
    """

    id: str
    kind: str
    subject: Subject
    language: str
    levels: Mapping[Answer, Level]
    open: bool = True

    @property
    def asks_for_a_yes(self) -> bool:
        """Whether a no is the grave answer: "are you safe?"."""
        return self.levels[Answer.NO] > Level.NONE


@dataclass(frozen=True, slots=True, kw_only=True)
class _Said:
    """Anything in a hearing file that is said in some ways."""

    role: str
    language: str
    phrases: tuple[Phrase, ...]
    question: QuestionModel | None = None
    sign: SignModel | None = None


class Ear:
    """Reads every language it has a file for; linear in the text, without state."""

    def __init__(self, models: Iterable[HearingModel], engine: PatternEngine) -> None:
        said: list[_Said] = []
        words: set[str] = set()
        for model in models:
            book = Book(model.concepts, frozenset(folded(model.common).split()), model.id)
            said += _said(model, book)
            words |= {word for word in undoubled(book.words).values() if word[-1] != "*"}
        self._normalise = Normaliser(Speller(words=words))
        self._index = Index(engine)
        self._shelf = self._index.shelve(said)
        self.sides: Mapping[str, Side] = {s.sign.sign: s.sign.side for s in said if s.sign}

    def compile_all(self) -> None:
        """Compile every pattern now, so that no message pays for it later."""
        self._shelf.compile_all()

    def asked(self, turn: str) -> tuple[Question, ...]:
        """The direct questions about danger in a turn, in order, each once."""
        sentences = [match.group().rpartition("¿")[2] for match in _ASKING.finditer(turn)]
        if not sentences:
            return ()
        beside = bool(self._roles(turn) & {"danger"})
        found: dict[str, Question] = {}
        for number, sentence in enumerate(sentences):
            for question in self._questions(sentence, beside, last=number == len(sentences) - 1):
                found[question.id] = question
        return tuple(found.values())

    def claims_safety(self, normal: Normal) -> bool:
        """Whether somebody says that they are safe."""
        found = self._shelf.read(self._index.open(normal.text))
        return any(one.what.role == "safe" for one in found)

    def signs(self, normal: Normal) -> Counter[str]:
        """In how many sentences of a message its writer shows each sign of strain."""
        sentences = self._index.open(normal.text)
        return Counter(sign for each in sentences for sign in set(self._signs(normal, each)))

    def tongue(self, normal: Normal) -> str | None:
        """The language of the first sign in a message; None without any."""
        found = self._shelf.read(self._index.open(normal.text))
        return next((one.what.language for one in found if one.what.sign), None)

    def _roles(self, text: str) -> set[str]:
        sentences = self._index.open(self._normalise(text).text)
        return {found.what.role for found in self._shelf.read(sentences)}

    def _questions(self, sentence: str, beside: bool, *, last: bool) -> Iterator[Question]:
        found = self._shelf.read(self._index.open(self._normalise(sentence).text))
        barred = {one.what.role for one in found}
        for one in found:
            model = one.what.question
            if model is None or f"unless {model.id}" in barred or (model.beside and not beside):
                continue
            yield _question(model, one.what.language, open=last and "leading" not in barred)

    def _signs(self, normal: Normal, sentence: Sentence) -> Iterator[str]:
        """The signs in a sentence, but for negated, quoted, joked and other people's ones."""
        found = self._shelf.read([sentence])
        places = {
            role: Places((s, e) for s, e, what in found if what.role == role)
            for role in ("void", "negation", "self", "third")
        }
        if places["void"]:
            return
        for start, _, what in found:
            opened, closed = normal.quotation(start)
            if what.sign is None or closed > opened or places["negation"].touches(start):
                continue
            own, third = (places[role].last_end(start + 1) for role in ("self", "third"))
            if own >= third:
                yield what.sign.sign


def packaged_ear(engine: PatternEngine) -> Ear:
    """The ear for every packaged language; raises `ContentInvalid` when a file is broken."""
    names = sorted(path.relative_to(ROOT).as_posix() for path in ROOT.glob(_FILES))
    return Ear([load(name, HearingModel) for name in names], engine)


def _said(model: HearingModel, book: Book) -> Iterator[_Said]:
    def said(role: str, text: str, **more: QuestionModel | SignModel) -> _Said:
        phrases = book.phrases(role, text, tight=role == "negation")
        return _Said(role=role, language=model.language, phrases=phrases, **more)  # type: ignore[arg-type]

    yield said("danger", model.danger)
    yield said("safe", model.safe)
    yield said("leading", model.leading)
    yield said("void", model.void)
    yield said("negation", model.negation)
    yield said("self", model.own)
    yield said("third", model.third)
    for question in model.questions:
        yield said(question.id, question.say, question=question)
        if question.unless:
            yield said(f"unless {question.id}", question.unless)
    for sign in model.signs:
        yield said(sign.id, sign.say, sign=sign)


def _question(model: QuestionModel, language: str, *, open: bool) -> Question:
    named = {Answer.YES: model.yes, Answer.UNSURE: model.unsure, Answer.NO: model.no}
    return Question(
        id=model.id,
        kind=model.kind,
        subject=model.subject,
        language=language,
        levels={answer: Level[name.upper()] for answer, name in named.items()},
        open=open,
    )


def gravest(questions: Sequence[Question], answer: Answer) -> Question | None:
    """The question to which ``answer`` means most; the first of equals."""
    return max(questions, key=lambda asked: asked.levels.get(answer, Level.NONE), default=None)
