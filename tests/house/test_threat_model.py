"""The threat model names code and tests that exist, and every mitigation names both."""

from __future__ import annotations

import re

from source_tree import ROOT

TEXT = (ROOT / "THREAT_MODEL.md").read_text(encoding="utf-8")
PATHS = re.findall(r"`((?:src|tests)/[\w/.-]+)`", TEXT)


def mitigations() -> list[list[str]]:
    """The cells of the table of threats, row by row."""
    table = TEXT.split("| threat | mitigation |")[1].split("\n\n")[0]
    rows = [line for line in table.splitlines()[2:] if line.startswith("|")]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]


def test_every_path_leads_somewhere() -> None:
    assert len(PATHS) > 40
    assert sorted({path for path in PATHS if not (ROOT / path).is_file()}) == []


def test_every_mitigation_names_its_code_and_its_test() -> None:
    rows = mitigations()
    assert len(rows) > 20
    for threat, mitigation, code, test in rows:
        assert threat
        assert mitigation
        assert code.startswith("`src/handrail/"), threat
        assert test.startswith("`tests/"), threat


def test_links_lead_somewhere() -> None:
    links = re.findall(r"\]\(((?!https?:)[^)#]+)", TEXT)
    assert [link for link in links if not (ROOT / link).exists()] == []
