"""The benchmark scripts: what they print, what they skip, what they run over."""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from handrail.content import corpora
from handrail.evals.intervals import Estimate

Load = Callable[[str], Any]
BENCHMARKS = Path(__file__).resolve().parents[3] / "benchmarks"


@pytest.fixture
def load(monkeypatch: pytest.MonkeyPatch) -> Iterator[Load]:
    """Import a module of the benchmarks folder as its scripts do, and forget it afterwards."""
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    before = set(sys.modules)
    yield importlib.import_module
    for name in set(sys.modules) - before:
        path = getattr(sys.modules[name], "__file__", None) or ""
        if path.startswith(str(BENCHMARKS)):
            del sys.modules[name]


def test_a_figure_without_an_interval_says_how_often_it_was_seen(load: Load) -> None:
    figures = load("figures")
    lines = list(
        figures.table(
            [
                figures.single("memory.peak", "MB", 364.25),
                figures.Figure("search.p50", "ms", Estimate(4.125, 4.0, 4.5, 70)),
            ],
            {"build-rate": "no torch"},
        )
    )
    assert lines == [
        "memory.peak      364.2 MB          n=1",
        "search.p50       4.125 ms          [4, 4.5] n=70",
        "build-rate: skipped: no torch",
    ]


def test_a_part_that_cannot_run_is_skipped_and_the_others_are_not(
    load: Load, capsys: pytest.CaptureFixture[str]
) -> None:
    figures, run = load("figures"), load("run")

    def broken() -> list[object]:
        raise figures.Skip("no torch")

    found, skipped = run.measure(
        {"build-rate": broken, "startup": lambda: [figures.single("a", "ms", 1.0)]}
    )
    assert [figure.name for figure in found] == ["a"]
    assert skipped == {"build-rate": "no torch"}
    assert "startup" in capsys.readouterr().err


def test_without_third_party_data_the_starter_corpus_serves(
    load: Load, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("SHARED_DATA_DIR", str(tmp_path))
    over = load("material").material(None)
    assert (over.name, over.files) == ("starter", tuple(corpora("starter")))
    assert len(over.questions) >= 50


def test_a_sample_is_taken_evenly_from_the_whole_corpus(load: Load, tmp_path: Path) -> None:
    material = load("material")
    file = tmp_path / "all.ndjson"
    file.write_text("".join(json.dumps({"at": at}) + "\n" for at in range(100)))
    small = material.sample(material.Material("x", (file,), ()), 4, tmp_path / "some.ndjson")
    assert [json.loads(line)["at"] for line in small.read_text().splitlines()] == [0, 25, 50, 75]


def test_a_child_that_fails_gives_the_reason_in_its_last_line(load: Load, tmp_path: Path) -> None:
    children, figures = load("children"), load("figures")
    script = tmp_path / "child.py"
    script.write_text("import sys\nsys.exit('first\\nlast reason')\n")
    with pytest.raises(figures.Skip, match=r"^last reason$"):
        children.call(script)
    script.write_text("print('talk')\nprint('{\"seen\": 3}')\n")
    assert children.call(script) == {"seen": 3}


def test_settings_of_the_caller_do_not_reach_a_child(
    load: Load, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HANDRAIL_COUNTRY", "DE")
    found = load("children").environment({"HANDRAIL_HOME": "x"})
    assert "HANDRAIL_COUNTRY" not in found
    assert (found["HANDRAIL_HOME"], found["OMP_NUM_THREADS"]) == ("x", "1")
