"""How each language says what a message can say: the content files, and looking their words up."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from handrail.content.loader import ROOT, load
from handrail.flows.reframe.reading.model import Act, Asked, Language, Topic
from handrail.ports import PatternEngine
from handrail.rails.crisis.normalise import Normal, Normaliser
from handrail.rails.crisis.phrases import Book, Phrase, folded
from handrail.rails.crisis.reading import Found, Index
from handrail.rails.crisis.spelling import Sounding, Speller, undoubled

_FILES = "reframe/reading.*.yaml"
_CHOICE = re.compile(r"\(([^()]*)\)")
_SHORTEST_STEM = 5  # letters from which a stem is of one language only
_SHORTEST_GUARDED = 6  # letters from which a feeling word is mended when a letter is lost

Role = Literal[
    "lead",  # begins a clause and is not said back: "well, maybe"
    "belief",  # the same, and what follows is believed or feared: "I think that"
    "keep",  # looks like a lead and is not: "I don't think"
    "tail",  # ends a clause and is not said back: "I guess"
    "boundary",  # begins a clause without a mark: "and they"
    "filler",  # says nothing
    "bare",  # beside a feeling, tells of no situation
    "thought",
    "situation",
    "evidence",
    "negation",  # right before a feeling: it is not felt
    "third",  # right before a feeling: somebody else feels it
    "void",  # looks like a feeling and is none: "sit down"
    "reported",  # somebody else thinks or says what follows
    "attack",  # harsh words about oneself
    "corrects",  # we took it wrong: "that's not what I meant"
    "turns",  # leaves what was told for something else: "forget that"
    "loss",  # somebody died
    "doubts",  # doubts that this is of use, before it began
]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class _Item(_Strict):
    """Ways to say one thing; ``asked`` limits them to answers to those questions."""

    id: str
    review: str
    say: str
    asked: tuple[Asked, ...] = ()


class ActModel(_Item):
    """A ``whole`` act is done only by a message that says nothing else; ``first`` ones go before.

    A ``loose`` one takes in the rest of its clause. ``language`` is the one that is asked for.
    """

    act: Act
    whole: bool = False
    first: bool = False
    loose: bool = False
    topic: Topic = Topic.NONE
    language: Language | None = None


class TopicModel(_Item):
    """What a question is about."""

    topic: Topic
    trap: str | None = None


class EmotionModel(_Item):
    """A family of feelings."""

    family: str


class IntensityModel(_Item):
    """Words for how strong a feeling is, as a number from 0 to 10."""

    value: int = Field(ge=0, le=10)


class ClauseModel(_Item):
    """Words that tell what a clause is, or where it begins and ends."""

    role: Role
    weight: int = 1


class NumbersModel(_Strict):
    """Number words."""

    id: str
    review: str
    say: Mapping[str, int]


class MarkModel(_Strict):
    """Words beside a number that tell what it counts, alternatives set apart by bars."""

    id: str
    review: str
    mark: str
    say: str


class ReadingModel(_Strict):
    """One language's file."""

    id: str
    version: str
    language: Language
    reviewer: str
    source: str
    common: str
    telling: str
    questions: str
    sounds: Mapping[str, str]
    variants: Mapping[str, str]
    concepts: Mapping[str, str]
    acts: tuple[ActModel, ...]
    topics: tuple[TopicModel, ...]
    emotions: tuple[EmotionModel, ...]
    intensities: tuple[IntensityModel, ...]
    numbers: tuple[NumbersModel, ...]
    marks: tuple[MarkModel, ...]
    clauses: tuple[ClauseModel, ...]

    @property
    def items(self) -> Iterator[_Item]:
        """Everything that is said in phrases."""
        yield from (*self.acts, *self.topics, *self.emotions, *self.intensities, *self.clauses)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cue:
    """One thing that can be said, in one language."""

    language: Language
    item: _Item
    phrases: tuple[Phrase, ...]

    def counts(self, asked: Asked, language: Language | None) -> bool:
        """Whether it answers what was asked, in the language that is spoken."""
        spoken = language is None or language == self.language
        return spoken and (not self.item.asked or asked in self.item.asked)


