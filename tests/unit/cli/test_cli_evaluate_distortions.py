"""``handrail eval distortions``: figures and ids, no text."""

from __future__ import annotations

import json
from pathlib import Path


def test_without_a_file_it_says_so_and_measures_the_bank(run_empty) -> None:
    ran = run_empty("eval", "distortions")
    assert ran.code == 0
    assert "public thoughts are skipped" in ran.err
    assert "bank.es.macro_f1" in ran.out
    assert "majority" not in ran.out


def test_a_file_is_measured_beside_the_commonest_label(run_empty, tmp_path: Path) -> None:
    labels = ((" Labeling", "zanzibar idiot"), (" Should statements", "zanzibar should"))
    rows = [
        {"prompt": f"I am a {word} {at} ->", "completion": label}
        for at in range(9)
        for label, word in labels
    ]
    file = tmp_path / "thoughts.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    words = ("eval", "distortions", "--file", str(file), "--no-neighbours", "--split", "dev")
    ran = run_empty(*words, "--json")
    assert ran.code == 0
    assert "zanzibar" not in ran.out + ran.err
    assert ran.body["suite"] == "distortions"
    assert ran.body["counts"]["file_rows"] == 18
    assert ran.body["metrics"]["majority.best_hit"]["n"] > 0
    assert set(ran.body["pins"]["versions"]) == {"en", "es"}


def test_a_file_that_is_not_there_is_named(run_empty, tmp_path: Path) -> None:
    ran = run_empty("eval", "distortions", "--file", str(tmp_path / "nowhere.jsonl"))
    assert ran.code != 0
    assert "nowhere.jsonl" in ran.err
