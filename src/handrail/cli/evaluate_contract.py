"""``handrail eval contract``: the rail for model-written turns."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated

import typer

from handrail.cli.evaluate import show_card
from handrail.cli.progress import counted
from handrail.cli.session import Session


def contract(
    context: typer.Context,
    bank: Annotated[
        Path | None,
        typer.Option(
            help="JSON lines with id, text, verdict, language; the packaged bank without it."
        ),
    ] = None,
    split: Annotated[
        str | None, typer.Option(help="Only the rows of this split, such as held.")
    ] = None,
) -> None:
    """Measure what the rail for model-written turns stops, by kind, and what it stops in vain."""
    from handrail.adapters.re2 import Re2Engine
    from handrail.evals.reply_contract import run_contract
    from handrail.rails.reply_contract import ReplyContract
    from handrail.screening import build_screen

    session = Session.of(context)
    rail = ReplyContract.packaged(Re2Engine(), build_screen().check)
    with counted("turns") as progress:
        card = run_contract(
            lambda turn: rail.breaches(turn.text, turn.terms, own_words=turn.own_words),
            bank=bank,
            split=split,
            versions=rail.versions,
            progress=progress,
        )
    show_card(session, card, shown=None)


COMMANDS: Mapping[str, Callable[..., object]] = {"contract": contract}
