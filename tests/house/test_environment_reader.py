"""One module reads the environment; everything else is given its settings."""

from __future__ import annotations

import ast

import pytest
from source_tree import modules

READER = "settings.py"
_NAMES = {"environ", "environb", "getenv", "getenvb"}


def readings(tree: ast.Module) -> list[int]:
    """Lines that reach for the environment by way of `os`."""
    return [node.lineno for node in ast.walk(tree) if _reads(node)]


def _reads(node: ast.AST) -> bool:
    if isinstance(node, ast.Attribute):
        return node.attr in _NAMES and isinstance(node.value, ast.Name)
    if isinstance(node, ast.ImportFrom) and node.module == "os":
        return any(alias.name in _NAMES for alias in node.names)
    return False


@pytest.mark.parametrize(
    "source",
    ["import os; os.environ['A']", "import os; os.getenv('A')", "from os import environ as e"],
)
def test_the_rule_sees_every_way_to_read_it(source: str) -> None:
    assert readings(ast.parse(source)) == [1]


def test_settings_alone_read_the_environment() -> None:
    assert [module.path for module in modules() if readings(module.tree)] == [READER]
