"""Entities of the guide: what stands, how it came to be, and how editors change it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from handrail.cli.session import Session, say, show_body
from handrail.errors import InvalidInput

if TYPE_CHECKING:
    from handrail.domain.entity import Entity
    from handrail.flows.guide.desk import Desk
    from handrail.flows.guide.dry_run import Message
    from handrail.wire.entities import DryRunBody, MatchBody

Id = Annotated[str, typer.Argument(help="Id of the entity.", show_default=False)]
By = Annotated[str, typer.Option(help="Your name, as the history will show it.")]

SHOWN = 20  # matches of a kind in a dry run; --json has all
AROUND = 30  # characters shown on each side of a match


def list_(context: typer.Context) -> None:
    """Show every active entity."""
    from handrail.wire.entities import entities_body

    session = Session.of(context)
    body = entities_body(_desk(session).entities())
    if session.as_json:
        show_body(body)
        return
    width = max((len(one.entity_id) for one in body.entities), default=0)
    for one in body.entities:
        safety = "  [safety]" if one.safety_critical else ""
        named = f"{one.entity_id:<{width}}  {one.version:>4}  {one.entity_type.value:<9}"
        print(f"{named}  {one.title}{safety}")


def show(
    context: typer.Context,
    entity_id: Id,
    version: Annotated[int | None, typer.Option(min=1, help="An earlier version.")] = None,
) -> None:
    """Print an entity as a file that can be edited and imported."""
    from handrail.cli.entity_files import as_yaml
    from handrail.wire.entities import record_body

    session = Session.of(context)
    record = _desk(session).record(entity_id, version=version)
    if session.as_json:
        show_body(record_body(record))
    else:
        print(as_yaml(record.entity), end="")


def history(context: typer.Context, entity_id: Id) -> None:
    """Show who changed what, and when."""
    from handrail.wire.entities import history_body

    session = Session.of(context)
    body = history_body(entity_id, _desk(session).history(entity_id))
    if session.as_json:
        show_body(body)
        return
    for one in body.versions:
        what = ", ".join(one.changed) or "first version"
        gone = "" if one.is_active else "  [out of use]"
        print(f"{one.version:>4}  {_when(one.at)}  {one.by}: {what}{gone}")


def export(
    context: typer.Context,
    target: Annotated[
        Path, typer.Argument(help="A folder, for one YAML file each; or a .jsonl file; or -")
    ],
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace files that differ.")
    ] = False,
) -> None:
    """Write every active entity to files."""
    from handrail.cli.entity_files import LINES, as_line, as_yaml, file_name

    session = Session.of(context)
    entities = _desk(session).entities()
    if str(target) == "-":
        print("\n".join(map(as_line, entities)))
        return
    if target.suffix in LINES:
        texts = {target: "".join(f"{as_line(one)}\n" for one in entities)}
    else:
        texts = {target / file_name(one): as_yaml(one) for one in entities}
    _write(texts, overwrite=overwrite)
    body = {"exported": len(entities), "to": str(target)}
    session.show(body, f"{len(entities)} entities written to {target}")


def import_(
    context: typer.Context,
    files: Annotated[
        list[Path], typer.Argument(help="YAML, JSON or .jsonl files, folders of them, or -")
    ],
    by: By,
) -> None:
    """Write entities from files, all or none; what is the same already is left alone."""
    from handrail.cli.entity_files import read_entities

    session = Session.of(context)
    entities = read_entities(files)
    desk = _desk(session)
    desk.entities()  # which fills an empty store first
    before = {one.entity_id: desk.store.get(one.entity_id) for one in entities}
    standing = {name: found.entity for name, found in before.items() if found}
    sent = {one.entity_id: one.version for one in entities}
    changed = desk.put_all(entities, by=by)
    rows = [_change(one, standing.get(one.entity_id)) for one in changed]
    for one in changed:
        _warn_replaced(one.entity_id, sent[one.entity_id], standing.get(one.entity_id))
    left = len(entities) - len(changed)
    lines = [f"{row['entity_id']}: {row['what']}, now version {row['version']}" for row in rows]
    session.show({"changed": rows, "unchanged": left}, "\n".join([*lines, f"{left} unchanged"]))


def dry_run(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(help="A file with changed entities, or -")],
    messages: Annotated[
        Path | None,
        typer.Option(help="Messages to try, one a line or .jsonl; by default all known phrases."),
    ] = None,
) -> None:
    """Show what changed entities would find that they do not find now; nothing is written."""
    from handrail.cli.entity_files import read_entities
    from handrail.content.entities import entity_json
    from handrail.wire.entities import dry_run_body

    session = Session.of(context)
    entities = read_entities([file])
    tried = list(_messages(messages)) if messages else None
    desk = _desk(session)
    for entity in entities:
        body = dry_run_body(entity.entity_id, desk.dry_run(entity_json(entity), tried))
        if session.as_json:
            show_body(body)
        else:
            print("\n".join(_tried(body, entity)))


def delete(
    context: typer.Context,
    entity_id: Id,
    by: By,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Take an entity out of use; its versions stay, and an import brings it back."""
    session = Session.of(context)
    desk = _desk(session)
    if not yes:
        typer.confirm(f"Take {entity_id!r} out of use?", abort=True, err=True)
    desk.delete(entity_id, by=by)
    session.show({"deleted": entity_id}, f"{entity_id} is out of use")


