"""Who expects what: people before calibrations before the original, and nothing is lost (H39)."""

from __future__ import annotations

import json
import threading
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from evals_sample import write_rows
from guide_eval_sample import chosen, found, row, run

from handrail.errors import InvalidInput, NotFound
from handrail.evals.guide.bank import GuideRow, read_guide
from handrail.evals.guide.expectations import Entry, Expectation
from handrail.evals.guide.ledger import append, calibration, entry

AT = datetime(2026, 3, 1, tzinfo=UTC)


def said(source: str, primary: str | None, day: int = 1, **more: Any) -> dict[str, Any]:
    at = f"2026-03-{day:02}T10:00:00Z"
    return {
        "source": source,
        "by": "N",
        "at": at,
        "reason": "R",
        "expected_primary": primary,
        **more,
    }


def read(*history: dict[str, Any]) -> GuideRow:
    values = row(expected_primary="apple", not_expected=["plum"], history=list(history))
    return GuideRow.model_validate(values)


@pytest.mark.parametrize(
    ("history", "primary", "source"),
    [
        ([], "apple", "original"),
        ([said("calibration", "pear", 2), said("calibration", "plum", 1)], "pear", "calibration"),
        ([said("calibration", "pear", 1), said("calibration", "plum", 1)], "plum", "calibration"),
        ([said("human", "pear", 1), said("calibration", "plum", 9)], "pear", "human"),
        ([said("human", "pear", 2), said("human", "plum", 3)], "plum", "human"),
        ([said("original", "quince")], "quince", "original"),
        ([said("human", None)], None, "human"),
    ],
)
def test_h39_a_person_stands_above_the_newest_calibration_above_the_original(
    history: list[dict[str, Any]], primary: str | None, source: str
) -> None:
    one = read(*history)
    assert (one.expectation.expected_primary, one.source) == (primary, source)
    assert one.original.expected_primary == "apple"


def test_h39_a_field_that_an_entry_does_not_name_is_as_in_the_original() -> None:
    assert read(said("human", "pear")).expectation.not_expected == ("plum",)
    assert read(said("human", "pear", not_expected=[])).expectation.not_expected == ()


def test_h39_an_entry_is_appended_and_every_other_byte_stays(tmp_path: Path) -> None:
    file = tmp_path / "bank.jsonl"
    lines = [
        json.dumps(row("T-1", note="left alone")) + "\r\n",
        "\n",
        '{"test_id":"T-2",   "bank":"state","prompt":"caf\u00e9"}\n',
        json.dumps(row("T-3", history=[said("calibration", "pear")])),
    ]
    file.write_bytes("".join(lines).encode())
    file.chmod(0o640)
    person = entry(
        Expectation(expected_primary="plum"), source="human", by="Ada", at=AT, reason="R"
    )
    append(file, {"T-3": person})
    after = file.read_bytes().decode()
    assert after.startswith("".join(lines[:3]))
    changed = json.loads(after.splitlines()[-1])
    assert changed["history"][0] == said("calibration", "pear")
    assert (changed["history"][1]["source"], changed["history"][1]["by"]) == ("human", "Ada")
    assert read_guide(file)[-1].expectation.expected_primary == "plum"
    assert {**changed, "history": None} == {**json.loads(lines[3]), "history": None}
    assert file.stat().st_mode & 0o777 == 0o640
    assert [one.name for one in tmp_path.iterdir()] == ["bank.jsonl"]


def test_h39_nobody_can_expect_without_a_name_and_a_reason() -> None:
    with pytest.raises(InvalidInput, match="--by"):
        entry(Expectation(), source="human", by=" ", at=AT, reason="R")
    with pytest.raises(InvalidInput, match="--reason"):
        entry(Expectation(), source="human", by="Ada", at=AT, reason="")


def test_h39_a_test_that_is_not_there_leaves_the_file_as_it_is(tmp_path: Path) -> None:
    file = write_rows(tmp_path / "bank.jsonl", row())
    before = file.read_bytes()
    with pytest.raises(NotFound, match="T-9"):
        append(file, {"T-1": person("x"), "T-9": person("x")})
    assert file.read_bytes() == before


def person(name: str) -> Entry:
    return entry(Expectation(expected_primary=name), source="human", by="N", at=AT, reason="R")


def test_h39_two_people_at_once_lose_nothing(tmp_path: Path) -> None:
    file = write_rows(tmp_path / "bank.jsonl", row("T-1"), row("T-2"))
    names = [f"entity_{n}" for n in range(12)]
    threads = [
        threading.Thread(target=append, args=(file, {f"T-{1 + n % 2}": person(name)}))
        for n, name in enumerate(names)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    kept = [one.expected_primary for each in read_guide(file) for one in each.history]
    assert sorted(map(str, kept)) == sorted(names)


def test_h39_a_calibration_expects_what_was_found_but_for_people_and_safety(
    tmp_path: Path,
) -> None:
    card = run(
        tmp_path,
        (row("fine", expected_primary="apple"), found(chosen("apple"))),
        (
            row("lost", expected_primary="apple", not_expected=["pear"]),
            found(chosen("handler_crisis", pin="risk"), chosen("pear")),
        ),
        (
            row("less", expected_primary="apple", expected_secondary=["pear", "plum"]),
            found(chosen("apple"), chosen("plum")),
        ),
        (row("people", expected_primary="apple", history=[said("human", "apple")]), found()),
        (row("safety", not_expected=["handler_crisis"]), found(chosen("handler_crisis"))),
        (row("critical", expected_primary="apple", is_critical=True), found()),
    )
    entries = calibration(card.results, by="Ada", at=AT)
    assert set(entries) == {"lost", "less"}
    assert entries["lost"].expected_primary == "pear"
    assert entries["lost"].not_expected == ()
    assert entries["less"].expected_secondary == ("plum",)
    assert {one.source for one in entries.values()} == {"calibration"}


def test_h39_grades_by_first_expectations_stand_beside_calibrated_ones(tmp_path: Path) -> None:
    kept = row(expected_primary="apple", history=[said("calibration", "pear")])
    card = run(tmp_path, (kept, found(chosen("pear"))))
    assert card.metrics["gpa"].value == 4
    assert card.metrics["gpa.original"].value == 0
    assert card.counts["expectations.calibration"] == 1
    assert "gpa.original" not in run(tmp_path, (row(), found())).metrics
