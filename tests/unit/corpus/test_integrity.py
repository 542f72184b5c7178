"""A changed byte is found and named; another model, segmenter or format says what to run."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from corpus_sample import CASES, CountingEmbedder

from handrail.corpus import manifest as manifests
from handrail.corpus.build import Standing, build
from handrail.corpus.library import Library
from handrail.corpus.manifest import IndexManifest
from handrail.corpus.store import rebuild_command, writing
from handrail.errors import (
    CollectionBusy,
    IndexCorrupt,
    IndexMismatch,
    IndexNotReady,
    IndexUnusable,
    InvalidInput,
    NotFound,
)


@pytest.fixture
def index(library: Library) -> Path:
    report = build(library.home, "main", CASES, embedder=library.embedder, formats=library.formats)
    return library.home / "collections" / "main" / report.manifest.checksum[:12]


def files(index: Path) -> list[str]:
    found = (path.relative_to(index).as_posix() for path in index.rglob("*") if path.is_file())
    return sorted(found)


def test_c11_the_manifest_lists_every_file(index: Path, library: Library) -> None:
    manifest = library.open("main").manifest
    assert sorted(manifest.files) == [name for name in files(index) if name != manifests.MANIFEST]
    raw = json.loads((index / manifests.MANIFEST).read_bytes())
    assert raw["model_name"] == "testing/counting"
    assert (raw["dim"], raw["record_count"], raw["sentence_count"]) == (32, 4, 6)
    assert raw["checksum"][:12] == index.name


@pytest.mark.parametrize("where", [0, 0.3, 0.7, -1])
def test_c11_a_changed_byte_in_any_file_is_found_and_named(
    index: Path, library: Library, where: float
) -> None:
    for name in files(index):
        path = index / name
        good = path.read_bytes()
        raw = bytearray(good)
        raw[int(where * len(raw)) if where >= 0 else -1] ^= 4
        path.write_bytes(raw)
        with pytest.raises(IndexCorrupt, match=name):
            library.open("main")
        with pytest.raises(IndexCorrupt, match=name):
            library.verify("main")
        path.write_bytes(good)
    library.verify("main")


@pytest.mark.parametrize("damage", [Path.unlink, lambda path: path.write_bytes(b"")])
def test_c11_a_lost_or_emptied_file_is_named(
    index: Path, library: Library, damage: Callable[[Path], object]
) -> None:
    for name in files(index):
        good = (index / name).read_bytes()
        damage(index / name)
        with pytest.raises(IndexCorrupt, match=name):
            library.open("main")
        (index / name).write_bytes(good)


@pytest.mark.parametrize(
    "rewrite",
    [
        lambda raw: raw + b"\n",
        lambda raw: raw.replace(b'"dim": 32', b'"dim":  32'),
        lambda raw: raw.replace(b'"dim": 32', b'"dim": 33'),
        lambda raw: json.dumps(json.loads(raw)).encode(),
        lambda raw: b"[]",
        lambda raw: b"[" * 100_000,
    ],
)
def test_c68_the_manifest_proves_itself(
    index: Path, library: Library, rewrite: Callable[[bytes], bytes]
) -> None:
    path = index / manifests.MANIFEST
    path.write_bytes(rewrite(path.read_bytes()))
    with pytest.raises(IndexCorrupt, match=manifests.MANIFEST):
        library.open("main")


@pytest.mark.parametrize("raw", [b"", b"../../elsewhere", b"0123456789ab\n\n", b"\xff"])
def test_a_pointer_that_is_none_is_refused(index: Path, library: Library, raw: bytes) -> None:
    (index.parent / "current").write_bytes(raw)
    with pytest.raises(IndexCorrupt, match="current"):
        library.open("main")


def test_a_damaged_index_can_be_made_again_from_files(index: Path, library: Library) -> None:
    (index / "resp.faiss").write_bytes(b"")
    with pytest.raises(IndexCorrupt):
        library.rebuild("main")
    again = build(
        library.home,
        "main",
        CASES,
        embedder=library.embedder,
        formats=library.formats,
        standing=Standing.DISCARD,
    )
    assert again.manifest.checksum[:12] == index.name
    library.verify("main")


def test_c11_another_model_names_both_and_the_command(index: Path, library: Library) -> None:
    other = replace(library, embedder=CountingEmbedder("testing/other"))
    for attempt in (lambda: other.open("main"), lambda: add_nothing(other)):
        with pytest.raises(IndexMismatch) as refusal:
            attempt()
        assert "testing/counting" in str(refusal.value)
        assert "testing/other" in str(refusal.value)
        assert str(refusal.value).endswith(f"Run: {rebuild_command('main')}")
    other.rebuild("main")
    assert len(other.open("main").cases) == 4


def add_nothing(library: Library) -> object:
    return build(library.home, "main", (), embedder=library.embedder, formats=library.formats)


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("SEGMENTER_VERSION", "2", "segmenter 1, this version has segmenter 2"),
        ("FORMAT", 99, "reads 99"),
    ],
)
def test_c64_another_segmenter_or_format_asks_for_a_rebuild(
    index: Path,
    library: Library,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    value: object,
    message: str,
) -> None:
    monkeypatch.setattr(manifests, name, value)
    with pytest.raises(IndexMismatch, match=message) as refusal:
        library.open("main")
    if name == "FORMAT":  # then not even the cases can be read
        assert "handrail index remove main --yes && handrail index add" in str(refusal.value)
        library.remove("main")
        assert not library.exists("main")
    else:
        assert rebuild_command("main") in str(refusal.value)
        library.rebuild("main")
        assert library.open("main").manifest.segmenter_version == "2"


def test_files_that_do_not_fit_each_other_are_refused(index: Path, library: Library) -> None:
    """Whole files with right hashes, and still not one index."""
    library.formats.vectors.write(library.embedder.embed_documents(["a"]), index / "ctx.faiss")
    old = IndexManifest.parse((index / manifests.MANIFEST).read_bytes(), anew="")
    forged = IndexManifest.of(
        embedder=library.embedder,
        record_count=old.record_count,
        context_count=old.context_count,
        sentence_count=old.sentence_count,
        corpus_hash=old.corpus_hash,
        files={name: manifests.hash_file(index / name) for name in old.files},
    )
    (index / manifests.MANIFEST).write_bytes(forged.to_bytes())
    with pytest.raises(IndexCorrupt, match=r"ctx\.faiss"):
        library.open("main")


def test_c64_a_sentence_list_that_tells_another_story_is_found(
    index: Path, library: Library
) -> None:
    path = index / "sent_manifest.jsonl"
    path.write_text(path.read_text().replace('"start": 18', '"start": 17'), encoding="utf-8")
    old = IndexManifest.parse((index / manifests.MANIFEST).read_bytes(), anew="")
    body = json.loads(old.to_bytes()) | {"files": manifests_of(index, old)}
    body["checksum"] = manifests._checksum(body)
    (index / manifests.MANIFEST).write_bytes(manifests._canonical(body))
    library.open("main")
    with pytest.raises(IndexCorrupt, match=r"sent_manifest\.jsonl"):
        library.verify("main")


def manifests_of(index: Path, old: IndexManifest) -> dict[str, str]:
    return {name: manifests.hash_file(index / name) for name in old.files}


def test_a_collection_that_is_not_there_says_how_to_make_it(library: Library) -> None:
    with pytest.raises(NotFound, match="handrail index add FILE --collection main"):
        library.open("main")
    assert not library.exists("main")
    (library.home / "collections" / "main").mkdir(parents=True)
    with pytest.raises(IndexNotReady, match="handrail index add FILE --collection main"):
        library.open("main")


@pytest.mark.parametrize(
    "name",
    ["", ".", "..", "../x", "a/b", "/etc", "A", "-a", "_a", "a b", "a\n", "a\x00", "é", "a" * 65],
)
def test_names_that_could_lead_elsewhere_are_refused(library: Library, name: str) -> None:
    for attempt in (library.open, library.exists, library.verify, library.remove):
        with pytest.raises(InvalidInput, match="collection name"):
            attempt(name)


@pytest.mark.parametrize("name", ["a", "0", "a.b_c-d", "a" * 64, "a..b"])
def test_good_names_are_taken(library: Library, name: str) -> None:
    build(library.home, name, CASES, embedder=library.embedder, formats=library.formats)
    assert library.open(name).name == name


def test_one_writer_at_a_time(index: Path, library: Library) -> None:
    with writing(index.parent):
        for attempt in (lambda: add_nothing(library), lambda: library.remove("main")):
            with pytest.raises(CollectionBusy, match="'main'"):
                attempt()
        assert len(library.open("main").cases) == 4
    add_nothing(library)


def test_the_list_shows_what_is_wrong(index: Path, library: Library) -> None:
    (library.home / "collections" / "empty").mkdir()
    build(library.home, "also", CASES, embedder=library.embedder, formats=library.formats)
    (index / manifests.MANIFEST).write_bytes(b"{}")
    found = library.list()
    assert [listed.name for listed in found] == ["also", "empty", "main"]
    assert [listed.manifest is None for listed in found] == [False, True, True]
    assert "no finished index" in found[1].problem
    assert manifests.MANIFEST in found[2].problem


def test_the_list_of_an_empty_home_is_empty(library: Library) -> None:
    assert library.list() == ()


def test_a_removed_collection_is_gone(index: Path, library: Library) -> None:
    library.remove("main")
    assert not index.parent.exists()
    assert library.list() == ()
    with pytest.raises(NotFound):
        library.remove("main")


def test_every_refusal_is_one_kind_of_error(index: Path, library: Library) -> None:
    (index / "cases.parquet").write_bytes(b"")
    with pytest.raises(IndexUnusable):
        library.open("main")
