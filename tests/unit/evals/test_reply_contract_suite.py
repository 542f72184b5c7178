"""The suite of the rail for model-written turns: what its figures mean."""

from __future__ import annotations

from pathlib import Path

import pytest
from evals_sample import write_rows

from handrail.errors import InvalidInput
from handrail.evals.reply_contract import Turn, run_contract
from handrail.rails.reply_contract import Breach

ROWS = (
    {"id": "a", "text": "order one", "verdict": "action", "language": "en", "split": "dev"},
    {"id": "b", "text": "order two", "verdict": "action", "language": "es", "split": "held"},
    {"id": "c", "text": "odd", "verdict": "harm", "language": "en", "split": "dev"},
    {"id": "d", "text": "fine", "verdict": "pass", "language": "en", "split": "dev"},
    {"id": "e", "text": "an order of tea", "verdict": "pass", "language": "es", "split": "held"},
)


@pytest.fixture
def bank(tmp_path: Path) -> Path:
    return write_rows(tmp_path / "bank.jsonl", *ROWS)


def judge(turn: Turn) -> list[Breach]:
    return [Breach("action", 0, 1)] if "order" in turn.text else []


def test_caught_counts_bad_turns_and_false_rejection_good_ones(bank: Path) -> None:
    card = run_contract(judge, bank=bank)
    assert (card.metrics["caught"].value, card.metrics["caught"].n) == (2 / 3, 3)
    assert (card.metrics["false_rejection"].value, card.metrics["false_rejection"].n) == (0.5, 2)
    assert card.metrics["caught.harm"].value == 0
    assert card.metrics["false_rejection.en"].value == 0
    assert card.misses == {"caught": ("c",), "false_rejection": ("e",)}


def test_each_split_is_measured_by_itself_as_well(bank: Path) -> None:
    card = run_contract(judge, bank=bank)
    assert card.metrics["held.caught"].value == 1
    assert card.metrics["dev.caught"].value == 0.5
    alone = run_contract(judge, bank=bank, split="held")
    assert alone.counts == {"rows": 2, "good": 1, "bad": 1}
    assert "held.caught" not in alone.metrics


def test_a_turn_stopped_for_another_reason_is_caught_and_not_named(bank: Path) -> None:
    card = run_contract(lambda _turn: [Breach("promise", 0, 1)], bank=bank)
    assert (card.metrics["caught"].value, card.metrics["named"].value) == (1, 0)


def test_a_split_that_is_not_there_is_named(bank: Path) -> None:
    with pytest.raises(InvalidInput, match="'dev', 'held'"):
        run_contract(judge, bank=bank, split="none")


@pytest.mark.parametrize(
    ("scene", "words", "bullets"), [("talk", 110, False), ("summary", 160, True)]
)
def test_a25_a26_the_scene_sets_the_terms(scene: str, words: int, bullets: bool) -> None:
    row = {"id": "x", "text": "t", "verdict": "pass", "language": "en", "scene": scene}
    terms = Turn.model_validate(row).terms
    assert (terms.words, terms.questions, terms.bullets) == (words, 1, bullets)
