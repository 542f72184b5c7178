"""What a person says beside danger: barriers, wishes, questions about us; phrases per language."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict

from handrail.content.loader import ROOT, load
from handrail.ports import PatternEngine
from handrail.rails.crisis.normalise import Normaliser
from handrail.rails.crisis.phrases import Book, Phrase, folded
from handrail.rails.crisis.reading import Index
from handrail.rails.crisis.spelling import Speller, undoubled

_FILES = "protocol/cues.*.yaml"


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class CueModel(_Strict):
    """One cue and the ways it is said, in the phrase language of the crisis lexicons."""

    id: str
    review: str
    say: str


class CuesModel(_Strict):
    """One language's file."""

    id: str
    version: str
    language: str
    reviewer: str
    common: str
    concepts: dict[str, str]
    cues: tuple[CueModel, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Cue:
    id: str
    language: str
    phrases: tuple[Phrase, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Noticed:
    """The cues in a message, and the language that most of them were in."""

    cues: frozenset[str] = frozenset()
    language: str | None = None


class Cues:
    """Reads every language it has a file for; linear in the text, without state."""

    def __init__(self, models: Iterable[CuesModel], engine: PatternEngine) -> None:
        cues: list[_Cue] = []
        words: set[str] = set()
        for model in models:
            book = Book(model.concepts, frozenset(folded(model.common).split()), model.id)
            cues += [_cue(cue, book, model.language) for cue in model.cues]
            words |= {word for word in undoubled(book.words).values() if word[-1] != "*"}
        self._normalise = Normaliser(Speller(words=words))
        self._index = Index(engine)
        self._shelf = self._index.shelve(cues)

    @classmethod
    def packaged(cls, engine: PatternEngine) -> Cues:
        """The cues of every packaged language; raises `ContentInvalid` when a file is broken."""
        names = sorted(path.relative_to(ROOT).as_posix() for path in ROOT.glob(_FILES))
        return cls([load(name, CuesModel) for name in names], engine)

    def read(self, message: str) -> Noticed:
        """The cues of a message in any language."""
        found = self._shelf.read(self._index.open(self._normalise(message).text))
        if not found:
            return Noticed()
        languages = [one.what.language for one in found]
        most = max(sorted(set(languages)), key=languages.count)
        return Noticed(cues=frozenset(one.what.id for one in found), language=most)


def _cue(model: CueModel, book: Book, language: str) -> _Cue:
    return _Cue(id=model.id, language=language, phrases=book.phrases(model.id, model.say))
