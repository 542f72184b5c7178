"""The README keeps its order, and CI runs what it tells a developer to run."""

from __future__ import annotations

import re

from documents import command_lines
from source_tree import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
CI = (ROOT / ".ci" / "run").read_text(encoding="utf-8")

ORDER = [
    "# Handrail",
    "## What it refuses to do",
    "## First command",
    "## Second command",
    "## Ten-line tour",
    "## Measured",
    "## Links",
]


def section(title: str) -> str:
    """The text under a heading, up to the next one."""
    return README.partition(f"{title}\n")[2].partition("\n## ")[0]


def test_the_parts_stand_in_their_order() -> None:
    assert re.findall(r"^##? .+$", README, re.MULTILINE) == ORDER


def test_it_opens_with_one_sentence() -> None:
    opening = section("# Handrail").strip()
    assert re.fullmatch(r"[^.\n]+(?:\n[^.\n]+)*\.", opening)


def test_the_first_two_commands_are_one_line_each() -> None:
    assert command_lines(section("## First command")) == [
        'pip install . && handrail coach "I feel worthless and anxious"'
    ]
    assert len(command_lines(section("## Second command"))) == 1


def test_the_tour_has_ten_lines() -> None:
    fenced = re.search(r"```python\n(?P<body>.*?)```", section("## Ten-line tour"), re.DOTALL)
    assert fenced
    compile(fenced["body"], "tour", "exec")
    assert len([line for line in fenced["body"].splitlines() if line.strip()]) <= 10


def test_ci_runs_the_second_command_as_it_is_written() -> None:
    (second,) = command_lines(section("## Second command"))
    assert f'"{second}"' in CI
    assert "scripts/check" in CI
