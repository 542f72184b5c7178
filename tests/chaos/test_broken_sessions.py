"""Whatever keeps sessions breaks, hangs or gives nonsense: a typed end, and no turn lost (A63)."""

from __future__ import annotations

import json
import traceback

import pytest
from board import GIVES, RAISES
from session_board import BESIDE, ID, IN_A_TURN, SAID, SESSION_PLACES, Stage, stage

from handrail.errors import HandrailError, StoreFailed
from hostile_property import DANGER, planted

COSTS_NOTHING = ("SessionStore__purge", "Hold__exit", "EventLog__append")
# The limit of a turn is short here, and a busy machine may run into it.
CODES = ("store-failed", "session-unreadable", "session-conflict", "timed-out")
CELLS = [(place, fault) for place in IN_A_TURN for fault in (*RAISES, *GIVES)]


@pytest.fixture(scope="module", params=[False, True], ids=["alone", "with a model"])
def made(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Stage:
    return stage(tmp_path_factory.mktemp("chaos"), with_model=request.param)


@pytest.fixture(scope="module")
def whole(made: Stage) -> list[str]:
    """The records when nothing is broken."""
    made.begin()
    return [made.turn(number) for number in range(len(SAID))]


def ending(made: Stage, number: int, *, text: str = "") -> str | HandrailError:
    """How a turn ends; whatever else is raised fails the test."""
    try:
        return made.turn(number, text=text)
    except HandrailError as error:
        end = error
    assert not planted("".join(traceback.format_exception(end)))
    return end


@pytest.mark.parametrize(("place", "fault"), CELLS)
def test_a63_a_part_that_breaks_or_gives_nonsense(
    made: Stage, whole: list[str], place: str, fault: str
) -> None:
    made.begin()
    made.turn(0)
    with made.board.broken(**{place: {**RAISES, **GIVES}[fault]}):
        end = ending(made, 1)
    if place in COSTS_NOTHING:
        assert end == whole[1]
    elif fault in RAISES:
        assert isinstance(end, HandrailError)
    if isinstance(end, HandrailError):
        assert end.code in CODES
    assert [made.turn(1), made.turn(2)] == whole[1:]


@pytest.mark.parametrize("place", IN_A_TURN)
def test_a63_a_part_that_hangs(made: Stage, whole: list[str], place: str) -> None:
    made.begin()
    made.turn(0)
    with made.board.broken(**{place: made.board.hang}):
        end = ending(made, 1)
    if place == "EventLog__append":
        assert end == whole[1]
    else:
        assert isinstance(end, HandrailError)
        assert end.code == "timed-out"
    assert [made.turn(1), made.turn(2)] == whole[1:]


@pytest.mark.parametrize("fault", [*RAISES, "hang"])
@pytest.mark.parametrize("place", IN_A_TURN)
def test_a54_danger_never_reaches_a_model_whatever_is_broken(
    made: Stage, place: str, fault: str
) -> None:
    made.begin()
    before = len(made.model.requests)
    with made.board.broken(**{place: {**RAISES, "hang": made.board.hang}[fault]}):
        end = ending(made, 0, text=DANGER)
    assert len(made.model.requests) == before
    assert isinstance(end, HandrailError) or json.loads(end)["outcome"] == "safety"
    assert json.loads(made.turn(0, text=DANGER))["outcome"] == "safety"


def test_every_place_is_on_the_way_of_a_turn(made: Stage) -> None:
    """A fault that nobody meets shows nothing."""
    met = set()
    for place in SESSION_PLACES:
        made.begin()
        made.turn(0)
        with made.board.broken(**{place: RAISES["runtime"]}):
            ending(made, 1)
            if made.board.met:
                met.add(place)
    assert met == set(SESSION_PLACES) - BESIDE


@pytest.mark.parametrize("fault", [*RAISES])
def test_a63_a_session_that_cannot_be_forgotten_is_told_of(made: Stage, fault: str) -> None:
    made.begin()
    made.turn(0)
    broken = made.board.broken(SessionStore__delete=RAISES[fault])
    with broken, pytest.raises(StoreFailed) as caught:
        made.begin()
    assert not planted("".join(traceback.format_exception(caught.value)))
    assert made.engine.sessions.delete(ID)