class Lexicon:
    """Every language's phrases behind one index; linear in the text."""

    def __init__(self, models: Iterable[ReadingModel], engine: PatternEngine) -> None:
        self.models = tuple(models)
        books = [_book(model) for model in self.models]
        by_book = zip(self.models, books, strict=True)
        cues = [cue for model, book in by_book for cue in _cues(model, book)]
        self._vocabulary = _vocabulary(self.models, books)
        self._normalise = Normaliser(_speller(self.models, books))
        self._index = Index(engine)
        self._shelf = self._index.shelve(cues)

    @classmethod
    def packaged(cls, engine: PatternEngine) -> Lexicon:
        """The packaged languages; raises `ContentInvalid` when a file is broken."""
        names = sorted(path.relative_to(ROOT).as_posix() for path in ROOT.glob(_FILES))
        return cls([load(name, ReadingModel) for name in names], engine)

    def warm(self) -> None:
        """Compile every pattern now, so that no message pays for it later."""
        self._shelf.compile_all()

    def normal(self, text: str) -> Normal:
        """The text as the phrases read it."""
        return self._normalise(text)

    def read(self, normal: Normal) -> Sequence[Found[Cue]]:
        """Everything that is said, in any language, by start."""
        return self._shelf.read(self._index.open(normal.text))

    @cached_property
    def telling(self) -> Mapping[str, Language]:
        """Words that only one language has, by language."""
        return _exclusive((model.language, folded(model.telling).split()) for model in self.models)

    def language(self, word: str) -> Language | None:
        """The language whose phrases alone hold a word in normal form."""
        known = self._vocabulary.get(word)
        ends = range(_SHORTEST_STEM, len(word) + 1) if known is None else ()
        stems = (self._vocabulary.get(f"{word[:end]}*") for end in ends)
        return known or next(filter(None, stems), None)

    @cached_property
    def questions(self) -> frozenset[str]:
        """Words that begin a question."""
        return frozenset(word for model in self.models for word in folded(model.questions).split())


def _book(model: ReadingModel) -> Book:
    common = frozenset(folded(model.common).split())
    return Book(model.concepts, common, model.id, model.variants)


def _cues(model: ReadingModel, book: Book) -> Iterator[Cue]:
    for item in model.items:
        tight = isinstance(item, ClauseModel) and item.role in ("negation", "third")
        phrases = book.phrases(item.id, _longest_first(item.say), tight=tight)
        yield Cue(language=model.language, item=item, phrases=phrases)


def _longest_first(say: str) -> str:
    """The phrases with the longest of each plain choice first: the first that fits is taken."""

    def ordered(choice: re.Match[str]) -> str:
        return f"({'|'.join(sorted(choice[1].split('|'), key=_shortness))})"

    return _CHOICE.sub(ordered, say)


def _shortness(alternative: str) -> int:
    return -len(alternative.split())


def _vocabulary(models: Sequence[ReadingModel], books: Sequence[Book]) -> Mapping[str, Language]:
    """Every word and stem of the phrases that only one language has."""
    return _exclusive(
        (
            model.language,
            [
                *(word for word in undoubled(book.words).values() if not word.isdigit()),
                *(name for item in model.numbers for name in item.say),
                *(word for item in model.marks for word in re.findall(r"\w+", item.say)),
            ],
        )
        for model, book in zip(models, books, strict=True)
    )


def _exclusive(words: Iterable[tuple[Language, Iterable[str]]]) -> Mapping[str, Language]:
    """Words by the one language that has them."""
    languages: defaultdict[str, set[Language]] = defaultdict(set)
    for language, each in words:
        for word in each:
            languages[word].add(language)
    return {word: next(iter(each)) for word, each in languages.items() if len(each) == 1}


def _speller(models: Sequence[ReadingModel], books: Sequence[Book]) -> Speller:
    """Knows every word; mends best the words for feelings."""
    words = [word for book in books for word in undoubled(book.words).values()]
    guarded = {
        word
        for model in models
        for item in model.emotions
        for word in re.findall(r"[^\W_*]+(?![\w*])", folded(item.say))
        if len(word) >= _SHORTEST_GUARDED
    }
    return Speller(
        words={word for word in words if word[-1] != "*"},
        stems={word[:-1] for word in words if word[-1] == "*"},
        guarded=guarded,
        sounding=[
            Sounding(model.sounds, sorted(word for word in book.words if word[-1] != "*"))
            for model, book in zip(models, books, strict=True)
            if model.sounds
        ],
    )
