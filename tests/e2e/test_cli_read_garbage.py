"""The command line as a shell sees it: broken input through real pipes."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from garbage import CORPORA, GARBAGE
from shell import Ended, Shell, warm_shell


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory, first_command: Ended) -> Iterator[Shell]:
    """A shell behind the first command."""
    home = tmp_path_factory.mktemp("garbage")
    shutil.copytree(first_command.home / "data", home / "data")
    with warm_shell(home) as run:
        yield run


# Every kind by every command, in one process: see tests/unit/cli/test_cli_garbage.py.
FED = [
    *(("coach", name) for name in ("nothing", "one endless word", "NULs", "emoji")),
    *(("coach", name) for name in ("no UTF-8", "lone surrogates", "terminal codes")),
    ("check", "no UTF-8"),
    ("search", "NULs in words"),
]


@pytest.mark.parametrize(("command", "name"), FED)
def test_garbage_is_answered_or_named_and_never_crashes(
    run: Shell, command: str, name: str
) -> None:
    done = run(command, "-", "--json", stdin=GARBAGE[name])
    assert done.returncode in {0, 2, 3}, done.stderr[-500:]
    assert isinstance(json.loads(done.stdout), dict)
    assert b"Traceback" not in done.stderr
    assert b"internal-error" not in done.stderr


@pytest.mark.parametrize("typed", [b"\xff\xfe", "\U0001f62d".encode() * 1_000, b"\x1b[31m"])
def test_a_word_of_any_bytes_is_read(run: Shell, typed: bytes) -> None:
    done = run("check", typed, "--json")
    assert (done.returncode, json.loads(done.stdout)["level"]) == (0, "none")


@pytest.mark.parametrize("name", ["one line", "no line", "deep", "lone surrogates", "NULs"])
def test_a_corpus_of_any_shape_is_indexed_or_named(run: Shell, tmp_path: Path, name: str) -> None:
    text, code = CORPORA[name]
    path = tmp_path / "cases.ndjson"
    path.write_text(text, encoding="utf-8")
    words = ["--home", str(tmp_path), "index", "add", str(path), "--collection", "shape"]
    done = run(*words, "--json")
    assert done.returncode == code, done.stderr[-500:]
    assert isinstance(json.loads(done.stdout), dict)
    assert b"Traceback" not in done.stderr
    assert b"internal-error" not in done.stderr
