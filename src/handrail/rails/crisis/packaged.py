"""The screen over the lexicons that ship with the package."""

from __future__ import annotations

from importlib.resources import files
from importlib.resources.abc import Traversable

import yaml

from handrail.errors import ContentInvalid
from handrail.ports import PatternEngine
from handrail.rails.crisis.lexicon import Lexicon, read_lexicon
from handrail.rails.crisis.screen import CrisisScreen

try:
    from yaml import CSafeLoader as _Loader
except ImportError:  # PyYAML without libyaml: slower, same result
    from yaml import SafeLoader as _Loader  # type: ignore[assignment]

_FOLDER = "content/crisis"


def load_screen(engine: PatternEngine) -> CrisisScreen:
    """The screen over every packaged language; raises `ContentInvalid` when one is broken."""
    return CrisisScreen(load_lexicons(files("handrail").joinpath(_FOLDER)), engine)


def load_lexicons(folder: Traversable) -> tuple[Lexicon, ...]:
    """Every ``<language>.yaml`` of a folder, by name: adding a language is adding a file."""
    found = sorted((f for f in folder.iterdir() if f.name.endswith(".yaml")), key=lambda f: f.name)
    return tuple(map(_load, found))


def _load(file: Traversable) -> Lexicon:
    try:
        raw = yaml.load(file.read_text("utf-8"), Loader=_Loader)
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as broken:
        raise ContentInvalid(f"{file.name} cannot be read: {broken}") from broken
    lexicon = read_lexicon(raw, file.name)
    if f"{lexicon.language}.yaml" != file.name:
        raise ContentInvalid(f"{file.name} is written for {lexicon.language!r}.")
    return lexicon
