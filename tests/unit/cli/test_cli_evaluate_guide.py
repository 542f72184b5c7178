"""``handrail eval guide`` and ``guide-expect`` over a search that finds one thing only."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from handrail.cli import evaluate_guide
from handrail.content.entities import packaged_entities
from handrail.domain.entity import ChatType
from handrail.domain.ranking import Ranking
from handrail.domain.risk import Risk
from handrail.flows.guide.found import Chosen, Found
from handrail.settings import Settings


def _rock_alone(
    settings: Settings,
) -> tuple[evaluate_guide.Find, tuple[Any, ...], Mapping[str, object]]:
    """Finds gray_rock, whatever is asked."""
    entities = packaged_entities()
    (rock,) = (one for one in entities if one.entity_id == "gray_rock")

    def find(prompt: str, state: Mapping[str, object], chat_type: ChatType | None) -> Found:
        return Found(final=(Chosen(entity=rock),), always=(), ranking=Ranking(), risk=Risk())

    return find, entities, {"merge": settings.guide.merge}


@pytest.fixture(autouse=True)
def _found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evaluate_guide, "finder", _rock_alone)


@pytest.fixture
def bank(tmp_path: Path) -> Path:
    rows = (
        ("K-1", "keyword", "gray_rock", False),
        ("K-2", "keyword", "biff_response", False),
        ("P-1", "pattern", "handler_crisis", True),
    )
    file = tmp_path / "mine.jsonl"
    file.write_text(
        "".join(
            json.dumps(
                {
                    "test_id": test_id,
                    "bank": name,
                    "prompt": f"zanzibar {test_id}",
                    "expected_primary": primary,
                    "is_critical": critical,
                }
            )
            + "\n"
            for test_id, name, primary, critical in rows
        )
    )
    return file


def test_h39_a_bank_of_ones_own_is_measured_whole(run_empty, bank: Path) -> None:
    ran = run_empty("eval", "guide", "--bank", str(bank), "--merge", "seed", "--json")
    assert ran.code == 0
    assert "zanzibar" not in ran.out + ran.err
    metrics = {name: figure["value"] for name, figure in ran.body["metrics"].items()}
    assert metrics["gpa"] == pytest.approx(4 / 3)
    assert metrics["gpa.keyword"] == 2
    assert metrics["gpa.pattern"] == 0
    assert metrics["gpa.semantic"] is None
    assert metrics["critical_failures"] == 1
    assert ran.body["health"] == "CRITICAL"
    assert ran.body["pins"]["merge"] == "seed"
    assert ran.body["pins"]["split"] == "all"


def test_h39_the_packaged_banks_are_measured_by_their_test_half(run_empty) -> None:
    ran = run_empty("eval", "guide")
    assert ran.code == 0
    assert ran.out.startswith("CRITICAL: mean score")
    assert "missed by critical_failures" in ran.out
    both = [run_empty("eval", "guide", "--split", half, "--json").body for half in ("train", "all")]
    assert both[0]["counts"]["tests"] < both[1]["counts"]["tests"]


def test_h39_the_report_is_written_where_it_is_asked_for(run_empty, bank: Path) -> None:
    report = bank.with_name("report.html")
    ran = run_empty("eval", "guide", "--bank", str(bank), "--report", str(report))
    assert ran.code == 0
    assert "zanzibar P-1" in report.read_text(encoding="utf-8")
    nowhere = bank.with_name("nowhere") / "report.html"
    ran = run_empty("eval", "guide", "--bank", str(bank), "--report", str(nowhere))
    assert ran.code == 2
    assert "invalid-input" in ran.err


def test_h39_a_person_corrects_an_expectation_and_a_calibration_leaves_it(
    run_empty, bank: Path
) -> None:
    first = bank.read_text().splitlines()
    words = ("eval", "guide-expect", "K-2", "--bank", str(bank), "--by", "Ada", "--reason", "Why.")
    ran = run_empty(*words, "--primary", "late_pickups", "--not", "biff_response", "--json")
    assert ran.code == 0
    assert ran.body["expected_primary"] == "late_pickups"
    assert ran.body["not_expected"] == ["biff_response"]
    ran = run_empty("eval", "guide", "--bank", str(bank), "--calibrate", "--by", "Ada")
    assert "calibrated 0 tests" in ran.err
    after = bank.read_text().splitlines()
    assert (after[0], after[2]) == (first[0], first[2])
    assert [one["source"] for one in json.loads(after[1])["history"]] == ["human"]
    ran = run_empty(*words, "--primary", "none", "--not", "none")
    assert ran.code == 0
    history = json.loads(bank.read_text().splitlines()[1])["history"]
    assert (history[1]["expected_primary"], history[1]["not_expected"]) == (None, [])
    assert history[0]["expected_primary"] == "late_pickups"


def test_h39_a_calibration_is_appended_where_nobody_spoke_and_never_over_safety(
    run_empty, bank: Path
) -> None:
    ran = run_empty("eval", "guide", "--bank", str(bank), "--calibrate", "--by", "Ada", "--json")
    assert "calibrated 1 tests: K-2" in ran.err
    again = run_empty("eval", "guide", "--bank", str(bank), "--json").body
    assert again["metrics"]["gpa.keyword"]["value"] == 4
    assert again["metrics"]["gpa.original"]["value"] == pytest.approx(4 / 3)
    assert again["metrics"]["critical_failures"]["value"] == 1


@pytest.mark.parametrize(
    "words",
    [
        ("guide", "--calibrate", "--by", "Ada"),
        ("guide", "--calibrate", "--bank", "BANK"),
        ("guide-expect", "T-9", "--bank", "BANK", "--by", "Ada", "--reason", "Why."),
        ("guide-expect", "K-1", "--bank", "BANK", "--by", " ", "--reason", "Why."),
        ("guide", "--bank", "nowhere.jsonl"),
    ],
)
def test_h39_what_the_caller_can_mend_is_told_and_changes_nothing(
    run_empty, bank: Path, words: tuple[str, ...]
) -> None:
    before = bank.read_bytes()
    ran = run_empty("eval", *(str(bank) if word == "BANK" else word for word in words))
    assert ran.code == 2
    assert bank.read_bytes() == before


def test_h39_an_unknown_id_is_told(run_empty, bank: Path) -> None:
    words = ("--bank", str(bank), "--by", "Ada", "--reason", "Why.", "--primary", "grey_stone")
    assert "'grey_stone'" in run_empty("eval", "guide-expect", "K-1", *words).err
    assert "'grey_stone'" in run_empty("eval", "guide", "--bank", str(bank)).err
