"""`Answer` is made in one place, so that no way around the gate can be written by accident."""

from __future__ import annotations

import ast

import pytest
from source_tree import modules

DOOR = "rails/release.py"


def constructions(tree: ast.Module) -> list[int]:
    """Lines that call the `Answer` of outcomes, under its own or an imported name.

    A module that imports another thing of that name means the other thing by it.
    """
    names = {"Answer"}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").endswith("outcome"):
            names |= {a.asname for a in node.names if a.name == "Answer" and a.asname}
        elif isinstance(node, ast.ImportFrom):
            names -= {a.name for a in node.names if a.name == "Answer" and not a.asname}
    return [node.lineno for node in ast.walk(tree) if _calls(node, names)]


def _calls(node: ast.AST, names: set[str]) -> bool:
    if not isinstance(node, ast.Call):
        return False
    if isinstance(node.func, ast.Name):
        return node.func.id in names
    return isinstance(node.func, ast.Attribute) and node.func.attr == "Answer"


@pytest.mark.parametrize(
    "source",
    [
        "from handrail.domain.outcome import Answer\nreply = Answer(text='')",
        "from handrail.domain.outcome import Answer as Reply\nreply = Reply(text='')",
        "from handrail.domain import outcome\nreply = outcome.Answer(text='')",
    ],
)
def test_the_rule_sees_every_way_to_make_an_answer(source: str) -> None:
    assert constructions(ast.parse(source)) == [2]


def test_another_answer_is_another_thing() -> None:
    source = "from handrail.rails.crisis.answers import Answer\nreply = Answer('yes')"
    assert constructions(ast.parse(source)) == []


def test_matching_on_an_answer_is_no_construction() -> None:
    assert constructions(ast.parse("match x:\n    case Answer(text=text):\n        pass")) == []


def test_answers_are_constructed_at_the_door_alone() -> None:
    found = {module.path: lines for module in modules() if (lines := constructions(module.tree))}
    assert list(found) == [DOOR]
    assert len(found[DOOR]) == 1
