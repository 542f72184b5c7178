"""What every engine makes anew from packaged files is made once a worker: nothing changes it.

Content in another folder, other patterns and other embedders are read and made as ever.
"""

from __future__ import annotations

import os
import pickle
import shutil
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from pydantic import BaseModel

if TYPE_CHECKING:
    from handrail.adapters.re2 import Re2PatternSet
    from handrail.ports import Embedder, Matrix
    from handrail.rails.crisis.lexicon import Lexicon


def of_all_workers(factory: pytest.TempPathFactory) -> Path:
    """The temporary folder of this run; each worker of pytest-xdist has its own inside it."""
    mine = factory.getbasetemp()
    return mine.parent if "PYTEST_XDIST_WORKER" in os.environ else mine


@contextmanager
def alone(lock: Path) -> Iterator[None]:
    """One worker at a time; a worker that is killed lets go."""
    import fcntl

    with lock.open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        yield


@pytest.fixture(scope="session", autouse=True)
def _packaged_parts_are_made_once() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        make_once(patch)
        yield


def make_once(patch: pytest.MonkeyPatch) -> None:
    """From now on what packaged files say is read, compiled and loaded once in this process."""
    _parse_content(patch)
    _read_lexicons(patch)
    _compile_patterns(patch)
    _make_readers(patch)
    _read_weights(patch)


def _parse_content(patch: pytest.MonkeyPatch) -> None:
    """An engine reads two dozen files, 0.2 s each time; everybody gets a copy of what they say."""
    from handrail.content import loader

    plain, home = loader.read_yaml, loader.ROOT
    kept: dict[str, bytes] = {}

    def read_yaml(name: str) -> Any:
        if home != loader.ROOT:
            return plain(name)
        if name not in kept:
            kept[name] = pickle.dumps(plain(name))
        return pickle.loads(kept[name])

    patch.setattr(loader, "read_yaml", read_yaml)


def _read_lexicons(patch: pytest.MonkeyPatch) -> None:
    """Every engine loads the packaged crisis lexicons, 0.3 s each time."""
    from handrail.rails.crisis import packaged

    plain, home = packaged.load_lexicons, packaged.ROOT
    kept: list[Lexicon] = []

    def load_lexicons() -> Iterable[Lexicon]:
        if home != packaged.ROOT:
            return plain()
        kept.extend(() if kept else plain())
        return tuple(kept)

    patch.setattr(packaged, "load_lexicons", load_lexicons)


def _compile_patterns(patch: pytest.MonkeyPatch) -> None:
    """The same patterns compile to the same set: all rails take 2 s."""
    from handrail.adapters.re2 import Re2Engine

    plain, made = Re2Engine.compile, {}

    def compile_once(self: Re2Engine, patterns: Sequence[str]) -> Re2PatternSet:
        key = tuple(patterns)
        if key not in made:
            made[key] = plain(self, patterns)
        return made[key]

    patch.setattr(Re2Engine, "compile", compile_once)


def _make_readers(patch: pytest.MonkeyPatch) -> None:
    """The screens and the sessions' readers take 0.8 s an engine; they keep nothing of a text."""
    from handrail import screening
    from handrail.bootstrap import build
    from handrail.flows.reframe.distortions import DistortionReader
    from handrail.flows.reframe.reading import Reader
    from handrail.rails.crisis import load_screen, packaged
    from handrail.rails.injection import InjectionScreen

    for reader in (DistortionReader, Reader, InjectionScreen):
        patch.setattr(reader, "packaged", staticmethod(_once(reader.packaged)))
    screen = _once(load_screen)
    for module in (build, screening):
        patch.setattr(module, "load_screen", screen)
    patch.setattr(packaged, "_load_exemplars", _once(packaged._load_exemplars))


def _once(plain: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """What ``plain`` makes of a plain pattern engine, or of an equal model of packaged content."""
    from handrail.adapters.re2 import Re2Engine
    from handrail.content import loader

    home = loader.ROOT
    kept: dict[Any, Any] = {}

    def made(given: Any) -> Any:
        key = given.model_dump_json() if isinstance(given, BaseModel) else type(given)
        if home != loader.ROOT or not (isinstance(given, BaseModel) or type(given) is Re2Engine):
            return plain(given)
        if key not in kept:
            kept[key] = plain(given)
        return kept[key]

    return made


def _read_weights(patch: pytest.MonkeyPatch) -> None:
    """The model and its vocabulary, which are 0.3 s; a test of other bytes reads them as ever."""
    from handrail.adapters.minilm import MiniLmEmbedder, embedder

    kept: dict[tuple[str, str, str], Any] = {}
    loading = threading.Lock()

    def once(name: str) -> cached_property[Any]:
        plain = MiniLmEmbedder.__dict__[name].func

        def made(self: MiniLmEmbedder) -> Any:
            key = (name, embedder.MODEL_SHA256, embedder.VOCABULARY_SHA256)
            with loading:
                if key not in kept:
                    kept[key] = plain(self)
            return kept[key]

        shared = cached_property(made)
        shared.__set_name__(MiniLmEmbedder, name)
        return shared

    for name in ("_session", "_tokens"):
        patch.setattr(MiniLmEmbedder, name, once(name))


@pytest.fixture(scope="session")
def line_vectors(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where this run keeps the vectors of the packaged lines, as a home's ``cache`` keeps them."""
    folder = of_all_workers(tmp_path_factory) / "line-vectors"
    folder.mkdir(exist_ok=True)
    return folder


@pytest.fixture(scope="session", autouse=True)
def _lines_are_embedded_once(line_vectors: Path) -> Iterator[None]:
    """A new home starts with the vectors that an earlier one computed: 1.5 s for the real model."""
    from handrail.adapters.minilm import MiniLmEmbedder
    from handrail.bootstrap import build
    from handrail.corpus.cache import cached_vectors as plain

    def cached_vectors(folder: Path, embedder: Embedder, texts: Sequence[str]) -> Matrix:
        if not isinstance(embedder, MiniLmEmbedder):
            return plain(folder, embedder, texts)
        copy_new(line_vectors, folder)
        vectors = plain(folder, embedder, texts)
        copy_new(folder, line_vectors)
        return vectors

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(build, "cached_vectors", cached_vectors)
        yield


def copy_new(source: Path, target: Path) -> None:
    """The files of cached vectors that ``target`` lacks; none is ever half there."""
    target.mkdir(parents=True, exist_ok=True)
    for path in source.glob("*.vectors"):
        if not (target / path.name).exists():
            half = target / f"{path.name}.{os.getpid()}"
            shutil.copyfile(path, half)
            half.rename(target / path.name)
