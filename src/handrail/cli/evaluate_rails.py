"""``handrail eval`` for the rails: crisis screen, evidence gate, injection screen, protocol."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from handrail.cli.evaluate import show_card
from handrail.cli.progress import counted, index_starter
from handrail.cli.session import Session, say

if TYPE_CHECKING:
    from handrail.domain.risk import Risk
    from handrail.domain.text import Case
    from handrail.rails.crisis import CrisisScreen


def crisis(
    context: typer.Context,
    bank: Annotated[
        Path | None,
        typer.Option(help="JSON lines with id, lang, text, level; the packaged bank without it."),
    ] = None,
    split: Annotated[
        str | None, typer.Option(help="Only the rows of this split, such as held.")
    ] = None,
    second_reader: Annotated[
        bool | None,
        typer.Option(
            "--second-reader/--no-second-reader",
            help="With the second reader or without; by default as the product runs.",
        ),
    ] = None,
) -> None:
    """Measure what the crisis screen sees, what it takes for danger, and what disguises hide."""
    from handrail.evals import run_crisis
    from handrail.screening import build_screen

    session = Session.of(context)
    screen = build_screen()
    reader, check = _crisis_reader(session, screen, second_reader)
    with counted("messages") as progress:
        card = run_crisis(
            check, bank=bank, split=split, reader=reader, timed=screen.check, progress=progress
        )
    show_card(session, card, shown=None)


def _crisis_reader(
    session: Session, screen: CrisisScreen, second: bool | None
) -> tuple[str, Callable[[str], Risk]]:
    """The name of what is measured, and the measured function."""
    from handrail.rails.crisis import TwoReaders

    settings = session.settings()
    if not (settings.crisis.second_reader if second is None else second):
        return "screen", screen.check
    from handrail.bootstrap import build_embedder, build_second

    readers = TwoReaders(screen, build_second(screen, build_embedder(settings)))
    return "screen and second reader", readers.check


def evidence(
    context: typer.Context,
    collection: Annotated[str, typer.Option(help="Which cases to make false.")] = "starter",
    passages: Annotated[
        Path | None, typer.Option(help="JSON lines with id and text, in place of a collection.")
    ] = None,
    limit: Annotated[int, typer.Option(min=1, help="Attempts a family and kind.")] = 1_000,
) -> None:
    """Measure what the evidence gate lets through of sentences made false, and refuses of true."""
    from handrail.bootstrap import build_evidence_bench
    from handrail.evals import read_passages, run_evidence

    session = Session.of(context)
    gate = build_evidence_bench(session.settings())
    cases, pin = (read_passages(passages), None) if passages else _stored(session, collection)
    with counted("sentences") as progress:
        card = run_evidence(gate, cases, limit=limit, collection=pin, progress=progress)
    show_card(session, card)


def _stored(session: Session, collection: str) -> tuple[Sequence[Case], Mapping[str, object]]:
    engine = session.engine()
    index_starter(engine, collection)
    found = engine.collection(collection)
    return found.cases, found.pin()


def injection(
    context: typer.Context,
    bank: Annotated[
        Path | None,
        typer.Option(help="JSON lines with id, text, attack; the packaged bank without it."),
    ] = None,
    split: Annotated[
        str | None, typer.Option(help="Only the rows of this split, such as held.")
    ] = None,
) -> None:
    """Measure whether orders to the machine are seen, and talk about such words is left alone."""
    from handrail.evals import run_injection
    from handrail.screening import build_injection_screen

    session = Session.of(context)
    screen = build_injection_screen()
    with counted("texts") as progress:
        card = run_injection(
            lambda text: screen.check(text).attack,
            bank=bank,
            split=split,
            versions=screen.versions,
            progress=progress,
        )
    show_card(session, card, shown=None)


def vera(
    context: typer.Context,
    conversations: Annotated[
        Path, typer.Option(help="Folder of .txt files with user: and agent: turns.")
    ],
    personas: Annotated[
        Path, typer.Option(help="Tab-separated: Name and Current Risk Level, with a head.")
    ],
) -> None:
    """Measure in whole conversations whether danger to the person is seen, and how early."""
    from handrail.evals import run_vera
    from handrail.screening import build_screen

    session = Session.of(context)
    screen = build_screen()
    with counted("conversations") as progress:
        card = run_vera(screen, conversations=conversations, personas=personas, progress=progress)
    show_card(session, card)


def protocol(
    context: typer.Context,
    dialogues: Annotated[int, typer.Option(help="How many with each invented person.")] = 200,
    export: Annotated[
        Path | None,
        typer.Option(
            help="Folder for transcripts with user: and agent: turns, to judge elsewhere."
        ),
    ] = None,
) -> None:
    """Self-score the crisis protocol in simulated dialogues; not the official judge's result."""
    from handrail.evals import run_protocol
    from handrail.evals.protocol import NOTE
    from handrail.screening import build_protocol, build_screen

    session = Session.of(context)
    with counted("dialogues") as progress:
        card = run_protocol(
            build_screen(),
            build_protocol(),
            dialogues=dialogues,
            folder=export,
            progress=progress,
        )
    say(NOTE)
    show_card(session, card)


COMMANDS: Mapping[str, Callable[..., object]] = {
    "crisis": crisis,
    "vera": vera,
    "evidence": evidence,
    "injection": injection,
    "protocol": protocol,
}
