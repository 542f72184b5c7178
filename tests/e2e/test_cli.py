"""The command line as a shell sees it: real processes, pipes, signals and broken input."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from garbage import CORPORA, GARBAGE, line

ROOT = Path(__file__).parents[2]
HANDRAIL = [sys.executable, "-c", "from handrail.cli import main; main()"]
CONCERN = "I feel worthless and anxious"
SECONDS = 300  # for one command on a busy machine

Shell = Callable[..., "subprocess.CompletedProcess[bytes]"]


def environment(home: Path) -> dict[str, str]:
    """What a fresh machine has, with everything kept below ``home``."""
    return {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(ROOT / "src"),
        "PYTHONPYCACHEPREFIX": str(home.parent / "bytecode"),  # of all homes: seconds to make
        "OMP_NUM_THREADS": "1",
        "XDG_DATA_HOME": str(home / "data"),
    }


def shell(home: Path) -> Shell:
    """A way to run commands that keep everything below ``home``."""

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


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home in which nothing was ever run."""
    return tmp_path_factory.mktemp("fresh")


@pytest.fixture(scope="module")
def first(fresh: Path) -> subprocess.CompletedProcess[bytes]:
    """The first command that anybody types."""
    return shell(fresh)("coach", CONCERN)


@pytest.fixture
def run(fresh: Path, first: subprocess.CompletedProcess[bytes]) -> Shell:
    """A shell behind the first command."""
    assert first.returncode == 0
    return shell(fresh)


def test_the_first_command_indexes_the_starter_corpus_and_answers(
    first: subprocess.CompletedProcess[bytes],
) -> None:
    said, talk = first.stdout.decode(), first.stderr.decode()
    assert first.returncode == 0, talk
    assert "Try today:" in said
    assert "first use" in talk
    assert "texts," in talk
    assert "first use" not in said
    assert "\x1b" not in said + talk


def test_the_second_command_indexes_nothing(run: Shell) -> None:
    done = run("coach", CONCERN, "--json")
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


def test_a_closed_pipe_ends_quietly(run: Shell, fresh: Path) -> None:
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


def test_a_stream_that_holds_only_ascii_still_gets_the_answer(fresh: Path, run: Shell) -> None:
    done = subprocess.run(
        [*HANDRAIL, "coach", CONCERN],
        capture_output=True,
        timeout=SECONDS,
        check=False,
        env=environment(fresh) | {"PYTHONIOENCODING": "ascii"},
    )
    assert done.returncode == 0
    assert b"\\u201c" in done.stdout


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
def test_a_corpus_of_any_shape_is_indexed_or_named(fresh: Path, tmp_path: Path, name: str) -> None:
    text, code = CORPORA[name]
    path = tmp_path / "cases.ndjson"
    path.write_text(text, encoding="utf-8")
    words = ["--home", str(tmp_path), "index", "add", str(path), "--collection", "shape"]
    done = shell(fresh)(*words, "--json")
    assert done.returncode == code, done.stderr[-500:]
    assert isinstance(json.loads(done.stdout), dict)
    assert b"Traceback" not in done.stderr
    assert b"internal-error" not in done.stderr


CASES = 250


def many_cases(path: Path) -> Path:
    """Cases by the hundred, all different: some seconds of work."""
    path.write_text(
        "\n".join(
            line(
                Context=f"On day {n} of the move I counted {n * 7} boxes and felt tired of it all.",
                Response=f"Counting to {n} slowly can help. A rest after {n} boxes is well earned.",
            )
            for n in range(CASES)
        ),
        encoding="utf-8",
    )
    return path


def journalled(home: Path) -> Iterator[int]:
    """The size of the journal of the build under way, as often as it is asked for."""
    while True:
        sizes = [path.stat().st_size for path in (home / "data").rglob("journal")]
        yield max(sizes, default=0)


def test_ctrl_c_keeps_what_was_embedded(tmp_path: Path) -> None:
    corpus = many_cases(tmp_path / "cases.ndjson")
    words = ["index", "add", str(corpus), "--collection", "mine"]
    with subprocess.Popen(
        [*HANDRAIL, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(tmp_path),
    ) as under_way:
        deadline = time.monotonic() + SECONDS
        for size in journalled(tmp_path):
            if size > 100_000 or under_way.poll() is not None or time.monotonic() > deadline:
                break
            time.sleep(0.02)
        under_way.send_signal(signal.SIGINT)
        out, talk = under_way.communicate(timeout=SECONDS)
    assert under_way.returncode == 130, talk
    assert out == b""
    assert b"is kept" in talk
    assert b"Traceback" not in talk
    again = shell(tmp_path)(*words, "--json")
    body = json.loads(again.stdout)
    assert again.returncode == 0
    assert body["records"] == CASES
    assert 0 < body["embedded"] < 3 * CASES


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
