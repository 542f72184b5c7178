"""``handrail eval``: figures with their intervals, from labelled messages."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from handrail.cli.progress import counted, index_starter
from handrail.cli.session import Session

if TYPE_CHECKING:
    from handrail.evals import Estimate, Scorecard

SHOWN_MISSES = 10  # ids of one figure; --json has them all

Over = Annotated[str, typer.Option(help="Which cases to measure over.")]
GroupBy = Annotated[
    str | None, typer.Option(help="Metadata field that the judgements hold, in place of ids.")
]


def retrieval(
    context: typer.Context,
    queries: Annotated[Path, typer.Option(help="JSON lines, each with id and text.")],
    qrels: Annotated[Path, typer.Option(help="Tab-separated: query-id, corpus-id, score.")],
    collection: Over = "starter",
    group_by: GroupBy = None,
) -> None:
    """Measure whether search finds the judged cases."""
    from handrail.evals import run_retrieval

    session = Session.of(context)
    engine = session.engine()
    index_starter(engine, collection)
    with counted("queries") as progress:
        card = run_retrieval(
            engine,
            collection=collection,
            queries=queries,
            qrels=qrels,
            group_by=group_by,
            progress=progress,
        )
    show_card(session, card)


def coach(
    context: typer.Context,
    bank: Annotated[
        Path | None, typer.Option(help="Labelled messages; the packaged bank without it.")
    ] = None,
    collection: Over = "starter",
    group_by: GroupBy = None,
) -> None:
    """Measure whether the coach answers concerns, refuses the rest and proves what it says."""
    from handrail.evals import run_coach

    session = Session.of(context)
    engine = session.engine()
    index_starter(engine, collection)
    with counted("messages") as progress:
        card = run_coach(
            engine, collection=collection, bank=bank, group_by=group_by, progress=progress
        )
    show_card(session, card)


COMMANDS: Mapping[str, Callable[..., object]] = {"retrieval": retrieval, "coach": coach}


def show_card(session: Session, card: Scorecard, *, shown: int | None = SHOWN_MISSES) -> None:
    """A scorecard as a table of figures, counts and the first ``shown`` missed ids (None: all)."""
    width = max(map(len, [*card.metrics, *card.counts]), default=0)
    lines = [f"{name:<{width}}  {_figure(figure)}" for name, figure in card.metrics.items()]
    lines += [f"{name:<{width}}  {count}" for name, count in card.counts.items()]
    for name, ids in card.misses.items():
        if ids:
            named = ids[:shown]
            more = f" and {len(ids) - len(named)} more" if len(named) < len(ids) else ""
            lines.append(f"missed by {name}: {', '.join(named)}{more}")
    session.show(card.to_json(), "\n".join(lines))


def _figure(figure: Estimate) -> str:
    if figure.value is None or figure.low is None or figure.high is None:
        return "not measured"
    return f"{figure.value:.3f}  [{figure.low:.3f}, {figure.high:.3f}]  n={figure.n}"
