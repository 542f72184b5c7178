"""A broken content file is refused by name, and the hash covers every byte of the good ones."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from pydantic import BaseModel

from handrail.content import content_hash, corpora, load, loader, read_yaml
from handrail.content.schema import Bank, Notice
from handrail.errors import ContentInvalid

GOOD = """
version: 1
language: en
reviewer: somebody
items:
  - {id: a, text: Rest., source: editing, review: editorial}
  - {id: b, text: Walk., source: editing, review: editorial}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(loader, "ROOT", tmp_path)
    return tmp_path


def written(folder: Path, text: str) -> str:
    (folder / "bank.yaml").write_text(text, encoding="utf-8")
    return "bank.yaml"


def test_a_sound_file_loads(folder: Path) -> None:
    bank = load(written(folder, GOOD), Bank[Notice])
    assert list(bank.by_id) == ["a", "b"]
    assert bank.by_id["b"].text == "Walk."


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("items:", "items: [", "cannot be read"),
        ("version: 1", "version: 1\nversion: 2", "ConstructorError at line 2"),
        ("id: b", "id: a", "an id occurs twice"),
        ("id: b", "id: B b", r"items\.1\.id"),
        ("text: Walk.", "txt: Walk.", r"items\.1\.text"),
        ("text: Walk.", "text: ''", r"items\.1\.text"),
        ("review: editorial}\n  - {id: b", "note: x}\n  - {id: b", r"items\.0\.review"),
        ("reviewer: somebody", "author: somebody", "reviewer"),
        ("version: 1", "version: one", "version"),
        ("Walk.", "'{name} walks.'", "may stand in braces"),
        ("Walk.", "'{ echo } walks.'", "may stand in braces"),
        ("Walk.", "'A lone } brace.'", "may stand in braces"),
        (GOOD, "", "the file: Input should be a valid dictionary"),
        (GOOD, "- just\n- a list", "the file: Input should be a valid dictionary"),
        (GOOD, "!!python/object/apply:os.getcwd []", "ConstructorError"),
    ],
)
def test_a_broken_file_is_refused_by_name(folder: Path, old: str, new: str, said: str) -> None:
    assert old in GOOD
    name = written(folder, GOOD.replace(old, new, 1))
    with pytest.raises(ContentInvalid, match=rf"bank\.yaml.*{said}|{said}.*bank\.yaml"):
        load(name, Bank[Notice])


def test_a_missing_file_is_refused_by_name(folder: Path) -> None:
    with pytest.raises(ContentInvalid, match=r"no-such\.yaml.*FileNotFoundError"):
        read_yaml("no-such.yaml")


def test_bytes_that_are_no_text_are_refused_by_name(folder: Path) -> None:
    (folder / "bank.yaml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ContentInvalid, match=r"bank\.yaml"):
        read_yaml("bank.yaml")


def test_at_most_five_problems_are_told_and_none_quotes_the_file(folder: Path) -> None:
    class Strict(BaseModel):
        items: tuple[int, ...]

    name = written(folder, "items: [planted, planted, planted, planted, planted, planted, planted]")
    with pytest.raises(ContentInvalid) as caught:
        load(name, Strict)
    assert str(caught.value).count("items.") == 5
    assert "planted" not in str(caught.value)


def test_the_hash_changes_with_a_byte_and_with_a_name(folder: Path) -> None:
    hashes = set()
    for name, text in [("a.yaml", "x: 1"), ("a.yaml", "x: 2"), ("b.yaml", "x: 2")]:
        for path in folder.iterdir():
            path.unlink()
        (folder / name).write_text(text, encoding="utf-8")
        content_hash.cache_clear()
        hashes.add(content_hash())
    content_hash.cache_clear()
    assert len(hashes) == 3


def test_the_hash_is_the_same_for_the_same_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    content_hash.cache_clear()
    packaged = content_hash()
    shutil.copytree(loader.ROOT, tmp_path / "copy")
    monkeypatch.setattr(loader, "ROOT", tmp_path / "copy")
    content_hash.cache_clear()
    assert content_hash() == packaged
    content_hash.cache_clear()


def test_a_corpus_is_its_files_in_order() -> None:
    names = [path.name for path in corpora("starter")]
    assert names == sorted(names)
    assert names
    assert corpora("no-such-corpus") == []
