"""The screen over the lexicons that ship with the package."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterable
from functools import partial

from pydantic import BaseModel, ConfigDict, Field

from handrail.content.loader import ROOT, load, read_yaml
from handrail.domain.scores import ScoreKind, Threshold
from handrail.errors import ContentInvalid
from handrail.ports import Embedder, PatternEngine, Reading
from handrail.rails.crisis.ear import packaged_ear
from handrail.rails.crisis.exemplars import Exemplar, Exemplars
from handrail.rails.crisis.lexicon import Lexicon, read_lexicon
from handrail.rails.crisis.screen import CrisisScreen
from handrail.rails.crisis.second import Floors, Read, SecondReader
from handrail.rails.crisis.wording import Wording

_FOLDER = "crisis"
_SECOND = f"{_FOLDER}/second"


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class _Floors(_Strict):
    mild: float
    moderate: float

    def made(self) -> Floors:
        """Floors on a probability, each of which some strength can reach."""
        return Floors(
            mild=Threshold(ScoreKind.PROBABILITY, self.mild),
            moderate=Threshold(ScoreKind.PROBABILITY, self.moderate),
        )


class _Wording(_Strict):
    unit: float = Field(gt=0)
    bias: float
    floors: _Floors


class _Exemplars(_Strict):
    unit: float = Field(gt=0)
    floors: _Floors


class _Embedder(_Strict):
    name: str
    fingerprint: str


class _Reader(_Strict):
    """``crisis/second/reader.yaml``: what the tables are; the fitting script writes it."""

    version: str
    language: str
    reviewer: str
    embedder: _Embedder
    fitted_on: dict[str, int]
    wording: _Wording
    exemplars: _Exemplars
    sha256: dict[str, str]

    def bytes_of(self, name: str) -> bytes:
        """A table, proven to be the one that was described; raises `ContentInvalid`."""
        try:
            body = (ROOT / _SECOND / name).read_bytes()
        except OSError as error:
            raise ContentInvalid(
                f"{_SECOND}/{name} cannot be read: {type(error).__name__}"
            ) from None
        found = hashlib.sha256(body).hexdigest()
        if found != self.sha256.get(name):
            raise ContentInvalid(f"{_SECOND}/{name} is not the file that reader.yaml describes")
        return body


def load_screen(engine: PatternEngine) -> CrisisScreen:
    """The screen over every packaged language; raises `ContentInvalid` when one is broken."""
    return CrisisScreen(load_lexicons(), engine, packaged_ear(engine))


def load_lexicons() -> Iterable[Lexicon]:
    """Every ``crisis/<language>.yaml`` by name: adding a language is adding a file."""
    for path in sorted((ROOT / _FOLDER).glob("*.yaml")):
        yield lexicon_of(f"{_FOLDER}/{path.name}", read_yaml(f"{_FOLDER}/{path.name}"))


def lexicon_of(name: str, body: object) -> Lexicon:
    """The lexicon in a parsed file, which must bear the name of its language."""
    lexicon = read_lexicon(body, name)
    if not name.endswith(f"/{lexicon.language}.yaml"):
        raise ContentInvalid(f"{name} is written for the language {lexicon.language!r}.")
    return lexicon


def load_second(
    screen: CrisisScreen, embedder: Embedder | None = None, read: Read | None = None
) -> SecondReader:
    """The packaged second reader behind ``screen``; ``read`` asks ``embedder`` for a reading.

    Another embedder than the one it was fitted for is refused at every message: the reader then
    weighs the wording alone, and says so. Raises `ContentInvalid` when a table is not the one that
    was fitted.
    """
    reader = load(f"{_SECOND}/reader.yaml", _Reader)
    near = fitting = None
    if embedder is not None and read is not None:
        near = _load_exemplars(reader)
        fitting = partial(_read_fitting, near, embedder, read)
    wording = reader.wording
    return SecondReader(
        version=reader.version,
        normalise=lambda text: screen.read(text).normal,
        wording=Wording(reader.bytes_of("wording.bin"), unit=wording.unit, bias=wording.bias),
        worded=wording.floors.made(),
        nearest=reader.exemplars.floors.made(),
        exemplars=near,
        read=fitting,
    )


def _read_fitting(near: Exemplars, embedder: Embedder, read: Read, text: str) -> Reading:
    near.require(embedder)
    return read(text)


def _load_exemplars(reader: _Reader) -> Exemplars:
    import numpy as np

    labels = [
        Exemplar(*line.split("\t"))
        for line in reader.bytes_of("exemplars.tsv").decode().splitlines()
    ]
    with np.load(io.BytesIO(reader.bytes_of("exemplars.npz")), allow_pickle=False) as arrays:
        return Exemplars(
            labels,
            arrays["rows"],
            arrays["projection"],
            unit=reader.exemplars.unit,
            embedder=reader.embedder.name,
            fingerprint=reader.embedder.fingerprint,
        )
