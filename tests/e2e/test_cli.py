"""The command line as a shell sees it: real processes, pipes and exit codes."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from shell import CONCERN, HANDRAIL, SECONDS, Ended, Shell, environment, shell, warm_shell


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory, first_command: Ended) -> Path:
    """A home in which only the first command was ever run."""
    home = tmp_path_factory.mktemp("fresh")
    shutil.copytree(first_command.home / "data", home / "data")
    return home


@pytest.fixture(scope="module")
def run(fresh: Path, first_command: Ended) -> Iterator[Shell]:
    """A shell behind the first command."""
    assert first_command.code == 0
    with warm_shell(fresh) as run:
        yield run


def test_the_first_command_indexes_the_starter_corpus_and_answers(
    first_command: Ended,
) -> None:
    said, talk = first_command.out, first_command.err
    assert first_command.code == 0, talk
    assert "Try today:" in said
    assert "first use" in talk
    assert "texts," in talk
    assert "first use" not in said
    assert "\x1b" not in said + talk


def test_the_second_command_indexes_nothing(fresh: Path) -> None:
    done = shell(fresh)("coach", CONCERN, "--json")
    assert done.stderr == b""
    assert json.loads(done.stdout)["outcome"] == "answer"


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["coach", CONCERN], 0),
        (["coach", ""], 2),
        (["coach"], 2),
        (["coach", "How do I file my taxes?"], 3),
        (["coach", "I want to kill myself"], 4),
        (["check", "I want to kill myself"], 4),
    ],
    ids=str,
)
def test_a_command_ends_with_its_code(run: Shell, words: list[str], code: int) -> None:
    assert run(*words).returncode == code


def test_every_command_prints_one_object_with_json(run: Shell, tmp_path: Path) -> None:
    reply = tmp_path / "reply.json"
    reply.write_bytes(run("coach", CONCERN, "--json").stdout)
    for words, code in (
        (["search", "I cannot sleep"], 0),
        (["check", "hello"], 0),
        (["verify", str(reply)], 0),
        (["verify", str(tmp_path)], 2),
        (["index", "list"], 0),
        (["index", "verify", "starter"], 0),
        (["index", "remove", "nope", "--yes"], 2),
        (["config", "show"], 0),
        (["doctor"], 0),
        (["no-such-command"], 2),
    ):
        done = run(*words, "--json")
        assert isinstance(json.loads(done.stdout), dict), words
        assert done.returncode == code, words


def test_a_message_may_come_through_a_pipe(run: Shell) -> None:
    piped = json.loads(run("coach", "-", "--json", stdin=f"{CONCERN}\n".encode()).stdout)
    typed = json.loads(run("coach", CONCERN, "--json").stdout)
    assert piped["receipt"] == typed["receipt"]


def test_a_closed_pipe_ends_quietly(fresh: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "wb") as closed:
        done = subprocess.run(
            [*HANDRAIL, "check", "hello"],
            stdout=closed,
            stderr=subprocess.PIPE,
            timeout=SECONDS,
            check=False,
            env=environment(fresh),
        )
    assert b"Traceback" not in done.stderr


def test_a_stream_that_holds_only_ascii_still_gets_the_answer(fresh: Path) -> None:
    done = subprocess.run(
        [*HANDRAIL, "coach", CONCERN],
        capture_output=True,
        timeout=SECONDS,
        check=False,
        env=environment(fresh) | {"PYTHONIOENCODING": "ascii"},
    )
    assert done.returncode == 0
    assert b"\\u201c" in done.stdout


@pytest.mark.parametrize(
    ("message", "code"), [("I want to kill myself", 4), ("", 2)], ids=["crisis", "nothing"]
)
def test_on_a_fresh_machine_help_and_mistakes_wait_for_no_index(
    tmp_path: Path, message: str, code: int
) -> None:
    done = shell(tmp_path)("coach", message, "--country", "IE")
    assert done.returncode == code
    assert b"116 123" in (done.stdout if code == 4 else done.stderr)
    assert b"first use" not in done.stderr
    assert not (tmp_path / "data").exists()


def test_only_what_a_command_needs_is_loaded(fresh: Path) -> None:
    script = (
        "import sys; from handrail.cli import app; app(sys.argv[1:], standalone_mode=False);"
        "print(sorted({name.split('.')[0] for name in sys.modules}), file=sys.stderr)"
    )
    heavy = {"faiss", "onnxruntime", "pyarrow", "numpy", "bm25s", "fastapi", "openai", "rich"}
    for words, unwanted in (
        (["--version"], heavy | {"pydantic", "yaml", "re2"}),
        (["check", "hello"], heavy),
        (["index", "list"], {"onnxruntime", "fastapi", "openai", "rich"}),
    ):
        done = subprocess.run(
            [sys.executable, "-c", script, *words],
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=True,
            env=environment(fresh),
        )
        loaded = set(json.loads(done.stderr.splitlines()[-1].replace("'", '"')))
        assert loaded & unwanted == set(), words
