"""``handrail eval evidence``: over a collection or a file of passages, every figure, no text."""

from __future__ import annotations

import json
from pathlib import Path

TEXTS = (
    "Slow zanzibar breathing tells the body that all is well. You may rest for 10 minutes now.",
    "Some people rest before noon, because zanzibar work is hard. A good walk helps everyone.",
)


def passages(tmp_path: Path) -> Path:
    path = tmp_path / "passages.jsonl"
    rows = [{"id": f"p{at}", "text": text} for at, text in enumerate(TEXTS)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_passages_are_measured_without_a_collection(run_empty, tmp_path: Path) -> None:
    ran = run_empty("eval", "evidence", "--passages", str(passages(tmp_path)))
    assert ran.code == 0
    assert "accepted.negation" in ran.out
    assert "false_rejection" in ran.out
    assert "zanzibar" not in ran.out + ran.err


def test_a_collection_is_measured_and_pinned(run, tmp_path: Path) -> None:
    body = run("eval", "evidence", "--collection", "tiny", "--limit", "2", "--json").body
    assert body["suite"] == "evidence"
    assert body["collection"]["name"] == "tiny"
    assert body["pins"] == {"counterfactuals": 1, "agreement": 1}
    assert body["metrics"]["accepted.truncation"]["value"] == 0
    assert body["metrics"]["false_rejection"]["value"] == 0


def test_a_file_that_is_not_there_is_a_mistake(run_empty, tmp_path: Path) -> None:
    ran = run_empty("eval", "evidence", "--passages", str(tmp_path / "none.jsonl"))
    assert (ran.code, ran.out) == (2, "")


def test_one_passage_is_too_few(run_empty, tmp_path: Path) -> None:
    path = tmp_path / "one.jsonl"
    path.write_text(json.dumps({"id": "p", "text": TEXTS[0]}) + "\n")
    ran = run_empty("eval", "evidence", "--passages", str(path))
    assert ran.code == 2
    assert "two texts" in ran.err
