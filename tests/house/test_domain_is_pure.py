"""The domain needs nothing but Python: nouns and rules that any face can share."""

from __future__ import annotations

import ast
import sys

import pytest
from source_tree import Module, imported, modules

ALLOWED = ("handrail.domain", "handrail.errors")


def outsiders(tree: ast.Module) -> list[str]:
    """Imported modules that the domain may not know."""
    names = [name for node in ast.walk(tree) for name in imported(node)]
    return sorted({name for name in names if not _allowed(name)})


def _allowed(name: str) -> bool:
    if name.split(".")[0] in sys.stdlib_module_names:
        return True
    return any(name == allowed or name.startswith(f"{allowed}.") for allowed in ALLOWED)


def test_the_rule_sees_an_outsider() -> None:
    source = "import json, numpy\nfrom handrail.ports import Embedder\nimport handrail.domain.text"
    assert outsiders(ast.parse(source)) == ["handrail.ports", "numpy"]


@pytest.mark.parametrize(
    "module",
    [m for m in modules() if m.path.startswith("domain/") or m.path == "errors.py"],
    ids=lambda module: module.path,
)
def test_the_domain_imports_python_and_itself(module: Module) -> None:
    assert outsiders(module.tree) == []
