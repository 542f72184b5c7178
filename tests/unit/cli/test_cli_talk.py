"""What is printed where, and how it fits."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handrail import errors
from handrail.cli import progress, render
from handrail.cli.doctor import helplines_age
from handrail.cli.exits import MEANING, Exit, exit_code
from handrail.cli.problems import problem_of
from handrail.corpus.build import Progress
from handrail.errors import HandrailError
from handrail.rails.helplines import Helplines


@contextmanager
def terminal(columns: int) -> Iterator[None]:
    """Standard output as a terminal of that width."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
        patch.setenv("COLUMNS", str(columns))
        yield


def every_error(root: type[HandrailError] = HandrailError) -> Iterator[type[HandrailError]]:
    yield root
    for child in root.__subclasses__():
        yield from every_error(child)


def test_every_exit_code_has_a_meaning() -> None:
    assert set(MEANING) == set(Exit)


@pytest.mark.parametrize("error", sorted(every_error(), key=lambda kind: kind.__name__), ids=str)
def test_what_the_caller_can_mend_is_usage_and_the_rest_a_fault(error) -> None:
    mendable = (errors.UsageError, errors.IndexUnusable)
    usage = issubclass(error, mendable) and not issubclass(error, errors.IndexCorrupt)
    assert exit_code(error.__new__(error)) is (Exit.USAGE if usage else Exit.FAULT)


def test_a_defect_names_its_place_and_not_its_message() -> None:
    try:
        int("canary")
    except ValueError as error:
        problem = problem_of(error)
    assert problem.code == "internal-error"
    assert problem.detail.startswith("ValueError at test_cli_talk.py:")
    assert "canary" not in problem.detail


def test_a_pipe_gets_lines_as_they_are() -> None:
    assert render.wrapped("word " * 100) == "word " * 100


@given(
    st.lists(st.sampled_from(["word", "longer-word", "“quoted”", "-", "1)"])), st.integers(20, 88)
)
def test_a_terminal_gets_lines_that_fit_and_all_words(words: list[str], columns: int) -> None:
    text = " ".join(words)
    with terminal(columns):
        shown = render.wrapped(text)
    assert shown.split() == text.split()
    assert all(len(line) <= columns for line in shown.split("\n"))


def test_lines_after_a_list_mark_are_set_in() -> None:
    with terminal(30):
        shown = render.wrapped("1) " + "word " * 10 + "\n- " + "word " * 10).split("\n")
    assert [line[:3] for line in shown if not line.startswith(("1", "-"))] == ["   ", "  w"]


def test_progress_in_a_log_is_a_line_now_and_then(capsys: pytest.CaptureFixture[str]) -> None:
    with progress.reported("tiny") as report:
        for done in range(1, 101):
            report(Progress(done=done, total=100, rate=50.0, seconds_left=2.0))
    assert capsys.readouterr().err == "tiny: 100/100 texts, 50 a second, 2 s left\n"


def test_a_bar_says_rate_and_time_left(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
        patch.setenv("TERM", "xterm")
        patch.setenv("COLUMNS", "100")
        with progress.reported("tiny") as report:
            report(Progress(done=7, total=9, rate=50.0, seconds_left=2.0))
    captured = capsys.readouterr()
    assert captured.out == ""
    assert re.search(r"7/9 texts, 50 a second, 2 s left", captured.err)


def test_ctrl_c_while_indexing_says_what_is_kept(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(KeyboardInterrupt), progress.reported("tiny"):
        raise KeyboardInterrupt
    assert "is kept" in capsys.readouterr().err


def test_old_helplines_are_a_warning() -> None:
    packaged = Helplines.packaged()
    read = date.fromisoformat(packaged.as_of)
    assert helplines_age(packaged, today=read)[0] is True
    assert helplines_age(packaged, today=read.replace(year=read.year + 3))[0] is None


def test_a_doctor_finds_a_whole_house(run) -> None:
    ran = run("doctor", "--json")
    assert (ran.code, ran.body["ok"]) == (0, True)
    assert {"python", "content", "embedder", "collection tiny", "reply self-test"} <= {
        check["name"] for check in ran.body["checks"] if check["ok"]
    }


def test_a_doctor_finds_a_home_that_cannot_be_written(run_empty, tmp_path: Path) -> None:
    (tmp_path / "home").write_text("a file", encoding="utf-8")
    ran = run_empty("doctor")
    assert ran.code == 1
    assert "FAULT  home: " in ran.out


def test_a_doctor_makes_no_collection(run_empty, tmp_path: Path) -> None:
    ran = run_empty("doctor")
    assert ran.code == 0
    assert "note   reply self-test" in ran.out
    assert not (tmp_path / "home" / "collections").exists()


def test_a_bank_of_ones_own_is_measured(run, tmp_path: Path) -> None:
    bank = tmp_path / "bank.jsonl"
    rows = [
        {"id": "a", "text": "I feel anxious before my exams", "kind": "in", "relevant": []},
        {"id": "b", "text": "What is the capital of France?", "kind": "out"},
    ]
    bank.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    measure = ("eval", "coach", "--bank", str(bank), "--collection", "tiny")
    card = run(*measure, "--json")
    assert (card.code, card.body["suite"]) == (0, "coach")
    shown = run(*measure).out
    assert all(name in shown for name in card.body["metrics"])


def test_queries_of_ones_own_are_measured(run, tmp_path: Path) -> None:
    found = run("search", "dog", "--collection", "tiny", "-k", "1", "--json").body["cases"]
    queries, qrels = tmp_path / "queries.jsonl", tmp_path / "qrels.tsv"
    queries.write_text('{"id": "q", "text": "I miss my old dog"}\n', encoding="utf-8")
    judged = f"query-id\tcorpus-id\tscore\nq\t{found[0]['id']}\t1\n"
    qrels.write_text(judged, encoding="utf-8")
    words = ("--queries", str(queries), "--qrels", str(qrels), "--collection", "tiny")
    card = run("eval", "retrieval", *words, "--json")
    assert (card.code, card.body["metrics"]["hit_at_3"]["value"]) == (0, 1.0)


def test_a_bank_that_is_not_there_is_a_mistake(run, tmp_path: Path) -> None:
    ran = run("eval", "coach", "--bank", str(tmp_path / "none.jsonl"), "--collection", "tiny")
    assert (ran.code, ran.out) == (2, "")
