"""The generated reference is what the code says today."""

from __future__ import annotations

import subprocess
import sys

from source_tree import ROOT, SRC

from handrail.settings import known_names

REFERENCE = ROOT / "docs" / "reference"


def test_every_generated_page_is_up_to_date() -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "scripts" / "reference"), "--check"],
        capture_output=True,
        text=True,
        check=False,
        env={"PYTHONPATH": str(SRC)},
    )
    assert (done.returncode, done.stdout) == (0, "up to date\n"), done.stdout + done.stderr


def test_every_setting_has_a_row() -> None:
    page = (REFERENCE / "settings.md").read_text(encoding="utf-8")
    rows = [line.split("`")[1] for line in page.splitlines() if line.startswith("| `")]
    assert rows == known_names()
