"""The commands and the options that they share."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from handrail import __version__
from handrail.cli import (
    chat,
    coach,
    config,
    doctor,
    entities,
    evaluate,
    evaluate_contract,
    evaluate_guide,
    evaluate_rails,
    evaluate_reframe,
    guide,
    index,
    receipts,
    search,
    serve,
    session_reports,
    sessions,
)
from handrail.cli.exits import Exit
from handrail.cli.group import Root
from handrail.cli.session import Session

_GROUPS = {
    "index": "Collections: from files of cases to verified indexes.",
    "eval": "Measure on labelled messages, each figure with its interval.",
    "sessions": "Reframing sessions: what is stored, and how it goes.",
    "entities": "Entities of the guide: read, try, change and restore them.",
    "config": "Settings: what is in force.",
}


def _app(**options: Any) -> typer.Typer:
    return typer.Typer(
        rich_markup_mode=None, add_completion=False, pretty_exceptions_enable=False, **options
    )


app = _app(cls=Root, name="handrail")


def _version(wanted: bool) -> None:
    if wanted:
        print(f"handrail {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def root(
    context: typer.Context,
    home: Annotated[
        Path | None,
        typer.Option(help="Folder that holds collections, in place of HANDRAIL_HOME."),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object, the body of the HTTP API.")
    ] = False,
    trace: Annotated[
        bool,
        typer.Option("--trace", help="Show on standard error how the reply came about, no text."),
    ] = False,
    debug: Annotated[  # noqa: ARG001  the root command looks at the words itself
        bool, typer.Option("--debug", help="Show a traceback, which may hold your text.")
    ] = False,
    version: Annotated[  # noqa: ARG001  its callback ends the run
        bool,
        typer.Option("--version", help="Print the version.", callback=_version, is_eager=True),
    ] = False,
) -> Exit | None:
    """Answers to concerns from a counselling corpus, each sentence with its proof.

    The options below may stand anywhere. Data goes to standard output, talk to standard error.
    With --json an error prints an object as well, with type, title, code and detail.
    """
    context.obj = Session(home=home, as_json=as_json, trace=trace)
    if context.invoked_subcommand is None:
        typer.echo(context.get_help(), err=True)
        return Exit.USAGE
    return None


app.command()(coach.coach)
app.command()(chat.chat)
app.command()(guide.guide)
app.command()(search.search)
app.command()(search.check)
app.command()(receipts.verify)
app.command()(serve.serve)
app.command()(doctor.doctor)

_SUB: tuple[tuple[str, Mapping[str, Callable[..., object]]], ...] = (
    ("index", index.COMMANDS),
    (
        "eval",
        {
            **evaluate.COMMANDS,
            **evaluate_rails.COMMANDS,
            **evaluate_reframe.COMMANDS,
            **evaluate_contract.COMMANDS,
            **evaluate_guide.COMMANDS,
        },
    ),
    ("sessions", {**sessions.COMMANDS, **session_reports.COMMANDS}),
    ("entities", entities.COMMANDS),
    ("config", config.COMMANDS),
)
for name, commands in _SUB:
    group = _app(help=_GROUPS[name])
    for word, command in commands.items():
        group.command(word)(command)
    app.add_typer(group, name=name)


_ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")


def main() -> None:
    """The entry point; what a stream cannot encode is shown as an escape, never a crash."""
    for name in _ONE_THREAD:  # before numpy loads: its threads fight over a core and win nothing
        os.putenv(name, "1")
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    app()
