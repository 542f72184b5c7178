"""The README's tour runs as it is written, over the index that the first command made."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from shell import Ended

README = Path(__file__).parents[2] / "README.md"


def test_the_tour_answers_cites_and_verifies(
    first_command: Ended,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    shutil.copytree(first_command.home / "data", tmp_path / "data")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    tour = re.search(r"```python\n(?P<code>.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    assert tour
    exec(compile(tour["code"], "README.md", "exec"), {})
    said = capsys.readouterr().out
    *quotes, verified = said.partition("Goal: ")[2].splitlines()[1:]
    assert "Try today:" in said
    assert len(quotes) >= 2
    assert all(f"“{quote}”" in said for quote in quotes)
    assert verified == "True"
