"""Whatever part breaks, hangs or gives nonsense: a typed end, people to turn to, no text."""

from __future__ import annotations

import inspect
import json
import traceback
from collections.abc import Iterator
from typing import Any

import pytest
from board import GIVES, PLACES, RAISES, STEPS, Rig, rig
from guide_board import GUIDE_STEPS
from session_board import SESSION_STEPS

from handrail import ports
from handrail.domain.outcome import Abstention, Answer, Outcome, Reason, Refusal, SafetyResponse
from handrail.engine import Engine
from handrail.errors import HandrailError
from handrail.wire import coach_body
from hostile_property import DANGER, MESSAGES, PASSING, body_faults, names_only, planted
from invented_corpus import EXAM, INVENTED

MILD = MESSAGES[2]
AT_THE_DOOR = {"CrisisScreen__check", "PatternSet__scan"}  # without them nothing is let through


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Rig:
    made = rig(tmp_path_factory.mktemp("chaos"))
    assert isinstance(made.engine.coach_now(EXAM, collection=INVENTED), Answer)
    assert isinstance(made.engine.coach_now(DANGER, collection=INVENTED), SafetyResponse)
    return made


def ending(engine: Engine, message: str, **options: Any) -> Outcome | HandrailError:
    """How a message ends; whatever else is raised fails the test."""
    try:
        return engine.coach_now(message, collection=INVENTED, **options)
    except HandrailError as error:
        return error


def check(made: Rig, end: Outcome | HandrailError, message: str) -> None:
    """What holds for every end, looked up with every part whole again."""
    log = made.log.getvalue()
    made.log.seek(0)
    made.log.truncate()
    assert not planted(log)
    if isinstance(end, HandrailError):
        assert end.code not in ("error", "usage")
        assert not planted("".join(traceback.format_exception(end)))
        return
    assert isinstance(end, Answer | Abstention | Refusal | SafetyResponse)
    body = json.loads(coach_body(end).model_dump_json())
    assert list(body_faults(made.engine, body, message, replay=False)) == []
    assert names_only({key: body[key] for key in PASSING & body.keys()}) == []


def calls_of(made: Rig) -> int:
    return len(made.model.requests)


CONFIGURED = {"ChatModel__name"}  # a constant of the settings: it may raise, and is what it is
ON_THE_LOOP = {"Twin__decide", "Plainness__details", "ChatModel__name"}  # pure, and ours: see docs
CELLS = [
    (place, fault)
    for place in PLACES
    for fault in (*RAISES, *(() if place in CONFIGURED else GIVES))
]


@pytest.mark.parametrize(("place", "fault"), CELLS)
def test_a_part_that_breaks_or_gives_nonsense(made: Rig, place: str, fault: str) -> None:
    with made.board.broken(**{place: {**RAISES, **GIVES}[fault]}):
        end = ending(made.engine, EXAM)
        before = calls_of(made)
        danger = ending(made.engine, DANGER)
        assert calls_of(made) == before
    check(made, end, EXAM)
    check(made, danger, DANGER)
    assert isinstance(danger, SafetyResponse) or (
        place in AT_THE_DOOR and isinstance(danger, Abstention)
    )


@pytest.mark.parametrize("place", [p for p in PLACES if p not in ON_THE_LOOP])
def test_a_part_that_hangs(made: Rig, place: str) -> None:
    with made.board.broken(**{place: made.board.hang}):
        end = ending(made.engine, EXAM)
        met = made.board.met
    check(made, end, EXAM)
    assert isinstance(end, Outcome)
    if met and place not in HARMLESS_WHEN_LATE:
        assert end.reason in (Reason.PART_FAILED, Reason.RAIL_FAILED)


HARMLESS_WHEN_LATE = {"ChatModel__complete", "ChatModel__close", "Observer__observed"}


def test_danger_is_answered_while_everything_behind_it_hangs(made: Rig) -> None:
    behind = [p for p in PLACES if p.partition("__")[0] not in ("CrisisScreen", "PatternSet")]
    skipped = ("Helplines", "InjectionGuard")
    faults = {place: made.board.hang for place in behind if not place.startswith(skipped)}
    with made.board.broken(**faults):
        end = ending(made.engine, DANGER)
    assert isinstance(end, SafetyResponse)
    check(made, end, DANGER)


