"""Rows of a crisis bank: what is read, and what is refused by line and never quoted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from evals_sample import write_rows

from handrail.domain.risk import Level
from handrail.errors import InvalidInput
from handrail.evals.banks import CRISIS_BANK, read_crisis

CANARY = "marigold"
ROW: dict[str, object] = {"id": "a", "lang": "en", "text": CANARY, "level": "high"}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "bank.jsonl"


def test_four_fields_are_enough(file: Path) -> None:
    (row,) = read_crisis(write_rows(file, ROW))
    assert (row.id, row.lang, row.text, row.label) == ("a", "en", CANARY, Level.HIGH)
    assert (row.category, row.style, row.split, row.accepted) == (None, None, None, None)


@pytest.mark.parametrize("name", ["category", "kind"])
def test_further_fields_are_read_or_left_alone(file: Path, name: str) -> None:
    more = {name: "suicide", "style": "terse", "split": "held", "source": "x"}
    (row,) = read_crisis(write_rows(file, ROW | more))
    assert (row.category, row.style, row.split) == ("suicide", "terse", "held")


@pytest.mark.parametrize(
    ("tag", "lang"), [("en", "en"), ("es-MX", "es"), ("ES_ar", "es"), ("yue-Hant-HK", "yue")]
)
def test_a_region_belongs_to_its_language(file: Path, tag: str, lang: str) -> None:
    (row,) = read_crisis(write_rows(file, ROW | {"lang": tag}))
    assert row.lang == lang


def without(field: str) -> dict[str, object]:
    return {name: value for name, value in ROW.items() if name != field}


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        (without("lang"), "lang: Field required"),
        (without("level"), "level: Field required"),
        (without("text"), "text: Field required"),
        (without("id"), "Field required"),
        (ROW | {"id": "b", "lang": "marigold"}, "lang: Value error, is not a language"),
        (ROW | {"id": "b", "lang": None}, "lang: "),
        (ROW | {"id": "b", "level": "marigold"}, "level: Input should be 'none', 'mild'"),
        (ROW | {"id": "b", "level": "HIGH"}, "level: "),
        (ROW | {"id": "b", "level": 3}, "level: "),
        (ROW | {"id": "b", "text": " \n"}, "text: Value error, is blank"),
        (ROW | {"id": "b", "category": ""}, "category: Value error, is blank"),
        (ROW | {"id": "b", "accepted": CANARY}, "accepted: stands beside a level"),
        (ROW, "repeats an id"),
    ],
)
def test_a_bad_row_is_refused_by_line_and_not_quoted(
    file: Path, row: dict[str, object], reason: str
) -> None:
    with pytest.raises(InvalidInput) as error:
        read_crisis(write_rows(file, ROW, row))
    assert str(error.value).startswith("'bank.jsonl' line 2: ")
    assert reason in str(error.value)
    assert CANARY not in str(error.value)


def test_every_packaged_row_says_by_whom_it_was_read(file: Path) -> None:
    rows = [json.loads(line) for line in CRISIS_BANK.read_text(encoding="utf-8").splitlines()]
    assert len(read_crisis(CRISIS_BANK)) == len(rows)
    assert [row["id"] for row in rows if not (row.get("source") and row.get("review"))] == []
    assert {row.get("split", "dev") for row in rows} <= {"dev", "held"}
