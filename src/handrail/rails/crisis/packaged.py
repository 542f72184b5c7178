"""The screen over the lexicons that ship with the package."""

from __future__ import annotations

from collections.abc import Iterable

from handrail.content.loader import ROOT, read_yaml
from handrail.errors import ContentInvalid
from handrail.ports import PatternEngine
from handrail.rails.crisis.ear import packaged_ear
from handrail.rails.crisis.lexicon import Lexicon, read_lexicon
from handrail.rails.crisis.screen import CrisisScreen

_FOLDER = "crisis"


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