@pytest.mark.parametrize("fault", RAISES)
@pytest.mark.parametrize("country", [None, "US"])
def test_index_model_embedder_helplines_and_log_all_at_once(
    made: Rig, fault: str, country: str | None
) -> None:
    gone = ("Embedder__read", "VectorIndex__search", "LexicalIndex__search", "ChatModel__complete")
    places = (*gone, "Observer__observed", "Helplines__resources", "Helplines__stated")
    with made.board.broken(**dict.fromkeys(places, RAISES[fault])):
        ends = {m: ending(made.engine, m, country=country) for m in (EXAM, MILD, DANGER)}
    assert isinstance(ends[DANGER], SafetyResponse)
    for message, end in ends.items():
        check(made, end, message)
    assert all(isinstance(end, HandrailError) or end.resources for end in ends.values())


def test_a_fault_is_over_when_it_is_over(made: Rig) -> None:
    whole = made.engine.coach_now(EXAM, collection=INVENTED).receipt
    for place in ("CaseSearch__search", "EvidenceGate__judge", "Twin__decide", "Embedder__read"):
        with made.board.broken(**{place: RAISES["runtime"]}):
            ending(made.engine, EXAM)
        assert made.engine.coach_now(EXAM, collection=INVENTED).receipt == whole


def met(made: Rig, place: str) -> bool:
    with made.board.broken(**{place: RAISES["runtime"]}):
        ending(made.engine, EXAM)
        return made.board.met > 0


NOT_ON_THE_WAY = {  # asked when a collection is opened, or where there is no other way
    *("Embedder__embed_query", "Embedder__name", "Embedder__fingerprint", "Embedder__dim"),
    *("CaseStore__by_id", "CoachContent__piece", "Twin__decide", "Plainness__details"),
    *("CaseStore__case", "Handoff__referred"),
}


def test_every_place_is_on_the_way_of_a_message(made: Rig) -> None:
    """A fault that nobody meets shows nothing."""
    assert {place for place in PLACES if not met(made, place)} <= NOT_ON_THE_WAY


SEARCHED = ("Embedder__read", "VectorIndex__search", "LexicalIndex__search", "CaseSearch__search")


def searched(made: Rig) -> HandrailError | None:
    try:
        made.engine.search(EXAM, collection=INVENTED)
    except HandrailError as error:
        return error
    return None


@pytest.mark.parametrize("fault", [*RAISES, *GIVES])
@pytest.mark.parametrize("place", SEARCHED)
def test_a_search_ends_typed(made: Rig, place: str, fault: str) -> None:
    with made.board.broken(**{place: {**RAISES, **GIVES}[fault]}):
        error = searched(made)
    assert error is None or error.code in ("search-failed", "model-failed")
    assert error is None or not planted("".join(traceback.format_exception(error)))
    assert error is not None or fault == "nothing"  # no hit is a finding too


@pytest.mark.parametrize("place", SEARCHED)
def test_a_search_that_hangs_is_given_up(made: Rig, place: str) -> None:
    with made.board.broken(**{place: made.board.hang}), pytest.raises(HandrailError) as caught:
        made.engine.search(EXAM, collection=INVENTED)
    assert caught.value.code == "timed-out"


# Ports that are asked while an index is written or opened: see test_broken_disk.
AT_THE_INDEX = {
    "VectorFormat": ("write", "read"),
    "LexicalFormat": ("write", "read"),
    "Tables": ("write", "read", "rows"),
    "PatternEngine": ("compile",),
    "VectorBuilder": ("build",),
    "Embedder": ("embed_documents",),
    "TokenEmbedder": ("token_dim", "pieces"),
}


def members(port: type) -> Iterator[str]:
    for name, member in vars(port).items():
        if not name.startswith("_") and (
            inspect.isfunction(member) or isinstance(member, property)
        ):
            yield name


def all_ports() -> list[type]:
    named = (getattr(ports, name) for name in dir(ports))
    return [p for p in named if inspect.isclass(p) and getattr(p, "_is_protocol", False)]


def test_every_port_has_its_faults_in_the_table() -> None:
    table = {**AT_THE_INDEX, **GUIDE_STEPS, **STEPS, **SESSION_STEPS}
    table["Embedder"] = (*STEPS["Embedder"], *AT_THE_INDEX["Embedder"])
    covered = {(part, method) for part, methods in table.items() for method in methods}
    covered |= {("TokenEmbedder", method) for method in STEPS["Embedder"]}
    wanted = {(p.__name__, m) for p in all_ports() if p.__name__ != "Protocol" for m in members(p)}
    assert len(wanted) > 25
    assert wanted - covered == set()
