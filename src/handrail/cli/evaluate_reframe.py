"""``handrail eval`` for the reframing session: thinking traps."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from handrail.cli.evaluate import show_card
from handrail.cli.progress import counted
from handrail.cli.session import Session, say


class Half(StrEnum):
    """Which half of the rows is measured; ``dev`` was in view while the cues were written."""

    DEV = "dev"
    HELD = "held"


def distortions(
    context: typer.Context,
    file: Annotated[
        Path | None,
        typer.Option(help="Public JSON lines with prompt and completion, one row a label."),
    ] = None,
    split: Annotated[Half, typer.Option(help="Which half of the rows.")] = Half.HELD,
    neighbours: Annotated[
        bool,
        typer.Option(help="With --file: embed its thoughts and show what neighbours reach."),
    ] = True,
) -> None:
    """Measure which thinking traps are read in a thought, and whether plain thoughts show none."""
    from handrail.adapters.re2 import Re2Engine
    from handrail.bootstrap import build_embedder
    from handrail.evals.distortions import run_distortions
    from handrail.flows.reframe.distortions import DistortionReader

    session = Session.of(context)
    reader = DistortionReader.packaged(Re2Engine())
    if file is None:
        say("no --file: public thoughts are skipped, and our own bank alone is measured.")
    with counted("thoughts") as progress:
        card = run_distortions(
            lambda text, language: [
                found.distortion.value for found in reader.read(text, language) if found.named
            ],
            file=file,
            split=split.value,
            embedder=build_embedder(session.settings()) if file and neighbours else None,
            versions=reader.versions,
            progress=progress,
        )
    show_card(session, card)


COMMANDS: Mapping[str, Callable[..., object]] = {"distortions": distortions}
