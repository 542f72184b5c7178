"""Files of records to cases: NDJSON, CSV and Parquet, one record at a time.

A bad line is skipped, counted and listed by number and reason (C54), never by its text. A file
without one usable record is an error.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
import re
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, TypeAlias, cast

from handrail.corpus.columns import BadRecord, ColumnMap, Fields, detect, to_case
from handrail.domain.text import Case
from handrail.errors import InvalidInput, NotFound, UnreadableFile
from handrail.ports import Tables

MAX_LINE_BYTES = 16 * 2**20  # some 2.5 million words
MAX_LISTED = 1_000  # bad lines listed one by one; all of them are counted
MAX_NAMED = 8  # columns named in a message

_UNDECODED = re.compile("[\udc80-\udcff]")  # what surrogateescape makes of stray bytes

Row: TypeAlias = tuple[int, Fields | BadRecord]


@dataclass(frozen=True, slots=True)
class BadLine:
    """Line (1-based; in Parquet the row) and why it was skipped."""

    line: int
    reason: str


@dataclass(slots=True)
class ReadReport:
    """What became of the lines of one file; complete once the file has been read."""

    file: str
    records: int = 0
    skipped: int = 0
    bad_lines: list[BadLine] = field(default_factory=list)

    def skip(self, line: int, reason: str) -> None:
        """Count a bad line, and list it among the first thousand."""
        self.skipped += 1
        if len(self.bad_lines) < MAX_LISTED:
            self.bad_lines.append(BadLine(line, reason))


def read_cases(
    paths: Sequence[Path], *, tables: Tables, columns: ColumnMap | None = None
) -> tuple[Iterator[Case], tuple[ReadReport, ...]]:
    """The cases of all files, read as the iterator is drawn, and a report for each file.

    Raises `InvalidInput` for an unknown suffix or column and `NotFound` for an absent file at once;
    `UnreadableFile` while drawing, when a file turns out to hold no usable record.
    """
    if not paths:
        raise InvalidInput("no file was given. Run: handrail index add FILE")
    for path in paths:
        _check(path)
    reports = tuple(ReadReport(path.name) for path in paths)
    return _read_all(paths, reports, tables, columns), reports


def _read_all(
    paths: Sequence[Path],
    reports: Sequence[ReadReport],
    tables: Tables,
    columns: ColumnMap | None,
) -> Iterator[Case]:
    for path, report in zip(paths, reports, strict=True):
        yield from _read_file(path, report, tables, columns)


def _read_file(
    path: Path, report: ReadReport, tables: Tables, columns: ColumnMap | None
) -> Iterator[Case]:
    seen: dict[str, None] = {}
    for line, row in _rows(path, tables):
        try:
            if isinstance(row, BadRecord):
                raise row
            columns = columns or detect(row)
            if columns is None or not row.keys() >= set(columns.named):
                seen.update(dict.fromkeys(list(row)[:MAX_NAMED]))
            if columns is None:
                raise BadRecord("no known columns")
            case = to_case(row, columns)
        except BadRecord as reason:
            report.skip(line, str(reason))
        else:
            report.records += 1
            yield case
    if not report.records:
        raise UnreadableFile(_nothing_usable(report, list(seen)))


def _nothing_usable(report: ReadReport, seen: Sequence[str]) -> str:
    if not report.skipped:
        return f"{report.file!r} is empty. Give a file with one record a line."
    first = report.bad_lines[0]
    said = f"{report.file!r} has no usable record: line {first.line}: {first.reason}."
    if seen:
        names = ", ".join(repr(name[:40]) for name in seen[:MAX_NAMED])
        name_them = "Name yours: --context-column NAME --response-column NAME"
        return f"{said} Its columns are {names}. {name_them}"
    return f"{said} One JSON object a line is wanted; for a JSON array run: jq -c '.[]' FILE"


def _check(path: Path) -> None:
    if not path.is_file():
        raise NotFound(f"there is no file {str(path)!r}")
    if _kind(path) not in _LINES and _kind(path) != ".parquet":
        raise InvalidInput(
            f"{path.name!r} has an unknown suffix. "
            "Known: .ndjson .jsonl .json .csv (each also with .gz) and .parquet"
        )


def _kind(path: Path) -> str:
    plain = path.with_suffix("") if path.suffix.lower() == ".gz" else path
    return plain.suffix.lower()


def _rows(path: Path, tables: Tables) -> Iterator[Row]:
    kind = _kind(path)
    if kind == ".parquet":
        yield from enumerate(tables.rows(path), start=1)
        return
    opener = gzip.open if path.suffix.lower() == ".gz" else open
    try:
        with opener(path, "rb") as file:
            yield from _LINES[kind](cast("IO[bytes]", file))
    except (gzip.BadGzipFile, EOFError, zlib.error) as broken:
        raise UnreadableFile(f"{path.name!r} is not a whole gzip file. Get it anew.") from broken


def _json_rows(file: IO[bytes]) -> Iterator[Row]:
    for number, raw in _raw_lines(file):
        if raw is None or raw.strip():
            yield number, _json_row(raw)


def _json_row(raw: bytes | None) -> Fields | BadRecord:
    if raw is None:
        return BadRecord(f"longer than {MAX_LINE_BYTES} bytes")
    try:
        value = json.loads(raw.decode("utf-8-sig"))
    except UnicodeDecodeError:
        return BadRecord("not UTF-8")
    except RecursionError:
        return BadRecord("nested too deeply")
    except ValueError:
        return BadRecord("not JSON")
    return value if isinstance(value, dict) else BadRecord("not a JSON object")


def _raw_lines(file: IO[bytes]) -> Iterator[tuple[int, bytes | None]]:
    """Numbered lines; None for one that is too long, which is read past and not kept."""
    number = 0
    while raw := file.readline(MAX_LINE_BYTES + 1):
        number += 1
        whole = len(raw) <= MAX_LINE_BYTES
        yield number, raw if whole else None
        while not whole and raw and not raw.endswith(b"\n"):
            raw = file.readline(MAX_LINE_BYTES)


def _csv_rows(file: IO[bytes]) -> Iterator[Row]:
    csv.field_size_limit(MAX_LINE_BYTES)
    text = io.TextIOWrapper(file, "utf-8-sig", errors="surrogateescape", newline="")
    try:
        yield from _csv_records(text)
    finally:
        text.detach()  # whoever opened the file closes it


def _csv_records(text: io.TextIOWrapper) -> Iterator[Row]:
    # A line beyond the limit is read in pieces, which then do not fit the header.
    rows = csv.reader(iter(lambda: text.readline(MAX_LINE_BYTES), ""))
    header: list[str] | None = None
    while True:
        line = rows.line_num + 1
        try:
            row = next(rows)
        except StopIteration:
            return
        except csv.Error:
            yield line, BadRecord("not CSV")
            continue
        if not row:
            continue
        if header is None:
            header = row
            continue
        yield line, _csv_row(header, row)


def _csv_row(header: Sequence[str], row: Sequence[str]) -> Fields | BadRecord:
    if len(row) != len(header):
        return BadRecord(f"{len(row)} fields where the header has {len(header)}")
    if any(_UNDECODED.search(value) for value in row):
        return BadRecord("not UTF-8")
    return dict(zip(header, row, strict=True))


_LINES = {
    ".ndjson": _json_rows,
    ".jsonl": _json_rows,
    ".json": _json_rows,
    ".csv": _csv_rows,
}
