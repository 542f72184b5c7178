"""``handrail coach``: one message, one outcome."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, assert_never

import typer

from handrail.cli.exits import Exit
from handrail.cli.progress import index_starter
from handrail.cli.session import Session, say, show_body
from handrail.cli.words import Text, read_text
from handrail.errors import InvalidInput

if TYPE_CHECKING:
    from handrail.domain.outcome import Outcome, Resource
    from handrail.engine import Engine


def country_code(code: str | None) -> str | None:
    """The code in capitals; a mistake in typing is told before anything is read."""
    if code is None:
        return None
    if not (len(code) == 2 and code.isascii() and code.isalpha()):
        raise typer.BadParameter("use an ISO 3166 code of two letters, such as IE")
    return code.upper()


def coach(
    context: typer.Context,
    text: Text,
    collection: Annotated[str, typer.Option(help="Which cases to quote.")] = "starter",
    case_id: Annotated[
        list[str] | None, typer.Option(help="Quote this case; up to three of them.")
    ] = None,
    country: Annotated[
        str | None, typer.Option(help="Whose helplines to show, such as IE.", callback=country_code)
    ] = None,
    minor: Annotated[
        bool, typer.Option("--minor", help="The person is known to be a minor.")
    ] = False,
    receipt: Annotated[
        Path | None, typer.Option(help="Write the receipt of the reply to this file.")
    ] = None,
) -> Exit:
    """Answer a concern with quotes and reviewed lines, or say why not."""
    session = Session.of(context)
    message = read_text(text)
    engine = session.engine(**({"country": country} if country else {}))
    try:
        outcome = _asked(engine, message, collection, case_id or [], minor=minor)
    except Exception as error:
        from handrail.cli.problems import WithPeople

        raise WithPeople(error, people_for(engine, message)) from error
    if receipt is not None:
        _keep(receipt, outcome)
    _show(session, engine, outcome)
    return exit_of(outcome)


def _asked(
    engine: Engine, message: str, collection: str, case_ids: list[str], *, minor: bool
) -> Outcome:
    """The outcome; nobody in danger waits for an index, and nothing said makes none."""
    if not message:
        raise InvalidInput("the message is empty. Write a sentence or two about what is going on")
    if _goes_on(engine, message):
        index_starter(engine, collection)
    return engine.coach_now(message, collection=collection, case_ids=case_ids, minor=minor)


def _goes_on(engine: Engine, message: str) -> bool:
    """Whether an index is wanted; where the screen breaks, the coach is left to tell of it."""
    from asyncio import CancelledError

    from handrail.rails.escalation import escalates

    try:
        return not escalates(engine.check(message))
    except (Exception, CancelledError):  # noqa: BLE001  the coach screens too, and fails shut
        return False


def people_for(engine: Engine, message: str) -> tuple[Resource, ...]:
    """Whom to turn to, for what no flow has said."""
    helplines = engine.front.helplines
    return helplines.resources(helplines.stated(message) or engine.settings.country)


def _keep(path: Path, outcome: Outcome) -> None:
    from handrail.rails.receipt import canonical_json

    try:
        path.write_text(canonical_json(dict(outcome.receipt.body)) + "\n", encoding="utf-8")
    except OSError as error:
        raise InvalidInput(
            f"the receipt cannot be written to {str(path)!r}: {error.strerror}. Name another file"
        ) from error


def _show(session: Session, engine: Engine, outcome: Outcome) -> None:
    from handrail.cli.render import outcome_text, trace_lines

    if session.trace:
        say("\n".join(trace_lines(outcome.trace)))
    if session.as_json:
        from handrail.wire import coach_body

        show_body(coach_body(outcome))
    else:
        print(outcome_text(outcome, engine.content))


def exit_of(outcome: Outcome) -> Exit:
    """The code of an outcome."""
    from handrail.domain.outcome import Abstention, Answer, Refusal, SafetyResponse

    match outcome:
        case Answer():
            return Exit.DONE
        case Abstention() | Refusal():
            return Exit.DECLINED
        case SafetyResponse():
            return Exit.SAFETY
        case _:
            assert_never(outcome)
