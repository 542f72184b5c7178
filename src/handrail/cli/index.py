"""Collections: from files of cases to verified indexes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from handrail.cli.exits import Exit
from handrail.cli.progress import reported
from handrail.cli.session import Session, say
from handrail.errors import IndexUnusable, InvalidInput, NotFound

if TYPE_CHECKING:
    from handrail.corpus.build import BuildReport
    from handrail.corpus.columns import ColumnMap
    from handrail.corpus.opening import Listed

SHOWN_LINES = 10  # bad lines named on standard error; --json lists more

Collection = Annotated[str, typer.Option(help="Name of the collection, in lower case.")]
Column = Annotated[str | None, typer.Option(help="Where the names are not the known ones.")]


def add(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(help="NDJSON, CSV (both also .gz) or Parquet.")],
    collection: Collection,
    context_column: Column = None,
    response_column: Column = None,
    title_column: Column = None,
    id_column: Column = None,
) -> None:
    """Index the cases of a file; what is there already is not embedded again."""
    session = Session.of(context)
    columns = _columns(context_column, response_column, title_column, id_column)
    engine = session.engine()
    with reported(collection) as report:
        built = engine.add(file, collection=collection, columns=columns, progress=report)
    _tell_skipped(built)
    session.show(_built(collection, built), _summary(collection, built))


def rebuild(context: typer.Context, collection: Collection) -> None:
    """Make an index anew from its own cases, with the present model."""
    session = Session.of(context)
    library = session.engine().library
    if not library.exists(collection):
        raise NotFound(f"there is no index {collection!r} yet. Run: handrail index list")
    with reported(collection) as report:
        built = library.rebuild(collection, progress=report)
    session.show(_built(collection, built), _summary(collection, built))


def list_(context: typer.Context) -> None:
    """Show every collection."""
    session = Session.of(context)
    found = session.engine().library.list()
    if not found and not session.as_json:
        say("no collection yet. Run: handrail index add FILE --collection NAME")
        return
    plain = "\n".join(map(_line, found))
    session.show({"collections": [_listed(item) for item in found]}, plain)


def verify(
    context: typer.Context,
    name: Annotated[str | None, typer.Argument(help="One collection; all without it.")] = None,
) -> Exit:
    """Compare every byte, count and offset with the manifest."""
    from handrail.corpus.opening import Listed

    session = Session.of(context)
    library = session.engine().library
    names = [name] if name else [item.name for item in library.list()]
    found: list[Listed] = []
    for each in names:
        try:
            found.append(Listed(each, library.verify(each)))
        except IndexUnusable as error:
            found.append(Listed(each, None, str(error)))
    plain = "\n".join(_line(item) for item in found)
    session.show({"collections": [_listed(item) for item in found]}, plain)
    return Exit.DONE if all(item.manifest for item in found) else Exit.FAULT


def remove(
    context: typer.Context,
    name: Annotated[str, typer.Argument(help="The collection to delete for good.")],
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Delete a collection."""
    session = Session.of(context)
    library = session.engine().library
    if not yes:
        typer.confirm(f"Delete collection {name!r} for good?", abort=True, err=True)
    library.remove(name)
    session.show({"removed": name}, f"removed {name}")


COMMANDS: Mapping[str, Callable[..., object]] = {
    "add": add,
    "list": list_,
    "verify": verify,
    "rebuild": rebuild,
    "remove": remove,
}


def _columns(
    context: str | None, response: str | None, title: str | None, id: str | None
) -> ColumnMap | None:
    from handrail.corpus.columns import ColumnMap

    if context is not None:
        return ColumnMap(context=context, response=response, title=title, id=id)
    if any((response, title, id)):
        raise InvalidInput("the concern's column is not named. Give --context-column as well")
    return None


def _tell_skipped(built: BuildReport) -> None:
    for file in built.files:
        if not file.skipped:
            continue
        say(f"{file.file}: {file.skipped} of {file.skipped + file.records} records skipped")
        for bad in file.bad_lines[:SHOWN_LINES]:
            say(f"  line {bad.line}: {bad.reason}")


def _built(name: str, built: BuildReport) -> dict[str, object]:
    return {
        "records": built.records,
        "model": built.model,
        "dim": built.dim,
        "build_ms": round(built.build_ms, 3),
        "collection": name,
        "added": built.added,
        "exact_duplicates": built.exact_duplicates,
        "near_duplicates": built.near_duplicates,
        "embedded": built.embedded,
        "changed": built.changed,
        "files": [
            {
                "file": file.file,
                "records": file.records,
                "skipped": file.skipped,
                "bad_lines": [{"line": b.line, "reason": b.reason} for b in file.bad_lines],
            }
            for file in built.files
        ],
    }


def _summary(name: str, built: BuildReport) -> str:
    seconds = built.build_ms / 1000
    return (
        f"{name}: {built.records} cases ({built.added} new, "
        f"{built.exact_duplicates} already there or twice), "
        f"{built.embedded} texts embedded in {seconds:.1f} s"
    )


def _line(item: Listed) -> str:
    if item.manifest is None:
        return f"{item.name}: {item.problem}"
    made = item.manifest
    return (
        f"{item.name}: {made.record_count} cases, {made.sentence_count} sentences, "
        f"{made.model_name}, {made.checksum[:12]}"
    )


def _listed(item: Listed) -> dict[str, object]:
    made = item.manifest
    if made is None:
        return {"name": item.name, "ok": False, "problem": item.problem}
    return {
        "name": item.name,
        "ok": True,
        "records": made.record_count,
        "sentences": made.sentence_count,
        "model": made.model_name,
        "dim": made.dim,
        "corpus_hash": made.corpus_hash,
        "checksum": made.checksum,
    }
