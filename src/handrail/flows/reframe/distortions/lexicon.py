"""How a thinking trap sounds: the schema of a language's file, and what the reader needs of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict, Field

from handrail.content.loader import ROOT, load
from handrail.errors import ContentInvalid
from handrail.flows.reframe.distortions.kinds import Distortion
from handrail.rails.crisis.phrases import Book, Phrase, folded

_FILES = "reframe/distortions.*.yaml"


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class CueModel(_Strict):
    """A sign of one trap; ``weight`` is how far it alone makes the case.

    ``say`` and ``unless`` hold phrases, one a line, in the language of the crisis lexicons. A
    sentence that says an ``unless`` does not count. With a ``setting`` the cue counts only where
    that setting is spoken of, in the thought or in the situation around it. On ``example``, a
    thought, the cue fires.
    """

    id: str
    distortion: Distortion
    weight: float = Field(gt=0, lt=1)
    review: str
    example: str
    say: str
    unless: str = ""
    setting: str = ""


class SettingModel(_Strict):
    """A kind of situation, such as being watched, that makes some cues count."""

    id: str
    review: str
    say: str


class ExcuseModel(_Strict):
    """What makes a sentence no sign of any of ``distortions``: a fact reported, a plan."""

    id: str
    distortions: tuple[Distortion, ...]
    review: str
    example: str
    say: str


class LexiconModel(_Strict):
    """One language's file; ``common`` are words too frequent to look for a phrase by."""

    id: str
    version: str
    language: str
    reviewer: str
    source: str
    common: str
    concepts: Mapping[str, str]
    settings: tuple[SettingModel, ...] = ()
    excuses: tuple[ExcuseModel, ...]
    cues: tuple[CueModel, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sign:
    """A cue, what excuses it or the setting it needs, ready to be looked for; only cues weigh.

    ``excuses`` are the ids of the cues that an excuse sets aside; ``needs`` are those of
    the settings without which a cue does not count.
    """

    id: str
    phrases: tuple[Phrase, ...]
    distortion: Distortion | None = None
    weight: float = 0.0
    excuses: frozenset[str] = frozenset()
    needs: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Lexicon:
    """What one language's file says; ``words`` are all that its phrases know."""

    language: str
    version: str
    signs: tuple[Sign, ...]
    words: frozenset[str]


def load_models() -> Iterator[LexiconModel]:
    """Every packaged file by name: adding a language is adding a file."""
    for path in sorted(ROOT.glob(_FILES)):
        yield load(path.relative_to(ROOT).as_posix(), LexiconModel)


def lexicon_of(model: LexiconModel) -> Lexicon:
    """The lexicon in a parsed file; raises `ContentInvalid` for what cannot be read."""
    _check_ids(model)
    book = Book(model.concepts, frozenset(folded(model.common).split()), model.id)
    signs = (*_cues(model, book), *_excuses(model, book), *_settings(model, book))
    return Lexicon(
        language=model.language,
        version=model.version,
        signs=signs,
        words=frozenset(word for word in book.words if word[-1] != "*"),
    )


def _cues(model: LexiconModel, book: Book) -> Iterator[Sign]:
    for cue in model.cues:
        yield Sign(
            id=cue.id,
            phrases=book.phrases(cue.id, cue.say),
            distortion=cue.distortion,
            weight=cue.weight,
            needs=frozenset({cue.setting} if cue.setting else ()),
        )
        if cue.unless:
            phrases = book.phrases(cue.id, cue.unless)
            yield Sign(id=f"{cue.id}.unless", phrases=phrases, excuses=frozenset({cue.id}))


def _excuses(model: LexiconModel, book: Book) -> Iterator[Sign]:
    for excuse in model.excuses:
        excused = (cue.id for cue in model.cues if cue.distortion in excuse.distortions)
        phrases = book.phrases(excuse.id, excuse.say)
        yield Sign(id=excuse.id, phrases=phrases, excuses=frozenset(excused))


def _settings(model: LexiconModel, book: Book) -> Iterator[Sign]:
    for setting in model.settings:
        yield Sign(id=setting.id, phrases=book.phrases(setting.id, setting.say))


def _check_ids(model: LexiconModel) -> None:
    settings = [setting.id for setting in model.settings]
    ids = [*settings, *(cue.id for cue in model.cues), *(each.id for each in model.excuses)]
    if twins := sorted(_twice(ids)):
        raise ContentInvalid(f"{model.id}: {', '.join(twins)} is defined more than once.")
    if strange := sorted({cue.setting for cue in model.cues if cue.setting} - set(settings)):
        raise ContentInvalid(f"{model.id}: {', '.join(strange)} is no setting of the file.")


def _twice(ids: Sequence[str]) -> set[str]:
    return {name for name in ids if ids.count(name) > 1}
