"""Histories in a bank file: entries are appended, nothing that stands there is changed (H39)."""

from __future__ import annotations

import fcntl
import json
import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from handrail.errors import InvalidInput, NotFound
from handrail.evals.guide.bank import GuideRow, read_guide
from handrail.evals.guide.expectations import FIELDS, Entry, Expectation, Source
from handrail.evals.guide.results import Result


def entry(expected: Expectation, *, source: Source, by: str, at: datetime, reason: str) -> Entry:
    """One line of a history; raises `InvalidInput` where nobody or no reason is named."""
    try:
        return Entry(**expected.model_dump(), source=source, by=by, at=at, reason=reason)
    except ValidationError:
        raise InvalidInput("an expectation needs who says it (--by) and why (--reason)") from None


def append(path: Path, entries: Mapping[str, Entry]) -> None:
    """Append each entry to the history of its row; the file is replaced whole or not at all.

    Lines of other rows keep every byte. Raises `InvalidInput` or `NotFound`.
    """
    path = path.resolve()
    with _alone(path):
        missing = set(entries) - {row.id for row in read_guide(path)}
        if missing:
            raise NotFound(
                f"{path.name!r} has no test {min(missing)!r}. Look at its test_id fields"
            )
        lines = path.read_bytes().splitlines(keepends=True)
        _replace(path, b"".join(_appended(line, entries) for line in lines))


def calibration(results: Sequence[Result], *, by: str, at: datetime) -> dict[str, Entry]:
    """Entries that expect what was found now, for tests that lost points and may be calibrated.

    What a person said stands, and so does every test of safety: a miss there is to be mended and
    not to be expected.
    """
    return {
        one.row.id: entry(
            _as_found(one),
            source="calibration",
            by=by,
            at=at,
            reason=f"taken from a run that scored {one.points.score} of 100",
        )
        for one in results
        if one.points.faults and one.row.source != "human"
        if not (one.row.is_critical or one.critical)
    }


def _as_found(result: Result) -> Expectation:
    """What is in force less what was missed and what was shown; a lost primary gives way."""
    found, expected = set(result.found.ids), result.expected
    primary = expected.expected_primary
    if result.points.hard_fail:
        safety = {c.entity.entity_id for c in result.found.final if c.entity.safety_critical}
        primary = next((name for name in result.order if name not in safety), None)
    return Expectation(
        expected_primary=primary,
        expected_secondary=tuple(one for one in expected.expected_secondary if one in found),
        not_expected=tuple(one for one in expected.not_expected if one not in found),
        expected_handlers=tuple(one for one in expected.expected_handlers if one in found),
        not_expected_handlers=tuple(
            one for one in expected.not_expected_handlers if one not in found
        ),
    )


def _appended(line: bytes, entries: Mapping[str, Entry]) -> bytes:
    text = line.decode("utf-8-sig")
    if not text.strip():
        return line
    added = entries.get(GuideRow.model_validate_json(text).id)
    if added is None:
        return line
    row = json.loads(text)
    row["history"] = [*(row.get("history") or ()), _entry_json(added)]
    end = line[len(line.rstrip(b"\r\n")) :]
    return json.dumps(row, ensure_ascii=text.isascii()).encode() + end


def _entry_json(added: Entry) -> dict[str, Any]:
    said = added.model_dump(mode="json")
    return {name: said[name] for name in ("source", "by", "at", "reason", *FIELDS)}


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Be the one writer of the folder; the file itself is replaced, so its lock would not hold."""
    if not path.is_file():
        raise NotFound(f"there is no file {str(path)!r}")
    folder = os.open(path.parent, os.O_RDONLY | os.O_CLOEXEC)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        yield
        os.fsync(folder)
    finally:
        os.close(folder)


def _replace(path: Path, data: bytes) -> None:
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, path.stat().st_mode & 0o777)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise
