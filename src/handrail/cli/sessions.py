"""Stored sessions: what is kept of one, and how it goes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Annotated

import typer

from handrail.cli.session import Session, show_body

if TYPE_CHECKING:
    from handrail.wire import SessionBody

Id = Annotated[str, typer.Argument(help="Id of the session.", show_default=False)]


def show(context: typer.Context, session_id: Id) -> None:
    """Show where a session stands, and its last reply."""
    from handrail.wire import session_body

    session = Session.of(context)
    body = session_body(session.engine().sessions.show(session_id))
    if session.as_json:
        show_body(body)
    else:
        print(_text(body))


def delete(
    context: typer.Context,
    session_id: Id,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Forget a session and all that was said in it."""
    from handrail.errors import NotFound

    session = Session.of(context)
    if not yes:
        typer.confirm("Forget this session for good?", abort=True, err=True)
    if not session.engine().sessions.delete(session_id):
        raise NotFound("no such session: it ended, expired, or never was")
    session.show({"deleted": session_id}, "forgotten")


def purge(context: typer.Context) -> None:
    """Forget every session that has expired; the same happens now and then by itself."""
    session = Session.of(context)
    sessions = session.engine().sessions
    count = sessions.store.purge(now=sessions.clock())
    session.show({"purged": count}, f"{count} forgotten")


COMMANDS: Mapping[str, Callable[..., object]] = {"show": show, "delete": delete, "purge": purge}


def _text(body: SessionBody) -> str:
    from handrail.cli.chat_screen import neutral, status
    from handrail.cli.chat_words import words_of

    state = body.state
    told = {
        "situation": state.progress.situation,
        "thought": state.progress.thought,
        "emotion": state.progress.emotion,
        "intensity": state.progress.intensity,
        "anxiety": _change(state.suds_pre, state.suds_post),
        "confidence": _change(state.confidence_pre, state.confidence_post),
    }
    lines = [status(state, words_of(state.user_language))]
    lines += [f"{name}: {value}" for name, value in told.items() if value is not None]
    if body.last is not None:
        lines += ["", body.last.ui_text]
    return neutral("\n".join(lines))


def _change(before: int | None, after: int | None) -> str | None:
    if before is None and after is None:
        return None
    return " to ".join("unrated" if value is None else str(value) for value in (before, after))
