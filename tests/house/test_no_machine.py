"""No file names the machine it was written on or the place packages came from."""

from __future__ import annotations

import re

import pytest
from source_tree import texts

# Spelled in pieces, so that this file does not break its own rule.
_FOLDERS = "|".join(["wo" + "rk", "ro" + "ot", "ho" + "me", "t" + "mp", "fa" + "rm", "o" + "pt"])
_HOSTS = "|".join(
    [
        r"py" + r"pi\.org",
        r"python" + r"hosted\.org",
        r"npm" + r"js\.(?:com|org)",
        r"cra" + r"tes\.io",
    ]
)
_FORBIDDEN = re.compile(
    rf"(?<![\w.$}}\-/~])/(?:{_FOLDERS})/\w|\b(?:{_HOSTS})\b|--(?:extra-)?index-url|/simp" + r"le/"
)


def found(text: str) -> list[str]:
    """Every machine path, registry host and index option in ``text``."""
    return [match.group() for match in _FORBIDDEN.finditer(text)]


@pytest.mark.parametrize(
    "text",
    [
        "cd /wo" + "rk/x",
        "open('/t" + "mp/x')",
        "from https://py" + "pi.org/project",
        "--index" + "-url x",
    ],
)
def test_the_rule_sees_a_machine(text: str) -> None:
    assert len(found(text)) == 1


def test_a_path_of_the_project_is_no_machine() -> None:
    assert found('"$work/venv", docs/home/x, ~/.local/share, https://host/root/x') == []


def test_no_file_names_a_machine_or_a_registry() -> None:
    assert {name: hits for name, text in texts() if (hits := found(text))} == {}
