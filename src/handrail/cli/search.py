"""``handrail search`` and ``handrail check``: the first two stations of the way, alone."""

from __future__ import annotations

from typing import Annotated

import typer

from handrail.cli.exits import Exit
from handrail.cli.progress import index_starter
from handrail.cli.session import Session, say, show_body
from handrail.cli.words import Text, read_text


def search(
    context: typer.Context,
    query: Text,
    collection: Annotated[str, typer.Option(help="Where to look.")] = "starter",
    k: Annotated[int, typer.Option("-k", min=1, help="How many cases.")] = 3,
) -> None:
    """Show the most similar cases with their nearest sentences."""
    from handrail.cli.render import cases_text, trace_lines

    session = Session.of(context)
    words = read_text(query)
    engine = session.engine()
    index_starter(engine, collection)
    tracer = engine.tracer()
    found = engine.search(words, collection=collection, k=k, tracer=tracer)
    if session.trace:
        say("\n".join(trace_lines(tracer.trace())))
    if session.as_json:
        from handrail.wire import search_body

        show_body(search_body(found, tracer.trace()))
    elif found.ranking.candidates:
        print(cases_text(found.ranking.candidates))
    else:
        say("no case has anything in common with the query")


def check(context: typer.Context, text: Text) -> Exit:
    """Show what the crisis screen reads in a text; no model, no index, nothing stored.

    Without a model its second reader weighs the wording alone. Exits with 4 for a moderate or high
    risk.
    """
    from handrail.cli.risks import risk_lines, risk_text
    from handrail.domain.risk import Level
    from handrail.screening import build_readers

    session = Session.of(context)
    second = session.settings().crisis.second_reader
    risk = build_readers(second=second).check(read_text(text))
    if session.trace:
        say("\n".join(risk_lines(risk)))
    if session.as_json:
        from handrail.wire import risk_body

        show_body(risk_body(risk))
    else:
        print(risk_text(risk))
    return Exit.SAFETY if risk.level >= Level.MODERATE else Exit.DONE
