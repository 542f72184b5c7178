"""Files as they come: good lines become cases, bad ones are listed by number and reason (C54)."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from handrail.corpus import readers
from handrail.corpus.columns import ColumnMap
from handrail.corpus.readers import ReadReport, read_cases
from handrail.domain.text import Case
from handrail.errors import InvalidInput, NotFound, UnreadableFile
from handrail.testing.plain_formats import JsonTables

GOOD = b'{"Context": "a", "Response": "b"}'


def read(path: Path, columns: ColumnMap | None = None) -> tuple[list[Case], ReadReport]:
    cases, reports = read_cases([path], tables=JsonTables(), columns=columns)
    return list(cases), reports[0]


def file(folder: Path, raw: bytes, name: str = "cases.ndjson") -> Path:
    (folder / name).write_bytes(raw)
    return folder / name


def test_c54_bad_lines_are_skipped_counted_and_listed(tmp_path: Path) -> None:
    lines = [
        GOOD,
        b"",
        b"not json: canary-77",
        b"[1, 2]",
        b'{"Context": "canary-77"}',
        b'{"Context": "a\xff", "Response": "b"}',
        b"[" * 100_000,
        b'{"Context": " ", "Response": "b"}',
        b'{"Context": "c", "Response": "d"}',
    ]
    cases, report = read(file(tmp_path, b"\n".join(lines)))
    assert [case.context for case in cases] == ["a", "c"]
    assert (report.file, report.records, report.skipped) == ("cases.ndjson", 2, 6)
    assert [(bad.line, bad.reason) for bad in report.bad_lines] == [
        (3, "not JSON"),
        (4, "not a JSON object"),
        (5, "column 'Response' is missing"),
        (6, "not UTF-8"),
        (7, "nested too deeply"),
        (8, "column 'Context' is blank"),
    ]
    assert "canary" not in repr(report)


@pytest.mark.parametrize("raw", [GOOD, GOOD + b"\n", b"\xef\xbb\xbf" + GOOD, GOOD + b"\r\n\r\n"])
def test_a_file_of_one_line_is_enough(tmp_path: Path, raw: bytes) -> None:
    cases, report = read(file(tmp_path, raw))
    assert (len(cases), report.skipped) == (1, 0)


def test_fifty_thousand_words_in_a_line_are_read(tmp_path: Path) -> None:
    line = json.dumps({"Context": "word " * 50_000, "Response": "b"}).encode()
    cases, _ = read(file(tmp_path, line))
    assert len(cases[0].context.split()) == 50_000


def test_an_endless_line_is_read_past_and_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(readers, "MAX_LINE_BYTES", 100)
    cases, report = read(file(tmp_path, b"x" * 1_000 + b"\n" + GOOD + b"\n" + b"y" * 101))
    assert len(cases) == 1
    assert [(bad.line, bad.reason) for bad in report.bad_lines] == [
        (1, "longer than 100 bytes"),
        (3, "longer than 100 bytes"),
    ]


def test_only_the_first_thousand_bad_lines_are_listed(tmp_path: Path) -> None:
    _, report = read(file(tmp_path, b"?\n" * 1_500 + GOOD))
    assert (report.skipped, len(report.bad_lines)) == (1_500, 1_000)


@pytest.mark.parametrize("name", ["a.ndjson.gz", "a.jsonl.gz", "a.JSON.GZ"])
def test_compressed_files_are_read(tmp_path: Path, name: str) -> None:
    cases, _ = read(file(tmp_path, gzip.compress(GOOD), name))
    assert [case.response for case in cases] == ["b"]


@pytest.mark.parametrize("raw", [gzip.compress(GOOD * 999)[:-20], b"\x1f\x8b rubbish", GOOD])
def test_a_torn_or_false_gzip_file_is_an_error(tmp_path: Path, raw: bytes) -> None:
    with pytest.raises(UnreadableFile, match="gzip"):
        read(file(tmp_path, raw, "a.ndjson.gz"))


def test_csv_is_read_with_its_quotes_and_line_numbers(tmp_path: Path) -> None:
    raw = b'questionText,answerText,topic\n"a, ""b""\nc",d,t1\ne,f\n,g,t2\nh\xff,i,t3\n\nj,k,t4\n'
    cases, report = read(file(tmp_path, raw, "a.csv"))
    assert [(c.context, c.response) for c in cases] == [('a, "b"\nc', "d"), ("j", "k")]
    assert cases[1].metadata == {"topic": "t4"}
    assert [(bad.line, bad.reason) for bad in report.bad_lines] == [
        (4, "2 fields where the header has 3"),
        (5, "column 'questionText' is blank"),
        (6, "not UTF-8"),
    ]


def test_parquet_is_read_by_the_tables_port(tmp_path: Path) -> None:
    JsonTables().write({"text": ["a", ""], "_id": ["1", "2"]}, tmp_path / "a.parquet")
    cases, report = read(tmp_path / "a.parquet")
    assert [case.source_id for case in cases] == ["1"]
    assert [(bad.line, bad.reason) for bad in report.bad_lines] == [(2, "column 'text' is blank")]


def test_columns_can_be_named(tmp_path: Path) -> None:
    raw = b'{"prompt": "a", "reply": "b", "Context": "x", "Response": "y"}'
    cases, _ = read(file(tmp_path, raw), ColumnMap(context="prompt", response="reply"))
    assert [(case.context, case.response) for case in cases] == [("a", "b")]


def test_each_file_is_detected_on_its_own(tmp_path: Path) -> None:
    other = file(tmp_path, b"question,answer\nc,d\n", "b.csv")
    cases, reports = read_cases([file(tmp_path, GOOD), other], tables=JsonTables())
    assert [case.context for case in cases] == ["a", "c"]
    assert [report.records for report in reports] == [1, 1]


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        (b"", "is empty"),
        (b"\n \n", "is empty"),
        (b"plain prose\nmore of it", "line 1: not JSON"),
        (b'[\n{"Context": "a", "Response": "b"},\n]', "jq -c"),
        (b'{"prompt": "a", "completion": "b"}', r"'prompt', 'completion'.*--context-column NAME"),
        (b'{"Context": "a"}', "--response-column NAME"),
        (b'{"Context": "", "Response": "b"}', "'Context' is blank"),
    ],
)
def test_a_file_without_a_usable_record_names_the_next_step(
    tmp_path: Path, raw: bytes, message: str
) -> None:
    with pytest.raises(UnreadableFile, match=message):
        read(file(tmp_path, raw))


def test_a_named_column_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match=r"'concern' is missing.*'Context', 'Response'"):
        read(file(tmp_path, GOOD), ColumnMap(context="concern", response="Response"))


def test_unknown_suffixes_and_absent_files_are_refused_at_once(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"\.xlsx.*\.ndjson"):
        read_cases([file(tmp_path, b"", "a.xlsx")], tables=JsonTables())
    with pytest.raises(NotFound, match="nowhere"):
        read_cases([tmp_path / "nowhere.csv"], tables=JsonTables())
    with pytest.raises(InvalidInput, match="no file"):
        read_cases([], tables=JsonTables())
