"""``handrail eval crisis``: every figure, every id, no text; a bad bank is a mistake."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

HARMLESS = "zanzibar, the train was on time"
SPELLED = "zanzibar, I want to kill myself"


@pytest.fixture
def bank(tmp_path: Path) -> Path:
    """Twelve rows with a label that the screen must miss, one that it must see, one harmless."""
    rows = [{"id": f"miss-{n}", "lang": "en", "text": HARMLESS, "level": "high"} for n in range(12)]
    rows += [
        {"id": "seen", "lang": "en", "text": SPELLED, "level": "high", "split": "held"},
        {"id": "calm", "lang": "en", "text": HARMLESS, "level": "none"},
    ]
    path = tmp_path / "bank.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_all_missed_ids_are_shown_and_no_text(run_empty, bank: Path) -> None:
    ran = run_empty("eval", "crisis", "--bank", str(bank))
    assert (ran.code, ran.err) == (0, "")
    missed = ", ".join(f"miss-{n}" for n in range(12))
    assert f"missed by recall.high.en: {missed}\n" in ran.out
    assert "zanzibar" not in ran.out
    assert "latency_p99_ms" in ran.out


def test_the_object_has_the_named_figures_with_their_intervals(run_empty, bank: Path) -> None:
    body = run_empty("eval", "crisis", "--bank", str(bank), "--json").body
    assert body["suite"] == "crisis"
    assert body["metrics"]["recall.high.en"]["value"] == pytest.approx(1 / 13, abs=1e-6)
    assert body["metrics"]["false_alarm.en"]["n"] == 1
    assert body["metrics"]["carrier_retention"]["n"] == 5
    assert len(body["misses"]["recall.high.en"]) == 12


def test_a_split_can_be_measured_alone(run_empty, bank: Path) -> None:
    body = run_empty("eval", "crisis", "--bank", str(bank), "--split", "held", "--json").body
    assert body["metrics"]["recall.high.en"]["value"] == 1
    assert body["counts"]["rows"] == 1


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ('{"id": "x", "lang": "en", "text": "zanzibar", "level": "severe"}', "line 15: level"),
        ('{"id": "x", "text": "zanzibar", "level": "none"}', "line 15: lang"),
    ],
)
def test_a_bad_row_is_a_mistake_by_line(run_empty, bank: Path, line: str, reason: str) -> None:
    bank.write_text(bank.read_text() + line + "\n")
    ran = run_empty("eval", "crisis", "--bank", str(bank))
    assert (ran.code, ran.out) == (2, "")
    assert "error[invalid-input]" in ran.err
    assert reason in ran.err
    assert "zanzibar" not in ran.err


def test_an_absent_bank_is_a_mistake(run_empty, tmp_path: Path) -> None:
    ran = run_empty("eval", "crisis", "--bank", str(tmp_path / "none.jsonl"))
    assert (ran.code, ran.out) == (2, "")
    assert "there is no file" in ran.err
