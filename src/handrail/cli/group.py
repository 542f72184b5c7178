"""The root command: global options anywhere, every error one line, every end an exit code."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Sequence
from typing import Any

import typer
from typer.core import TyperGroup

from handrail.cli.exits import Exit, exit_code
from handrail.cli.problems import WithPeople, problem_of, show_problem
from handrail.cli.session import say

FLAGS = frozenset({"--json", "--trace", "--debug"})
VALUED = frozenset({"--home"})


class Root(TyperGroup):
    """Runs a command and ends with its code; deliberate errors never show a traceback."""

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        windows_expand_args: bool = True,
        **extra: Any,
    ) -> Any:
        """Run with ``args``, or with what was typed; returns the code or exits with it."""
        first, rest = parted(sys.argv[1:] if args is None else args)
        code = self._run(first, rest, prog_name or "handrail", **extra)
        if standalone_mode:
            sys.exit(int(code))
        return code

    def _run(self, first: list[str], rest: list[str], name: str, **extra: Any) -> int:
        try:
            code = super().main([*first, *rest], name, standalone_mode=False, **extra)
        except Exception as error:  # noqa: BLE001  every failure is told in one line
            if "--debug" in first:
                traceback.print_exception(error)
            return _failed(error, as_json="--json" in first)
        if code == Exit.STOPPED:
            say("stopped.")
        return int(code or Exit.DONE)


def parted(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """Global options, wherever they stood before ``--``, and the other words.

    >>> parted(["coach", "x", "--json", "--home", "d", "--", "--trace"])
    (['--json', '--home', 'd'], ['coach', 'x', '--', '--trace'])
    """
    first: list[str] = []
    rest: list[str] = []
    waiting = list(words)
    while waiting:
        word = waiting.pop(0)
        if word == "--":
            return first, [*rest, word, *waiting]
        if word in FLAGS or word.partition("=")[0] in VALUED:
            first.append(word)
            if word in VALUED and waiting:
                first.append(waiting.pop(0))
        else:
            rest.append(word)
    return first, rest


def _failed(error: Exception, *, as_json: bool) -> int:
    cause, people = (error.cause, error.people) if isinstance(error, WithPeople) else (error, ())
    show_problem(problem_of(cause), as_json=as_json, people=people)
    if isinstance(cause, (typer.TyperException, typer.Abort)):
        return Exit.USAGE
    return exit_code(cause)
