"""``handrail serve``: the same engine over HTTP."""

from __future__ import annotations

from typing import Annotated

import typer

from handrail.cli.session import Session, say


def serve(
    context: typer.Context,
    host: Annotated[str, typer.Option(help="Beyond loopback, keys are required.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 takes a free one.")] = 8000,
    collection: Annotated[str, typer.Option(help="Which cases to quote.")] = "starter",
) -> None:
    """Answer over HTTP until SIGTERM or Ctrl-C."""
    from handrail.adapters.structlog import StructuredLog
    from handrail.server.run import serve as serve_until_stopped

    session = Session.of(context)
    log = StructuredLog(level=session.settings().log_level)
    serve_until_stopped(
        session.engine(log),
        host,
        port,
        collection,
        announce=lambda address: say(f"serving {collection} at {address}"),
    )
