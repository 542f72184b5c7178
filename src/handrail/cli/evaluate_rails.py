"""``handrail eval`` for the rails: crisis screen, evidence gate, injection screen, protocol."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated

import typer

from handrail.cli.evaluate import show_card
from handrail.cli.progress import counted
from handrail.cli.session import Session


def crisis(
    context: typer.Context,
    bank: Annotated[
        Path | None,
        typer.Option(help="JSON lines with id, lang, text, level; the packaged bank without it."),
    ] = None,
    split: Annotated[
        str | None, typer.Option(help="Only the rows of this split, such as held.")
    ] = None,
) -> None:
    """Measure what the crisis screen sees, what it takes for danger, and what disguises hide."""
    from handrail.evals import run_crisis
    from handrail.screening import build_screen

    session = Session.of(context)
    screen = build_screen()
    with counted("messages") as progress:
        card = run_crisis(screen.check, bank=bank, split=split, progress=progress)
    show_card(session, card, shown=None)


COMMANDS: Mapping[str, Callable[..., object]] = {"crisis": crisis}
