"""``handrail eval`` for the guide: the test banks, and who says what a test expects."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from handrail.cli.evaluate import show_card
from handrail.cli.progress import counted
from handrail.cli.session import Session, say

if TYPE_CHECKING:
    from handrail.domain.entity import ChatType, Entity
    from handrail.evals.guide import GuideCard
    from handrail.evals.guide.expectations import Expectation
    from handrail.evals.guide.suite import Find
    from handrail.flows.guide.found import Found
    from handrail.settings import Settings

NOBODY = "none"  # empties a list, or says that there is no main topic


class Half(StrEnum):
    """Which rows are measured; those of ``train`` were in view while the guide was tuned."""

    TRAIN = "train"
    TEST = "test"
    ALL = "all"


class Merging(StrEnum):
    """How the channels' ranks become one."""

    RRF = "rrf"
    SEED = "seed"


Bank = Annotated[
    Path | None,
    typer.Option(help="JSON lines with test_id, bank, prompt …; the packaged banks without it."),
]
Split = Annotated[
    Half | None,
    typer.Option(help="Which rows: by default test of the packaged banks, all of a --bank."),
]
Ids = Annotated[list[str] | None, typer.Option(help="May be repeated; none empties the list.")]


def guide(
    context: typer.Context,
    bank: Bank = None,
    split: Split = None,
    report: Annotated[
        Path | None, typer.Option(help="Write a page for people here; it quotes the prompts.")
    ] = None,
    merge: Annotated[Merging | None, typer.Option(help="In place of the configured merge.")] = None,
    calibrate: Annotated[
        bool,
        typer.Option(help="Append what was found to --bank, save for safety and human words."),
    ] = False,
    by: Annotated[str, typer.Option(help="With --calibrate: who answers for it.")] = "",
) -> None:
    """Measure whether the guide finds what parents need, over its test banks."""
    from handrail.evals.guide import page, run_guide

    _check_calibration(calibrate, bank, by)
    session = Session.of(context)
    settings = session.settings(**({"guide": {"merge": merge.value}} if merge else {}))
    find, entities, pins = finder(settings)
    with counted("tests") as progress:
        card = run_guide(
            find,
            entities=entities,
            bank=bank,
            split=split.value if split else None,
            pins=pins,
            progress=progress,
        )
    if report is not None:
        _write(report, page(card, made=datetime.now(UTC)))
    for warning in card.warnings:
        say(f"look at {warning}")
    if not session.as_json:
        print(card.summary)
    show_card(session, card, shown=None)
    if calibrate and bank is not None:
        _calibrate(card, bank, by)


def expect(
    context: typer.Context,
    test_id: Annotated[str, typer.Argument(help="The test's id.")],
    bank: Annotated[Path, typer.Option(help="The bank that holds it.")],
    by: Annotated[str, typer.Option(help="Who says so.")],
    reason: Annotated[str, typer.Option(help="Why.")],
    primary: Annotated[
        str | None, typer.Option(help="The main entity, or none where there is none.")
    ] = None,
    secondary: Ids = None,
    not_: Annotated[
        list[str] | None, typer.Option("--not", help="Entities that must not be shown.")
    ] = None,
    handler: Ids = None,
    not_handler: Ids = None,
) -> None:
    """Say what a test should expect; it counts from now on, and what was said before is kept."""
    from handrail.evals.guide.ledger import append, entry

    expected = _changed(
        _standing(bank, test_id),
        expected_primary=None if primary is None else _ids([primary]),
        expected_secondary=_ids(secondary),
        not_expected=_ids(not_),
        expected_handlers=_ids(handler),
        not_expected_handlers=_ids(not_handler),
    )
    _tell_unknown(expected)
    said = entry(expected, source="human", by=by, at=datetime.now(UTC), reason=reason)
    append(bank, {test_id: said})
    body = {"test_id": test_id, **said.model_dump(mode="json")}
    Session.of(context).show(body, f"{test_id}: expected as {said.by} says, from now on")


def finder(settings: Settings) -> tuple[Find, Sequence[Entity], Mapping[str, object]]:
    """The configured search with the risk as the front gate hears it; what it searches; pins."""
    from handrail.adapters.re2 import Re2Engine
    from handrail.bootstrap import build_embedder, build_second
    from handrail.bootstrap.guide import build_catalogue, build_entities, build_search
    from handrail.domain.trace import Tracer
    from handrail.rails.crisis import TwoReaders
    from handrail.screening import build_screen

    embedder, screen = build_embedder(settings), build_screen()
    live = build_catalogue(settings, embedder, Re2Engine(), build_entities(settings))
    search = build_search(settings, embedder, live)
    second = settings.crisis.second_reader
    check = TwoReaders(screen, build_second(screen, embedder)).check if second else screen.check

    def find(prompt: str, state: Mapping[str, object], chat_type: ChatType | None) -> Found:
        return search.find(
            prompt, state, risk=check(prompt), tracer=Tracer("eval"), chat_type=chat_type
        )

    catalogue = live()
    return find, catalogue.entities, {"catalogue": catalogue.sha256, "merge": settings.guide.merge}


def _check_calibration(calibrate: bool, bank: Path | None, by: str) -> None:
    from handrail.errors import InvalidInput

    if calibrate and (bank is None or not by.strip()):
        raise InvalidInput("--calibrate writes to a bank of yours: give --bank FILE and --by NAME")


def _calibrate(card: GuideCard, bank: Path, by: str) -> None:
    from handrail.evals.guide.ledger import append, calibration

    entries = calibration(card.results, by=by, at=datetime.now(UTC))
    if entries:
        append(bank, entries)
    named = ", ".join(entries) or "none lost points that it may change"
    say(f"calibrated {len(entries)} tests: {named}")


def _write(report: Path, page: str) -> None:
    from handrail.errors import InvalidInput

    try:
        report.write_text(page, encoding="utf-8")
    except OSError as error:
        raise InvalidInput(
            f"the report cannot be written to {str(report)!r}: {error.strerror}. Give another file"
        ) from error
    say(f"report written to {str(report)!r}")


def _standing(bank: Path, test_id: str) -> Expectation:
    from handrail.errors import NotFound
    from handrail.evals.guide.bank import read_guide

    row = next((row for row in read_guide(bank) if row.id == test_id), None)
    if row is None:
        raise NotFound(f"{bank.name!r} has no test {test_id!r}. Look at its test_id fields")
    return row.expectation


def _ids(given: Sequence[str] | None) -> tuple[str, ...] | None:
    """What was typed: nothing, the word that empties, or ids."""
    if not given:
        return None
    return tuple(name for name in given if name != NOBODY)


def _changed(standing: Expectation, **given: tuple[str, ...] | None) -> Expectation:
    """What is in force with what was typed in its place."""
    values = standing.model_dump() | {name: ids for name, ids in given.items() if ids is not None}
    primary = values["expected_primary"]
    if isinstance(primary, tuple):
        values["expected_primary"] = primary[0] if primary else None
    return type(standing)(**values)


def _tell_unknown(expected: Expectation) -> None:
    from handrail.content.entities import packaged_entities

    known = {entity.entity_id for entity in packaged_entities()}
    for name in (*expected.wanted, *expected.unwanted):
        if name not in known:
            say(f"look at {name!r}: no packaged entity has this id")


COMMANDS: Mapping[str, Callable[..., object]] = {"guide": guide, "guide-expect": expect}
