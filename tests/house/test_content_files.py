"""Content says its version, its language and its review; no id occurs twice."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from source_tree import SRC

CONTENT = SRC / "handrail" / "content"
FILES = sorted(CONTENT.rglob("*.yaml"))
_WITHOUT_LANGUAGE = {"helplines/helplines.yaml"}  # names and numbers, with wording per language
# Word lists stand under the reviewer of their file; a directory's records name source and day.
_REVIEWED_AS_A_WHOLE = {"coach/emotions.en.yaml", "helplines/helplines.yaml"}


def parsed(path: Path) -> dict[str, Any]:
    """The file as a mapping."""
    return yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)


def faults(
    body: dict[str, Any], *, has_language: bool = True, reviewed_one_by_one: bool = True
) -> list[str]:
    """What the head and the items of a content file fail to say."""
    wanted = ["version", "reviewer", *(["language"] if has_language else [])]
    missing = [key for key in wanted if not body.get(key)]
    for name, items in _lists(body):
        ids = Counter(item.get("id") for item in items)
        missing += [f"{name}: no id"] * ids.pop(None, 0)
        missing += [f"{name}: {item} twice" for item, count in ids.items() if count > 1]
        if reviewed_one_by_one:
            missing += [f"{item.get('id')}: no review" for item in items if not item.get("review")]
    return missing


def _lists(body: dict[str, Any]) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    for name, items in body.items():
        if isinstance(items, list) and any(isinstance(i, dict) and "id" in i for i in items):
            yield name, items


def test_the_rule_sees_what_is_missing() -> None:
    items = [{"id": "a", "review": "editorial"}, {"id": "a"}, {"review": "editorial"}]
    assert faults({"version": 1, "reviewer": "", "items": items}) == [
        "reviewer",
        "language",
        "items: no id",
        "items: a twice",
        "a: no review",
    ]


def test_there_is_content() -> None:
    assert len(FILES) >= 10


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(CONTENT).as_posix())
def test_a_content_file_is_complete(path: Path) -> None:
    name = path.relative_to(CONTENT).as_posix()
    body = parsed(path)
    found = faults(
        body,
        has_language=name not in _WITHOUT_LANGUAGE,
        reviewed_one_by_one=name not in _REVIEWED_AS_A_WHOLE,
    )
    assert found == []


def test_a_helpline_says_where_and_when_it_was_confirmed() -> None:
    body = parsed(CONTENT / "helplines" / "helplines.yaml")
    lines = [line for country in body["countries"] for line in country.get("helplines", [])]
    ids = Counter(line["id"] for line in [*lines, *body["directories"]])
    assert [line for line, count in ids.items() if count > 1] == []
    assert [line["id"] for line in lines if not (line["source"] and line["confirmed"])] == []


@pytest.mark.parametrize("kind", ["corpora", "banks"])
def test_rows_of_content_are_reviewed_and_their_ids_unique(kind: str) -> None:
    files = sorted([*(CONTENT / kind).glob("*.ndjson"), *(CONTENT / kind).glob("*.jsonl")])
    lines = [line for path in files for line in path.read_text(encoding="utf-8").split("\n")]
    rows = [json.loads(line) for line in lines if line]
    rows = [{"id": row.get("test_id"), **row} for row in rows]  # the guide's rows name it so
    wanted = ("id", "version", "language", "review")
    assert rows
    assert [row.get("id") for row in rows if not all(row.get(key) for key in wanted)] == []
    assert [row for row, count in Counter(row["id"] for row in rows).items() if count > 1] == []
