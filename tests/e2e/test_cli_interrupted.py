"""The command line as a shell sees it: Ctrl-C in the middle of a build."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

from garbage import line
from shell import HANDRAIL, SECONDS, environment, shell

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


def interruptible() -> None:
    """A command that a shell starts in the background ignores Ctrl-C, and so would its children."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def test_ctrl_c_keeps_what_was_embedded(tmp_path: Path) -> None:
    corpus = many_cases(tmp_path / "cases.ndjson")
    words = ["index", "add", str(corpus), "--collection", "mine"]
    with subprocess.Popen(
        [*HANDRAIL, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(tmp_path),
        preexec_fn=interruptible,
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