COMMANDS: Mapping[str, Callable[..., object]] = {
    "list": list_,
    "show": show,
    "history": history,
    "export": export,
    "import": import_,
    "dry-run": dry_run,
    "delete": delete,
}


def _desk(session: Session) -> Desk:
    return session.engine().desk


def _when(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M")


def _write(texts: Mapping[Path, str], *, overwrite: bool) -> None:
    """Write all files; an edited one is not lost by accident."""
    try:
        there = [path for path in texts if path.exists()]
        differ = [path for path in there if path.read_text("utf-8") != texts[path]]
        if differ and not overwrite:
            raise InvalidInput(
                f"{len(differ)} files are there and differ, such as {str(differ[0])!r}. "
                "Import them first, export to another folder, or give --overwrite"
            )
        for path, text in texts.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise InvalidInput(
            f"{error.filename!r} cannot be written: {error.strerror}. Name another place"
        ) from error


def _change(now: Entity, before: Entity | None) -> dict[str, object]:
    from handrail.cli.entity_files import changed_fields

    fields = changed_fields(before, now) if before else []
    what = f"changed {', '.join(fields)}" if before else "new"
    return {
        "entity_id": now.entity_id,
        "version": now.version,
        "fields": fields,
        "what": what,
    }


def _warn_replaced(entity_id: str, sent: int, before: Entity | None) -> None:
    if before is not None and sent < before.version:
        say(
            f"note: {entity_id} was at version {before.version} and the file was made from "
            f"{sent}; what changed in between is replaced, and stays in the history"
        )


def _messages(path: Path) -> Iterator[Message]:
    """Messages of a file: one a line, or JSON lines with text or prompt, and entity_id."""
    from handrail.cli.entity_files import LINES, json_lines, read_file
    from handrail.errors import UnreadableFile
    from handrail.flows.guide.dry_run import Message

    if path.suffix not in LINES:
        yield from (Message(line) for line in read_file(path).splitlines() if line.strip())
        return
    for where, row in json_lines(path):
        text = row.get("text", row.get("prompt")) if isinstance(row, dict) else row
        if not isinstance(text, str):
            raise UnreadableFile(f"{where} has no text. Write a text, or an object with one")
        known = row.get("entity_id") if isinstance(row, dict) else None
        yield Message(text, known if isinstance(known, str) else None)


def _tried(body: DryRunBody, entity: Entity) -> Iterator[str]:
    """New, lost and stray matches, in words."""
    fresh = [one for one in body.matches if one.fresh]
    stray = [one for one in body.matches if one.stray and not one.fresh]
    yield f"{body.entity_id}: tried on {body.tried} messages, {len(body.matches)} matches"
    yield f"new: {len(fresh)} matches that are not there today"
    yield from _matches(fresh, entity)
    yield f"lost: {len(body.lost)} messages that only today's version matches"
    for one in body.lost[:SHOWN]:
        yield f"  - “{one.text}”{_for(one.entity_id)}"
    yield from _more(len(body.lost))
    yield f"stray: {len(stray)} older matches in messages that were written for another entity"
    yield from _matches(stray, entity)


def _matches(matches: Sequence[MatchBody], entity: Entity) -> Iterator[str]:
    for one in matches[:SHOWN]:
        other = _for(one.entity_id) if one.stray else ""
        yield f"  - “{_around(one)}” by {_named(one.by, entity)}{other}"
    yield from _more(len(matches))


def _for(entity_id: str | None) -> str:
    return f", written for {entity_id}" if entity_id else ""


def _more(count: int) -> Iterator[str]:
    if count > SHOWN:
        yield f"  … and {count - SHOWN} more; --json lists all"


def _around(match: MatchBody) -> str:
    """The matched words in brackets, with some of what stands around them."""
    text, start, end = match.text, match.start, match.end
    before = text[max(0, start - AROUND) : start]
    after = text[end : end + AROUND]
    head = "…" if start > AROUND else ""
    tail = "…" if end + AROUND < len(text) else ""
    return f"{head}{before}[{text[start:end]}]{after}{tail}".replace("\n", " ")


def _named(by: str, entity: Entity) -> str:
    """A trigger by its words, as its author wrote them."""
    kind, _, number = by.partition(" ")
    if kind != "trigger":
        return f"the keyword “{number}”"
    trigger = entity.trigger_patterns[int(number) - 1]
    return f"trigger {number}, “{trigger.phrase or trigger.regex}”"
