"""Garbage by every command, in one process; tests/e2e pipes some of it through real ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from garbage import CORPORA, GARBAGE

SEARCHED = ("a megabyte", "one endless word", "NULs", "lone surrogates")
FED = [
    *(("check", name) for name in GARBAGE),
    *(("coach", name) for name in GARBAGE if name != "a megabyte"),  # the endless word is as long
    *(("search", name) for name in SEARCHED),
]


@pytest.mark.parametrize(("command", "name"), FED)
def test_garbage_is_answered_or_named_and_never_crashes(run, command: str, name: str) -> None:
    where = () if command == "check" else ("--collection", "tiny")
    ran = run(command, "-", "--json", *where, stdin=GARBAGE[name])
    assert ran.code in {0, 2, 3}, ran.err[-500:]
    assert isinstance(ran.body, dict)
    assert "Traceback" not in ran.err
    assert "internal-error" not in ran.err


@pytest.mark.parametrize("name", CORPORA)
def test_a_corpus_of_any_shape_is_indexed_or_named(run_empty, tmp_path: Path, name: str) -> None:
    text, code = CORPORA[name]
    path = tmp_path / "cases.ndjson"
    path.write_text(text, encoding="utf-8")
    ran = run_empty("index", "add", str(path), "--collection", "shape", "--json")
    assert ran.code == code, ran.err[-500:]
    assert isinstance(ran.body, dict)
    assert "Traceback" not in ran.err
    assert "internal-error" not in ran.err
