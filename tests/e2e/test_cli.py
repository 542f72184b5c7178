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
from typing import Any

import pytest

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
        "PYTHONPYCACHEPREFIX": str(home / "bytecode"),
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
        (["index", "verify"], 0),
        (["doctor"], 0),
        (["verify", "no-such-file.json"], 2),
    ],
    ids=str,
)
def test_a_command_ends_with_its_code(run: Shell, words: list[str], code: int) -> None:
    assert run(*words).returncode == code


def test_every_command_prints_one_object_with_json(run: Shell, tmp_path: Path) -> None:
    reply = tmp_path / "reply.json"
    reply.write_bytes(run("coach", CONCERN, "--json").stdout)
    for words in (
        ["search", "I cannot sleep"],
        ["check", "hello"],
        ["verify", str(reply)],
        ["verify", str(tmp_path)],
        ["index", "list"],
        ["index", "verify", "starter"],
        ["index", "remove", "nope", "--yes"],
        ["config", "show"],
        ["doctor"],
        ["no-such-command"],
    ):
        done = run(*words, "--json")
        assert isinstance(json.loads(done.stdout), dict), words


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


GARBAGE = {
    "nothing": b"",
    "blank": b" \n\t\r\n ",
    "a megabyte": b"I feel low and so on. " * 50_000,
    "one endless word": b"a" * 1_000_000,
    "NULs": b"\x00" * 100,
    "NULs in words": b"I feel \x00low\x00",
    "no UTF-8": bytes(range(128, 256)) * 10,
    "lone surrogates": "I feel low \ud800\udfff".encode("utf-8", "surrogatepass"),
    "right to left": "أشعر بالحزن والوحدة كل يوم".encode(),
    "marks of direction": "\u202eI feel low\u2066\u2069".encode(),
    "emoji": "😭".encode() * 10_000,
    "combining marks": ("e" + "\u0301" * 5_000).encode(),
    "braces": b'{"query": "x"}' * 100,
    "terminal codes": b"\x1b[31mI feel low\x1b[0m\x07",
}


SEARCHED = ["a megabyte", "one endless word", "NULs", "lone surrogates"]
FED = [
    *((command, name) for command in ("coach", "check") for name in GARBAGE),
    *(("search", name) for name in SEARCHED),
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


def line(**fields: Any) -> str:
    return json.dumps(fields)


ONE = line(Context="I feel low.", Response="A walk can help.")
CORPORA = {
    "one line": (ONE, 0),
    "no line": ("", 2),
    "blank lines": ("\n\n \n", 2),
    "blank lines around one": (f"\n\n{ONE}\n\n", 0),
    "no response": (line(Context="I feel low."), 2),
    "blank response": (line(Context="I feel low.", Response=" "), 2),
    "numbers": (line(Context=1, Response=2), 2),
    "lists": (line(Context=["I feel low."], Response=["A walk."]), 2),
    "an array": (f"[{ONE}]", 2),
    "a string": ('"I feel low."', 2),
    "null": ("null", 2),
    "other columns": (line(a="I feel low.", b="A walk."), 2),
    "half an object": (ONE[:-5], 2),
    "deep": ("[" * 100_000, 2),
    "a huge number": (line(Context="I feel low.", Response="A walk.", n=int("9" * 4_000)), 0),
    "50,000 words": (line(Context="low " * 50_000, Response="A walk can help. " * 12_500), 0),
    "lone surrogates": ('{"Context": "I feel \\ud800 low.", "Response": "A \\udfff walk."}', 0),
    "right to left": (line(Context="أشعر بالحزن.", Response="المشي قد يساعد."), 0),
    "emoji": (line(Context="😭" * 10_000, Response="😀" * 10_000), 0),
    "NULs": (line(Context="I feel\x00 low.", Response="A walk\x00 can help."), 0),
    "columns twice": ('{"Context": "a", "Context": "b", "Response": "A walk can help."}', 0),
}


@pytest.mark.parametrize(("text", "code"), CORPORA.values(), ids=CORPORA.keys())
def test_a_corpus_of_any_shape_is_indexed_or_named(
    fresh: Path, tmp_path: Path, text: str, code: int
) -> None:
    path = tmp_path / "cases.ndjson"
    path.write_text(text, encoding="utf-8")
    words = ["--home", str(tmp_path), "index", "add", str(path), "--collection", "shape"]
    done = shell(fresh)(*words, "--json")
    assert done.returncode == code, done.stderr[-500:]
    assert isinstance(json.loads(done.stdout), dict)
    assert b"Traceback" not in done.stderr
    assert b"internal-error" not in done.stderr


CASES = 500


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
