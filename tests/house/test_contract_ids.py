"""Every item of a contract that is built is named by a test: in its name, or in a docstring."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from source_tree import ROOT

COACH = {*(f"C{number}" for number in range(1, 72)), "C59a"}
REFRAME = {*(f"A{number}" for number in range(1, 64)), *(f"A53{part}" for part in "abcde")}
GUIDE = {f"H{number}" for number in range(1, 41)}
CONTRACT = COACH | REFRAME | GUIDE

_IN_PROSE = re.compile(r"\b[ACH]\d+[a-e]?\b")
_IN_A_NAME = re.compile(r"(?<![a-z0-9])[ach]\d+[a-e]?(?![a-z0-9])")


def named(tree: ast.Module) -> set[str]:
    """The ids in the names of tests and in the docstrings of tests, classes and the module."""
    return {name for node in ast.walk(tree) for name in _named(node)}


def _named(node: ast.AST) -> Iterator[str]:
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        if not node.name.startswith("test_"):
            return
        for name in _IN_A_NAME.findall(node.name):
            yield name[0].upper() + name[1:]
    if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
        yield from _IN_PROSE.findall(ast.get_docstring(node) or "")


def all_named() -> set[str]:
    """Every id that some test outside the house names."""
    files = [p for p in (ROOT / "tests").rglob("*.py") if p.parent != Path(__file__).parent]
    return {name for path in files for name in named(ast.parse(path.read_text(encoding="utf-8")))}


def test_an_id_is_found_in_a_name_and_in_a_docstring_and_nowhere_else() -> None:
    source = (
        "def test_c7_and_c59a(): ...\n"
        "def test_abc8(): 'C9 holds.'\n"
        "def helper_c10(): 'C11'\n"
        "x = 'C12'"
    )
    assert named(ast.parse(source)) == {"C7", "C59a", "C9"}


def test_every_item_is_named_by_a_test() -> None:
    assert sorted(CONTRACT - all_named()) == []


def test_no_test_names_an_item_that_the_contract_does_not_have() -> None:
    assert sorted(all_named() - CONTRACT) == []
