"""The command line over a tiny corpus, indexed once with the real model."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from tiny_corpus import write_corpus
from typer.testing import CliRunner

from handrail.cli import app


@dataclass(frozen=True)
class Ran:
    """How a command ended and what it wrote."""

    code: int
    out: str
    err: str

    @property
    def body(self) -> Any:
        """The one JSON object on standard output."""
        return json.loads(self.out)


Run: TypeAlias = Callable[..., Ran]


def run_in(home: Path) -> Run:
    """A way to run commands in ``home``."""

    def run(*words: str, stdin: str | bytes | None = None) -> Ran:
        done = CliRunner().invoke(app, ["--home", str(home), *words], input=stdin)
        return Ran(done.exit_code, done.stdout, done.stderr)

    return run


@pytest.fixture(scope="session")
def indexed_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with the collection ``tiny``; tests must leave it as it is."""
    home = tmp_path_factory.mktemp("home")
    corpus = write_corpus(home / "tiny.ndjson")
    assert run_in(home)("index", "add", str(corpus), "--collection", "tiny").code == 0
    return home


@pytest.fixture
def run(indexed_home: Path) -> Run:
    """Run a command where the tiny collection is."""
    return run_in(indexed_home)


@pytest.fixture
def run_empty(tmp_path: Path) -> Run:
    """Run a command in a home that holds nothing."""
    return run_in(tmp_path / "home")
