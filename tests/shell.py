"""Commands as a shell runs them: processes with pipes of their own, in a home of their own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import pytest

from made_once import alone, copy_new, of_all_workers

ROOT = Path(__file__).parents[1]
HANDRAIL = [sys.executable, "-c", "from handrail.cli import main; main()"]
CONCERN = "I feel worthless and anxious"
SECONDS = 300  # for one command on a busy machine

Shell: TypeAlias = Callable[..., "subprocess.CompletedProcess[bytes]"]

# Reads what commands read, then forks one process for each; their pipes and ends are their own. The
# model is left to them: ONNX Runtime and Arrow have threads, which do not live through a fork.
FORKS = """
import json, os, signal, sys
import bm25s, faiss, numpy, pytest
import handrail.cli, handrail.cli.coach, handrail.wire
from handrail.bootstrap import build_engine
from handrail.settings import Settings
from made_once import make_once

make_once(pytest.MonkeyPatch())
build_engine(Settings(home=sys.argv[1]))

def fed(path):
    reader, writer = os.pipe()
    if os.fork() == 0:
        os.close(reader)
        try:
            with open(path, "rb") as file, open(writer, "wb") as pipe:
                pipe.write(file.read())
        except BrokenPipeError:
            pass
        os._exit(0)
    os.close(writer)
    return reader

def run(words, folder):
    os.dup2(fed(folder + "/in"), 0)
    for number, name in ((1, "out"), (2, "err")):
        os.dup2(os.open(folder + "/" + name, os.O_WRONLY | os.O_CREAT), number)
    sys.argv = ["handrail", *words]
    signal.alarm(120)  # a command that hangs ends with another code, not with the tests
    handrail.cli.main()

requests = open(os.dup(0), encoding="ascii")
answers = open(os.dup(1), "w", encoding="ascii")
for line in iter(requests.readline, ""):
    child = os.fork()
    if child == 0:
        run(*json.loads(line))
        sys.exit(0)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), file=answers, flush=True)
"""


def environment(home: Path) -> dict[str, str]:
    """What a fresh machine has, with everything kept below ``home``."""
    return {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(ROOT / "src"),
        "OMP_NUM_THREADS": "1",
        "XDG_DATA_HOME": str(home / "data"),
    }


def shell(home: Path) -> Shell:
    """A way to run commands that keep everything below ``home``; each starts from nothing."""

    def run(*words: str | bytes, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            [*HANDRAIL, *words],
            input=stdin,
            capture_output=True,
            timeout=SECONDS,
            check=False,
            env=environment(home),
        )

    return run


@contextmanager
def warm_shell(home: Path) -> Iterator[Shell]:
    """The same for many commands: each is a process that begins with its rails ready (1 s)."""
    folder = home / "streams"
    folder.mkdir()
    with subprocess.Popen(
        [sys.executable, "-c", FORKS, str(folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=environment(home) | {"PYTHONPATH": f"{ROOT / 'src'}:{ROOT / 'tests'}"},
    ) as forks:
        assert forks.stdin is not None
        assert forks.stdout is not None
        asks, answers = forks.stdin, forks.stdout

        def run(*words: str | bytes, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
            for name, text in (("in", stdin), ("out", b""), ("err", b"")):
                (folder / name).write_bytes(text)
            print(json.dumps([[*map(os.fsdecode, words)], str(folder)]), file=asks, flush=True)
            code = int(answers.readline())
            out, err = ((folder / name).read_bytes() for name in ("out", "err"))
            return subprocess.CompletedProcess(words, code, out, err)

        try:
            yield run
        finally:
            asks.close()


@dataclass(frozen=True)
class Ended:
    """How a command ended, and the home that it left."""

    home: Path
    code: int
    out: str
    err: str


@pytest.fixture(scope="session")
def first_command(tmp_path_factory: pytest.TempPathFactory, line_vectors: Path) -> Ended:
    """The first command that anybody types: it indexes the packaged corpus, once a run (20 s).

    Every other test that asks the packaged corpus takes a copy of what it left.
    """
    home = of_all_workers(tmp_path_factory) / "first-command"
    record = home / "ended.json"
    with alone(home.with_suffix(".lock")):
        if not record.exists():
            home.mkdir()
            done = shell(home)("coach", CONCERN)
            told = [done.returncode, done.stdout.decode(), done.stderr.decode()]
            record.write_text(json.dumps(told), encoding="utf-8")
            if done.returncode == 0:
                copy_new(data_of(home) / "cache", line_vectors)
    return Ended(home, *json.loads(record.read_text(encoding="utf-8")))


def data_of(home: Path) -> Path:
    """Where commands with ``home`` keep their collections."""
    return home / "data" / "handrail"
