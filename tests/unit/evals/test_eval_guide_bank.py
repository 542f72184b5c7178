"""Rows of the guide's banks: what is read, what is told, and which half a row belongs to."""

from __future__ import annotations

import hashlib
from collections import Counter
from pathlib import Path

import pytest
from evals_sample import write_rows
from guide_eval_sample import row

from handrail.content.entities import packaged_entities
from handrail.errors import InvalidInput, NotFound
from handrail.evals.guide.bank import (
    BANKS,
    PACKAGED,
    SEALED,
    chosen_files,
    chosen_rows,
    half,
    oddities,
    read_guide,
)


def test_h39_a_bare_row_expects_nothing_and_nulls_are_empty(tmp_path: Path) -> None:
    nulls = row("T-2", user_state=None, expected_secondary=None, history=None, expected_primary="")
    bare, null = read_guide(write_rows(tmp_path / "b.jsonl", row(), nulls))
    assert bare.expectation == null.expectation
    assert (bare.expectation.wanted, bare.expectation.unwanted) == ((), ())
    assert (null.user_state, null.source, null.is_critical) == ({}, "original", False)


def test_h39_further_fields_of_a_row_are_let_be(tmp_path: Path) -> None:
    (read,) = read_guide(
        write_rows(
            tmp_path / "b.jsonl",
            row(
                name="N",
                category="C",
                topics=["t"],
                review="editorial",
                synthetic=True,
                chat_type="CO_PARENT",
                rank_check=[{"higher": "a", "lower": "b"}],
            ),
        )
    )
    assert (read.name, read.topics, read.chat_type) == ("N", ("t",), "CO_PARENT")


@pytest.mark.parametrize(
    ("bad", "complaint"),
    [
        ({"test_id": "T-2", "bank": "semantic"}, "line 2: prompt"),
        ({"bank": "semantic", "prompt": "zanzibar"}, "line 2: test_id"),
        (row("T-2", expected_primary=["apple"]), "line 2: expected_primary"),
        (row("T-2", not_expected="apple"), "line 2: not_expected"),
        (row("T-2", user_state=[1]), "line 2: user_state"),
        (row("T-2", history=[{"source": "human"}]), r"line 2: history\.0"),
        (row("T-1"), "line 2: repeats an id"),
    ],
)
def test_h39_a_row_that_cannot_be_read_is_named_by_line_and_never_quoted(
    tmp_path: Path, bad: dict[str, object], complaint: str
) -> None:
    with pytest.raises(InvalidInput, match=complaint) as raised:
        read_guide(write_rows(tmp_path / "b.jsonl", row(), bad))
    assert raised.value.code == "invalid-input"
    assert "evaluate-the-guide" in str(raised.value)
    assert "zanzibar" not in str(raised.value)


def test_h39_a_bank_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match=r"nowhere\.jsonl"):
        read_guide(tmp_path / "nowhere.jsonl")


def test_h39_unknown_ids_banks_and_contradictions_are_told(tmp_path: Path) -> None:
    odd = row(bank="mood", expected_primary="appel", not_expected=["appel", "pear"])
    told = oddities(read_guide(write_rows(tmp_path / "b.jsonl", odd)), frozenset({"pear"}))
    assert [one.partition(": ")[2].split()[0] for one in told] == ["bank", "there", "'appel'"]


def test_h39_a_half_depends_on_the_id_alone(tmp_path: Path) -> None:
    ids = [f"SEM-{n:03}" for n in range(200)]
    assert [half(one) == "test" for one in ids] == [
        hashlib.sha256(one.encode()).digest()[0] % 2 == 1 for one in ids
    ]
    file = write_rows(tmp_path / "b.jsonl", *map(row, ids))
    halves = {name: {one.id for one in chosen_rows(file, name)} for name in ("train", "test")}
    assert halves["train"] | halves["test"] == set(ids) == {r.id for r in chosen_rows(file, "all")}
    assert not halves["train"] & halves["test"]
    assert 70 < len(halves["test"]) < 130


def test_h39_the_sealed_bank_is_measured_with_test_rows_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sealed = write_rows(tmp_path / "sealed.jsonl", *(row(f"S-{n}") for n in range(20)))
    monkeypatch.setattr("handrail.evals.guide.bank.SEALED", sealed)
    assert chosen_files(None, "test") == (*PACKAGED, sealed)
    assert chosen_files(None, "train") == PACKAGED
    assert len(chosen_rows(sealed, "test")) == len(chosen_rows(sealed, "all")) == 20
    assert chosen_rows(sealed, "train") == ()
    assert chosen_files(tmp_path / "mine.jsonl", "all") == (tmp_path / "mine.jsonl",)


def test_h39_packaged_rows_are_enough_and_name_entities_that_exist() -> None:
    rows = [one for file in PACKAGED for one in read_guide(file)]
    known = frozenset(entity.entity_id for entity in packaged_entities())
    assert oddities(rows, known) == ()
    counted = Counter(one.bank for one in rows)
    least = dict(zip(BANKS, (60, 20, 40, 18), strict=True))
    assert all(counted[bank] >= n for bank, n in least.items())
    assert len({one.text.casefold() for one in rows}) == len(rows)
    safety = {one.entity_id for one in packaged_entities() if one.safety_critical}
    for one in rows:
        named = {*one.expectation.wanted, *one.expectation.unwanted}
        assert one.is_critical == bool(named & safety), one.id


def test_h39_the_sealed_bank_can_be_read_where_there_is_one() -> None:
    if not SEALED.is_file():
        pytest.skip("no sealed bank yet")
    ids = {one.id for file in PACKAGED for one in read_guide(file)}
    known = frozenset(entity.entity_id for entity in packaged_entities())
    rows = read_guide(SEALED)
    assert oddities(rows, known) == ()
    assert not ids & {one.id for one in rows}
