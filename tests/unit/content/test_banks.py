"""The packaged evaluation bank is well formed and points at cases that exist."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from handrail.content.loader import ROOT, corpora

FIELDS = {
    "id", "text", "kind", "relevant", "style", "synthetic", "version", "language", "review",
}  # fmt: skip
STYLES = {"oblique", "plain", "terse"}


def read(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def bank() -> list[dict[str, Any]]:
    return read(ROOT / "banks" / "coach.jsonl")


@pytest.fixture(scope="module")
def cases() -> set[str]:
    return {case["id"] for path in corpora("starter") for case in read(path)}


def test_rows_have_the_documented_fields(bank: list[dict[str, Any]]) -> None:
    for row in bank:
        assert set(row) == FIELDS, row["id"]
        assert row["style"] in STYLES, row["id"]
        assert row["synthetic"] is True, row["id"]


def test_ids_and_texts_are_unique(bank: list[dict[str, Any]]) -> None:
    assert len({row["id"] for row in bank}) == len(bank)
    assert len({row["text"].casefold() for row in bank}) == len(bank)


def test_there_are_enough_rows_of_each_kind(bank: list[dict[str, Any]]) -> None:
    kinds = Counter(row["kind"] for row in bank)
    assert set(kinds) == {"in", "out"}
    assert kinds["in"] >= 60
    assert kinds["out"] >= 10


def test_relevant_cases_exist(bank: list[dict[str, Any]], cases: set[str]) -> None:
    for row in bank:
        assert set(row["relevant"]) <= cases, row["id"]
        assert len(set(row["relevant"])) == len(row["relevant"]), row["id"]


def test_only_concerns_have_relevant_cases(bank: list[dict[str, Any]]) -> None:
    for row in bank:
        assert bool(row["relevant"]) == (row["kind"] == "in"), row["id"]


def test_concerns_are_8_to_45_words(bank: list[dict[str, Any]]) -> None:
    for row in bank:
        if row["kind"] == "in":
            assert 8 <= len(row["text"].split()) <= 45, row["id"]
