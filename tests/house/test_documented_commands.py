"""What the documents tell people to type exists: commands, options, scripts and linked files."""

from __future__ import annotations

import importlib
import os
import re
from pathlib import Path
from typing import Any

import pytest
from documents import DOCUMENTS, command_lines, commands, typed
from source_tree import ROOT

_LINK = re.compile(r"\]\((?!https?:|mailto:|#)(?P<target>[^)#\s]+)")


@pytest.fixture(scope="module")
def root_command() -> Any:
    """The command line as one tree of commands."""
    app = getattr(importlib.import_module("handrail.cli"), "app", None)
    if app is None:
        pytest.skip("handrail.cli has no app yet")
    typer = importlib.import_module("typer.main")
    return typer.get_command(app)


def fault(command: Any, words: list[str]) -> str | None:
    """Why the command line would not take these words; values are not looked at."""
    known = {"--help": True}
    plain = 0
    waiting = list(words)
    while waiting:
        known |= {name: _is_flag(p) for p in _options(command) for name in _names(p)}
        word = waiting.pop(0)
        name, _, value = word.partition("=")
        if word.startswith("-") and word != "-":
            if name not in known:
                return f"no option {name}"
            if not known[name] and not value and waiting:
                waiting.pop(0)
        elif getattr(command, "commands", None):
            if word not in command.commands:
                return f"no command {word}"
            command = command.commands[word]
        else:
            plain += 1
    return _miscounted(command, plain)


def _miscounted(command: Any, plain: int) -> str | None:
    arguments = [p for p in command.params if p.param_type_name == "argument"]
    most = 99 if any(p.nargs < 0 for p in arguments) else len(arguments)
    least = sum(p.required for p in arguments)
    return None if least <= plain <= most else f"{plain} arguments"


def _options(command: Any) -> list[Any]:
    return [param for param in command.params if param.param_type_name == "option"]


def _names(option: Any) -> list[str]:
    return [*option.opts, *option.secondary_opts]


def _is_flag(option: Any) -> bool:
    return bool(getattr(option, "is_flag", False) or getattr(option, "count", False))


def test_lines_are_read_as_a_shell_reads_them() -> None:
    line = 'A=1 handrail coach "I\'m sad" --json \\\n  | jq . > x && scripts/test'
    text = f"```console\n$ {line}\noutput\n```"
    (line,) = command_lines(text)
    assert list(commands(line)) == [
        ["handrail", "coach", "I'm sad", "--json"],
        ["jq", "."],
        ["scripts/test"],
    ]


def test_the_rule_sees_what_the_command_line_does_not_know(root_command: Any) -> None:
    assert fault(root_command, ["no-such-command"]) == "no command no-such-command"
    assert fault(root_command, ["coach", "x", "--no-such-option"]) == "no option --no-such-option"
    assert fault(root_command, ["coach", "x", "y"]) == "2 arguments"


def test_every_documented_command_is_known(root_command: Any) -> None:
    shown = typed("handrail")
    wrong = {" ".join(w): f for _, w in shown if (f := fault(root_command, w[1:]))}
    assert wrong == {}
    assert len(shown) >= 10


@pytest.mark.parametrize(("document", "words"), typed("scripts/"), ids=str)
def test_a_documented_script_can_be_run(document: Path, words: list[str]) -> None:
    assert os.access(ROOT / words[0], os.X_OK)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_relative_links_lead_somewhere(document: Path) -> None:
    targets = [m["target"] for m in _LINK.finditer(document.read_text(encoding="utf-8"))]
    assert [target for target in targets if not (document.parent / target).exists()] == []
