"""``handrail guide``: a parent's message, and what the curated entities have to say."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from handrail.cli.coach import country_code, exit_of, people_for
from handrail.cli.exits import Exit
from handrail.cli.session import Session, say, show_body
from handrail.cli.words import Text, read_text, typed
from handrail.domain.entity import ChatType
from handrail.errors import InvalidInput

if TYPE_CHECKING:
    from handrail.domain.outcome import Outcome
    from handrail.engine import Engine
    from handrail.flows.guide.found import Found
    from handrail.wire.guide import FoundEntityBody, RetrieveBody


def guide(
    context: typer.Context,
    text: Text,
    state: Annotated[
        list[str] | None,
        typer.Option(metavar="KEY=VALUE", help="What is known, such as is_first_conversation=true"),
    ] = None,
    chat_type: Annotated[
        ChatType | None,
        typer.Option(case_sensitive=False, help="What the conversation is about."),
    ] = None,
    shown: Annotated[
        list[str] | None, typer.Option(help="Pass over this entity: one of the last replies had it")
    ] = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="No reply: every candidate and who found it.")
    ] = False,
    country: Annotated[
        str | None, typer.Option(help="Whose helplines to show, such as IE.", callback=country_code)
    ] = None,
    minor: Annotated[
        bool, typer.Option("--minor", help="The person is known to be a minor.")
    ] = False,
) -> Exit:
    """Answer a parent from reviewed entities, by words, triggers, meaning and what is known."""
    session = Session.of(context)
    message = read_text(text)
    engine = session.engine(**({"country": country} if country else {}))
    asked = {
        "user_state": dict(map(_field, state or ())),
        "chat_type": chat_type,
        "shown": [typed(name) for name in shown or ()],
    }
    try:
        if explain:
            return _explain(session, engine, message, asked)
        return _reply(session, engine, message, {**asked, "minor": minor})
    except Exception as error:
        from handrail.cli.problems import WithPeople

        raise WithPeople(error, people_for(engine, message)) from error


def _field(pair: str) -> tuple[str, object]:
    name, sign, value = typed(pair).partition("=")
    if not sign or not name.strip():
        raise InvalidInput(f"{name!r} has no value. Write --state KEY=VALUE")
    return name.strip(), _value(value)


def _value(written: str) -> object:
    """true, false, null and numbers as JSON has them; everything else is a text."""
    try:
        value = json.loads(written, parse_constant=str)
    except (ValueError, RecursionError):
        return written
    return value if value is None or isinstance(value, bool | int | float) else written


def _reply(session: Session, engine: Engine, message: str, asked: dict[str, Any]) -> Exit:
    guided = engine.guide_now(message, **asked)
    _warn(guided.found.warnings if guided.found else ())
    _trace(session, guided.outcome)
    if session.as_json:
        from handrail.wire.guide import guide_body

        show_body(guide_body(guided))
    else:
        print(_text(guided.outcome, engine, guided.found))
    return exit_of(guided.outcome)


def _trace(session: Session, outcome: Outcome) -> None:
    from handrail.cli.render import trace_lines

    if session.trace:
        say("\n".join(trace_lines(outcome.trace)))


def _text(outcome: Outcome, engine: Engine, found: Found | None) -> str:
    from handrail.cli.render import outcome_text
    from handrail.wire.guide import lines_of

    def sources(answer: Outcome) -> str:
        titles = {one.entity.entity_id: one.entity.title for one in (found.final if found else ())}
        spoken = dict.fromkeys(line.entity_id for line in lines_of(answer))
        return "\n".join(["Sources:", *(f"- {titles[name]} ({name})" for name in spoken)])

    return outcome_text(outcome, engine.content, sources)


def _warn(warnings: Iterable[str]) -> None:
    for warning in warnings:
        say(f"warning: {warning}")


def _explain(session: Session, engine: Engine, message: str, asked: dict[str, Any]) -> Exit:
    from handrail.cli.render import trace_lines
    from handrail.domain.risk import Level
    from handrail.wire.guide import retrieve_body

    tracer = engine.tracer()
    found = engine.guide_find(message, tracer=tracer, **asked)
    _warn(found.warnings)
    if session.trace:
        say("\n".join(trace_lines(tracer.trace())))
    body = retrieve_body(found, tracer.trace(), explain=True)
    if session.as_json:
        show_body(body)
    else:
        print("\n".join(_explained(body)))
    return Exit.SAFETY if found.risk.level >= Level.MODERATE else Exit.DONE


def _explained(body: RetrieveBody) -> Iterator[str]:
    yield f"risk: {', '.join([body.risk.level, *body.risk.kinds])}"
    yield "final set:"
    for at, one in enumerate(body.final, start=1):
        why = f"  (pinned: {one.pin})" if one.pin else ""
        yield f"{at:>3}. {one.entity_id}{why}"
    if not body.final:
        yield "     nothing fits"
    if body.always:
        yield f"always beside it: {', '.join(one.entity_id for one in body.always)}"
    yield "candidates:"
    yield from _table(body.candidates or ())
    for left in body.dropped or ():
        if left.stage != "rank":  # who was merely not chosen is seen above
            yield f"left out: {left.entity_id} ({left.stage}: {left.reason})"


def _table(candidates: Sequence[FoundEntityBody]) -> Iterator[str]:
    """A row each: fusion score, id, and rank with value in every channel that found it."""
    width = max((len(one.entity_id) for one in candidates), default=0)
    for one in candidates:
        found = ", ".join(f"{hit.channel} {hit.rank}. ({hit.value:.2f})" for hit in one.channels)
        yield f"  {one.score:.4f}  {one.entity_id:<{width}}  {found or one.pin or ''}".rstrip()
