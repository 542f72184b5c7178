"""``handrail eval protocol``: figures that say whose they are, transcripts for another judge."""

from __future__ import annotations

from pathlib import Path


def test_the_report_says_that_it_is_a_self_score(run_empty) -> None:
    ran = run_empty("eval", "protocol", "--dialogues", "1")
    assert ran.code == 0
    assert "not the official judge" in ran.err
    assert "self_score.SI-8.asks-about-safety" in ran.out
    assert "self_score.dimension.probes-risk" in ran.out


def test_transcripts_are_written_one_a_dialogue(run_empty, tmp_path: Path) -> None:
    folder = tmp_path / "talks"
    body = run_empty("eval", "protocol", "--dialogues", "1", "--export", str(folder), "--json").body
    files = sorted(folder.glob("*.txt"))
    assert len(files) == body["counts"]["dialogues"]
    assert all(path.read_text(encoding="utf-8").startswith("user: ") for path in files)


def test_no_dialogues_are_a_mistake(run_empty) -> None:
    assert run_empty("eval", "protocol", "--dialogues", "0").code == 2
