"""Under mutation testing the quickest tests go first: most changes fail one of those."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

TIMES = Path("mutmut-stats.json")  # beside the tests that mutmut runs, and nowhere else


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if TIMES.exists():
        took = json.loads(TIMES.read_text(encoding="utf-8"))["duration_by_test"]
        items.sort(key=lambda item: took.get(item.nodeid, 0.0))
