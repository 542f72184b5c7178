"""The disk: what vanishes, is cut short, changed or full, before an index is opened and after."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from board import RAISES, Rig, rig

from handrail.adapters.re2 import Re2Engine
from handrail.bootstrap import build
from handrail.corpus.manifest import MANIFEST
from handrail.domain.outcome import Abstention, Answer, Outcome, SafetyResponse
from handrail.errors import HandrailError, IndexCorrupt
from handrail.ports import PatternSet
from handrail.settings import Settings
from handrail.testing.hash_embedder import HashEmbedder
from handrail.wire import coach_body
from hostile_property import DANGER, body_faults
from invented_corpus import CASES, EXAM, INVENTED, write_corpus


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Rig:
    """An engine whose home is to be copied and broken."""
    return rig(tmp_path_factory.mktemp("whole"))


@pytest.fixture
def home(whole: Rig, tmp_path: Path) -> Path:
    """A copy of its collections."""
    home = tmp_path / "home"
    shutil.copytree(whole.engine.library.home / "collections", home / "collections")
    return home


@pytest.fixture
def made(whole: Rig, home: Path) -> Rig:
    """The engine over the copy, which has opened nothing yet."""
    return at(whole, home)


def at(whole: Rig, home: Path) -> Rig:
    """The same parts over another home."""
    library = replace(whole.engine.library, home=home)
    return replace(whole, engine=replace(whole.engine, library=library, _opened={}))


def generation(home: Path) -> Path:
    """The folder of the standing index."""
    folder = home / "collections" / INVENTED
    return folder / (folder / "current").read_text(encoding="utf-8").strip()


def coached(made: Rig, message: str) -> Outcome | HandrailError:
    try:
        return made.engine.coach_now(message, collection=INVENTED)
    except HandrailError as error:
        return error


def removed(path: Path) -> None:
    shutil.rmtree(path) if path.is_dir() else path.unlink()


def emptied(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
        path.mkdir()
    else:
        path.write_bytes(b"")


def cut(path: Path) -> None:
    if path.is_file():
        path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    else:
        removed(next(iter(sorted(path.iterdir()))))


def changed(path: Path) -> None:
    target = path if path.is_file() else next(iter(sorted(path.rglob("*.*"))))
    raw = bytearray(target.read_bytes())
    raw[len(raw) // 2] ^= 0xFF
    target.write_bytes(bytes(raw))


def exchanged(path: Path) -> None:
    """A folder where a file was, a file where a folder was."""
    folder = path.is_dir()
    removed(path)
    path.write_text("x") if folder else path.mkdir()


HARMS: tuple[Callable[[Path], None], ...] = (removed, emptied, cut, changed, exchanged)
FILES = ("ctx.faiss", "resp.faiss", "resp.first.npy", "lexical", "cases.parquet", MANIFEST)


@pytest.mark.parametrize("harm", HARMS)
@pytest.mark.parametrize("file", FILES)
def test_a_harmed_index_is_not_opened_and_danger_is_answered(
    made: Rig, home: Path, harm: Callable[[Path], None], file: str
) -> None:
    harm(generation(home) / file)
    end = coached(made, EXAM)
    assert isinstance(end, HandrailError | Abstention)
    assert not isinstance(end, HandrailError) or end.code in ("index-corrupt", "index-mismatch")
    assert isinstance(coached(made, DANGER), SafetyResponse)


@pytest.mark.parametrize("harm", HARMS)
@pytest.mark.parametrize("where", ["", "collections", f"collections/{INVENTED}"])
def test_a_harmed_home(made: Rig, home: Path, harm: Callable[[Path], None], where: str) -> None:
    harm(home / where)
    end = coached(made, EXAM)
    assert isinstance(end, HandrailError | Outcome)
    assert isinstance(coached(made, DANGER), SafetyResponse)


@pytest.mark.parametrize("harm", [removed, emptied], ids=["removed", "emptied"])
def test_an_open_index_outlives_its_folder(
    made: Rig, home: Path, harm: Callable[[Path], None]
) -> None:
    before = coached(made, EXAM)
    assert isinstance(before, Answer)
    harm(home)
    end = coached(made, EXAM)
    assert isinstance(end, Answer)
    assert end.receipt == before.receipt
    body = json.loads(coach_body(end).model_dump_json())
    assert list(body_faults(made.engine, body, EXAM)) == []


@pytest.mark.parametrize("fault", ["runtime", "cancelled"])
@pytest.mark.parametrize(
    "place",
    [
        *("VectorFormat__write", "LexicalFormat__write", "Tables__write", "Tables__rows"),
        *("Embedder__embed_documents", "Embedder__read"),
        *("VectorFormat__read", "LexicalFormat__read", "Tables__read"),
    ],
)
def test_a_build_that_breaks_leaves_the_standing_index(
    whole: Rig, made: Rig, home: Path, tmp_path: Path, place: str, fault: str
) -> None:
    before = coached(made, EXAM)
    more = write_corpus(tmp_path / "more.ndjson", [(t, f"{c} Again.", a) for t, c, a in CASES[:4]])
    ended = ""
    with made.board.broken(**{place: RAISES[fault]}):
        try:
            made.engine.add(more, collection=INVENTED)
        except BaseException as error:  # noqa: BLE001  whatever the disk or a library raises
            ended = type(error).__name__
    after = at(whole, home)
    after.engine.library.verify(INVENTED)
    end = coached(after, EXAM)
    assert isinstance(before, Answer)
    assert isinstance(end, Answer)
    assert not ended or end.receipt == before.receipt


@pytest.mark.parametrize("fault", ["runtime", "disk", "cancelled", "time-out"])
@pytest.mark.parametrize("place", ["VectorFormat__read", "LexicalFormat__read", "Tables__read"])
def test_an_index_that_cannot_be_read_is_no_defect(made: Rig, place: str, fault: str) -> None:
    with made.board.broken(**{place: RAISES[fault]}):
        end = coached(made, EXAM)
        danger = coached(made, DANGER)
    assert isinstance(end, HandrailError | Abstention)
    assert isinstance(danger, SafetyResponse)
    assert isinstance(coached(made, EXAM), Answer)


def test_rails_that_do_not_compile_make_no_engine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without rails there is no engine (invariant 2)."""

    class Unable(Re2Engine):
        def compile(self, patterns: Sequence[str]) -> PatternSet:
            raise RuntimeError("no engine for patterns")

    monkeypatch.setattr(build, "Re2Engine", Unable)
    with pytest.raises(RuntimeError):
        build.build_engine(Settings(home=tmp_path), embedder=HashEmbedder(384)).check(DANGER)


def test_what_is_cut_short_is_named(made: Rig, home: Path) -> None:
    cut(generation(home) / "cases.parquet")
    end = coached(made, EXAM)
    assert isinstance(end, IndexCorrupt)
    assert "cases.parquet" in str(end)
