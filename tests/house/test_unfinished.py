"""Nothing is left unfinished, switched off, or unable to fail."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from source_tree import ROOT, project_files, texts

_MARKS = ("TO" + "DO", "FIX" + "ME", "XX" + "X", "HA" + "CK")
_UNFINISHED = re.compile(rf"\b(?:{'|'.join(_MARKS)})\b")
_SWITCHES = {"skip", "skipif", "xfail", "importorskip"}
# Vocabulary and data are not prose: what looks like a mark there is a word of a language.
_DATA = (".txt", ".ndjson", ".jsonl", ".tsv")


def faults(source: str) -> list[str]:
    """Tests that are switched off without a reason, and assertions that hold whatever happens."""
    return [fault for node in ast.walk(ast.parse(source)) for fault in _faults(node)]


def _faults(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Assert) and isinstance(node.test, (ast.Constant, ast.Tuple)):
        return [f"{node.lineno}: asserts a constant"]
    if isinstance(node, ast.Call) and _switches_off(node.func):
        given = {keyword.arg for keyword in node.keywords}
        on_its_own = _dotted(node.func) in {"pytest.skip", "pytest.xfail"} and node.args
        return [] if "reason" in given or on_its_own else [f"{node.lineno}: no reason"]
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        bare = [d for d in node.decorator_list if not isinstance(d, ast.Call) and _switches_off(d)]
        return [f"{decorator.lineno}: no reason" for decorator in bare]
    return []


def _switches_off(node: ast.AST) -> bool:
    dotted = _dotted(node)
    return dotted.startswith(("pytest.", "mark.")) and dotted.split(".")[-1] in _SWITCHES


def _dotted(node: ast.AST) -> str:
    return ast.unparse(node) if isinstance(node, (ast.Attribute, ast.Name)) else ""


@pytest.mark.parametrize(
    "source",
    [
        "assert True",
        "assert (value, 'message')",
        "@pytest.mark.skip\ndef test_a(): ...",
        "@pytest.mark.xfail(raises=ValueError)\ndef test_a(): ...",
        "@pytest.mark.skipif(old)\nclass TestA: ...",
        "pytest.skip()",
    ],
)
def test_the_rule_sees_what_cannot_fail(source: str) -> None:
    assert len(faults(source)) == 1


def test_a_reason_is_enough() -> None:
    assert faults("pytest.skip('no data here')\n@pytest.mark.skip(reason='r')\ndef f(): ...") == []


@pytest.mark.parametrize(
    "path",
    [p for p in project_files() if p.suffix == ".py" and p.is_relative_to(ROOT / "tests")],
    ids=lambda path: path.relative_to(ROOT).as_posix(),
)
def test_every_test_can_fail(path: Path) -> None:
    assert faults(path.read_text(encoding="utf-8")) == []


def test_nothing_is_marked_as_unfinished() -> None:
    found = [
        f"{name}:{number}"
        for name, text in texts()
        if not name.endswith(_DATA)
        for number, line in enumerate(text.splitlines(), start=1)
        if _UNFINISHED.search(line)
    ]
    assert found == []
