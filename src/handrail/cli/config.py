"""Settings: what is in force, and where it comes from."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import typer

from handrail.cli.session import Session


def show(context: typer.Context) -> None:
    """Show every setting with its value and its source; keys are masked."""
    from handrail.settings import in_force

    session = Session.of(context)
    rows = in_force(session.settings(), given=["home"] if session.home else [])
    body = [{"name": r.name, "value": r.value, "source": r.source} for r in rows]
    width = max(len(row.name) for row in rows)
    plain = "\n".join(f"{r.name:<{width}}  {_shown(r.value)}  ({r.source})" for r in rows)
    session.show({"settings": body}, plain)


COMMANDS: Mapping[str, Callable[..., object]] = {"show": show}


def _shown(value: object) -> str:
    return "none" if value is None or value == [] else str(value)
