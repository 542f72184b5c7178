"""Banks: what is read, and what is refused by line and never quoted."""

from __future__ import annotations

from pathlib import Path

import pytest

from handrail.errors import InvalidInput, NotFound
from handrail.evals.banks import COACH_BANK, read_judgements, read_messages, read_queries

CANARY = "marigold"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "bank.jsonl"


@pytest.mark.parametrize("name", ["_id", "qid", "id"])
def test_a_query_is_named_in_any_of_three_spellings(file: Path, name: str) -> None:
    file.write_text(f'{{"{name}": "q1", "text": "Short nights", "style": "terse"}}\n\n')
    (query,) = read_queries(file)
    assert (query.id, query.text) == ("q1", "Short nights")


def test_an_id_may_be_a_number_and_text_stays_as_it_is(file: Path) -> None:
    file.write_bytes('\ufeff{"_id": 7, "text": "  Größe\\n"}\r\n'.encode())
    (query,) = read_queries(file)
    assert (query.id, query.text) == ("7", "  Größe\n")


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (f'{{"_id": "a", "text": "{CANARY}"', "is not JSON"),
        (f'["{CANARY}"]', "should be an object"),
        (f'{{"text": "{CANARY}"}}', '"_id" (or "qid", or "id"): Field required'),
        ('{"_id": "a"}', "text: Field required"),
        ('{"_id": "a", "text": "  "}', "text: Value error, is blank"),
        (f'{{"_id": "a", "text": ["{CANARY}"]}}', "text: Input should be a valid string"),
        (f'{{"_id": "first", "text": "{CANARY}"}}', "repeats an id"),
    ],
)
def test_a_bad_row_is_refused_by_line_and_not_quoted(file: Path, line: str, reason: str) -> None:
    file.write_text(f'{{"_id": "first", "text": "x"}}\n{line}\n')
    with pytest.raises(InvalidInput) as error:
        read_queries(file)
    assert str(error.value).startswith("'bank.jsonl' line 2: ")
    assert reason in str(error.value)
    assert CANARY not in str(error.value)


def test_bytes_that_are_no_text_are_refused_by_line(file: Path) -> None:
    file.write_bytes(b'{"_id": "a", "text": "x"}\n\xff\n')
    with pytest.raises(InvalidInput, match="line 2: is not UTF-8"):
        read_queries(file)


def test_an_empty_or_absent_file_is_refused(file: Path) -> None:
    with pytest.raises(NotFound, match="there is no file"):
        read_queries(file)
    file.write_text("\n")
    with pytest.raises(InvalidInput, match="is empty"):
        read_queries(file)
    with pytest.raises(InvalidInput, match="holds no judgement"):
        read_judgements(file)


@pytest.mark.parametrize("header", ["query-id\tcorpus-id\tscore\n", ""])
@pytest.mark.parametrize("mark", ["\t", " "])
def test_judgements_have_a_header_or_none_and_tabs_or_spaces(
    file: Path, header: str, mark: str
) -> None:
    file.write_text(header + mark.join(["q1", "d1", "2"]) + "\n" + mark.join(["q1", "d2", "0"]))
    assert read_judgements(file) == {"q1": {"d1": 2, "d2": 0}}


def test_an_id_in_a_tabbed_file_may_hold_spaces(file: Path) -> None:
    file.write_text("q1\ttopic one\t1\n")
    assert read_judgements(file) == {"q1": {"topic one": 1}}


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("q1\td1", "is not: query-id corpus-id score"),
        ("q1\t\t1", "is not: query-id corpus-id score"),
        (f"q1\td1\t{CANARY}", "a score that is not a number"),
        ("q1\td1\tnan", "a score that is not a number"),
        ("q1\td1\t31", "a score that is not a number up to 30"),
        ("q0\td0\t2", "grades the same pair again"),
    ],
)
def test_a_bad_judgement_is_refused_by_line(file: Path, line: str, reason: str) -> None:
    file.write_text(f"q0\td0\t1\n{line}\n")
    with pytest.raises(InvalidInput) as error:
        read_judgements(file)
    assert str(error.value).startswith("'bank.jsonl' line 2: ")
    assert reason in str(error.value)
    assert CANARY not in str(error.value)


def test_a_judgement_may_stand_twice(file: Path) -> None:
    file.write_text("q0 d0 1\nq0 d0 1\n")
    assert read_judgements(file) == {"q0": {"d0": 1}}


def test_a_message_says_whether_it_belongs_here(file: Path) -> None:
    file.write_text('{"id": "a", "text": "x", "kind": "maybe"}\n')
    with pytest.raises(InvalidInput, match="line 1: kind: "):
        read_messages(file)


def test_the_packaged_bank_is_large_enough_and_labelled() -> None:
    messages = read_messages(COACH_BANK)
    inside = [message for message in messages if message.kind == "in"]
    assert len(messages) >= 60
    assert len(messages) - len(inside) >= 10
    assert all(message.relevant for message in inside)
    assert not any(message.relevant for message in messages if message.kind == "out")
