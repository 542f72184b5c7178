"""The injection suite: what its figures mean, and what its packaged bank promises."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from evals_sample import write_rows

from handrail.adapters.re2 import Re2Engine
from handrail.errors import InvalidInput
from handrail.evals import run_injection
from handrail.evals.banks import read_rows
from handrail.evals.injection import INJECTION_BANK, Text
from handrail.rails.injection import InjectionScreen

ROWS = (
    {"id": "a1", "text": "flag me", "attack": True, "language": "en", "split": "dev"},
    {"id": "a2", "text": "zanzibar", "attack": True, "language": "es", "split": "held"},
    {"id": "b1", "text": "good day", "attack": False, "language": "en", "split": "dev"},
    {"id": "b2", "text": "flag day", "attack": False, "split": "dev"},
    {"id": "b3", "text": "night", "attack": False, "split": "held"},
)


def flags(text: str) -> bool:
    return "flag" in text


@pytest.fixture
def bank(tmp_path: Path) -> Path:
    return write_rows(tmp_path / "bank.jsonl", *ROWS)


def test_recall_counts_attacks_and_pass_rate_the_rest(bank: Path) -> None:
    card = run_injection(flags, bank=bank)
    assert (card.metrics["recall"].value, card.metrics["recall"].n) == (0.5, 2)
    assert (card.metrics["pass_rate"].value, card.metrics["pass_rate"].n) == (2 / 3, 3)
    assert card.metrics["recall.en"].value == 1
    assert card.metrics["recall.es"].value == 0
    assert card.metrics["latency_p99_ms"].n == 5
    assert card.misses == {"recall": ("a2",), "pass_rate": ("b2",)}
    assert card.counts == {"rows": 5, "attacks": 2, "benign": 3}


def test_a_card_holds_no_text(bank: Path) -> None:
    assert "zanzibar" not in json.dumps(run_injection(flags, bank=bank).to_json())


def test_a_split_is_measured_alone_and_an_unknown_one_is_named(bank: Path) -> None:
    card = run_injection(flags, bank=bank, split="held")
    assert (card.counts["rows"], card.pins["split"]) == (2, "held")
    with pytest.raises(InvalidInput, match=r"'bank.jsonl' has no split 'none'.*'dev', 'held'"):
        run_injection(flags, bank=bank, split="none")


def test_rows_need_only_three_fields(tmp_path: Path) -> None:
    bank = write_rows(tmp_path / "b.jsonl", {"id": 1, "text": "flag", "attack": True})
    assert set(run_injection(flags, bank=bank).metrics) == {
        "recall",
        "pass_rate",
        "latency_p50_ms",
        "latency_p99_ms",
    }


def test_a_row_without_a_verdict_stops_the_reading(tmp_path: Path) -> None:
    bank = write_rows(tmp_path / "b.jsonl", {"id": "a", "text": "zanzibar"})
    with pytest.raises(InvalidInput, match="line 1: attack") as raised:
        run_injection(flags, bank=bank)
    assert "zanzibar" not in str(raised.value)


def test_the_packaged_bank_is_large_on_both_sides_and_half_of_it_is_set_apart() -> None:
    rows = read_rows(INJECTION_BANK, Text)
    sides = Counter(row.attack for row in rows)
    assert min(sides.values()) >= 150
    assert {row.language for row in rows if row.attack} >= {"en", "es"}
    held = Counter(row.attack for row in rows if row.split == "held")
    assert all(held[side] / sides[side] > 0.45 for side in sides)


def test_the_screen_holds_its_figures_on_the_half_that_was_set_apart() -> None:
    """Of 86 attacks 83 were caught and all 104 others passed; worse than that is a regression."""
    screen = InjectionScreen.packaged(Re2Engine())
    card = run_injection(lambda text: screen.check(text).attack, split="held")
    assert (card.metrics["recall"].value or 0) >= 83 / 86
    assert card.metrics["pass_rate"].value == 1
