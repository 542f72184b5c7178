"""Whatever part of the guide breaks, hangs or gives nonsense: a typed end, people to turn to."""

from __future__ import annotations

import traceback
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from board import GIVES, RAISES
from guide_board import GUIDE_PLACES, GuideStage, guide_stage

from guide_mixes import CRISIS
from guide_sample import LATE
from handrail.domain.outcome import FAULTS, Abstention, Answer, Refusal, SafetyResponse
from handrail.domain.reply import Layout, Vetted
from handrail.errors import HandrailError
from handrail.flows.guide.flow import Guided
from handrail.wire.guide import guide_body
from hostile_property import DANGER, planted

FAULTY = {
    **{name: RAISES[name] for name in ("runtime", "cancelled", "stop")},
    **{name: GIVES[name] for name in ("none", "text")},
}
BESIDE = {"EntityStore__put", "EntityStore__delete", "EntityStore__history"}  # editors ask them
IN_A_MESSAGE = [place for place in GUIDE_PLACES if place not in BESIDE]
AT_THE_DOOR = {"CrisisScreen__check", "PatternSet__scan"}  # without them nothing is let through
CONFIGURED = {"ChatModel__name"}  # a constant of the settings: it may raise, and is what it is
NAMES = {"GuideLines__pick"}  # gives an id, which an error may name
PURE = {"Signals__hear"}  # says which entities a danger pins; nothing pins any without
CELLS = [
    (place, fault)
    for place in IN_A_MESSAGE
    for fault in FAULTY
    if fault in RAISES or place not in CONFIGURED | NAMES
]


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> GuideStage:
    made = guide_stage(tmp_path_factory.mktemp("chaos"))
    assert isinstance(made.say(LATE).outcome, Answer)
    assert isinstance(made.say(DANGER).outcome, SafetyResponse)
    assert made.model.requests
    return made


@pytest.fixture
def made(stage: GuideStage) -> Iterator[GuideStage]:
    stage.mend()
    yield stage
    stage.mend()


def ending(made: GuideStage, message: str) -> Guided | HandrailError:
    """How a message ends; whatever else is raised fails the test."""
    try:
        return made.say(message)
    except HandrailError as error:
        return error


def check(made: GuideStage, end: Guided | HandrailError) -> None:
    """What holds for every end, looked up with every part whole again."""
    made.mend()
    assert not planted(made.written())
    if isinstance(end, HandrailError):
        assert end.code not in ("error", "usage")
        assert not planted("".join(traceback.format_exception(end)))
        return
    assert isinstance(end.outcome, Answer | Abstention | Refusal | SafetyResponse)
    assert end.outcome.resources
    kinds = {type(fragment.provenance) for fragment in end.outcome.fragments}
    assert kinds <= {Vetted, Layout}
    body = guide_body(end)
    assert not planted(body.model_dump_json())
    assert made.engine.verify(body.model_dump(mode="json")).ok


@pytest.mark.parametrize(("place", "fault"), CELLS)
def test_h30_a_part_that_breaks_or_gives_nonsense(made: GuideStage, place: str, fault: str) -> None:
    made.mend(anew=place == "EntityStore__entities")
    with made.board.broken(**{place: FAULTY[fault]}):
        end = ending(made, LATE)
        before = len(made.model.requests)
        danger = ending(made, DANGER)
        assert len(made.model.requests) == before
    check(made, end)
    check(made, danger)
    assert isinstance(danger, Guided)
    if place in AT_THE_DOOR:
        assert isinstance(danger.outcome, SafetyResponse | Abstention)
    else:
        assert isinstance(danger.outcome, SafetyResponse)
        assert place in PURE or (danger.found is not None and CRISIS in danger.found.ids)


HANGING = (
    *("EntityStore__revision", "EntityStore__entities", "EntityStore__get", "Embedder__read"),
    *("CrisisScreen__check", "SecondReader__over", "PatternSet__scan", "GuideSearch__prepare"),
    "ChatModel__complete",
)
HARMLESS_WHEN_LATE = {"ChatModel__complete"}


@pytest.mark.parametrize("place", HANGING)
def test_h30_a_part_that_hangs(made: GuideStage, place: str) -> None:
    made.mend(anew=place == "EntityStore__entities")
    with made.board.broken(**{place: made.board.hang}):
        end = ending(made, LATE)
        assert made.board.met
    check(made, end)
    assert isinstance(end, Guided)
    if place not in HARMLESS_WHEN_LATE:
        assert isinstance(end.outcome, Abstention)
        assert end.outcome.reason in FAULTS


def test_h30_danger_is_answered_while_everything_behind_it_hangs(made: GuideStage) -> None:
    behind = [place for place in HANGING if place not in AT_THE_DOOR]
    with made.board.broken(**dict.fromkeys(behind, made.board.hang)):
        end = ending(made, DANGER)
    assert isinstance(end, Guided)
    assert isinstance(end.outcome, SafetyResponse)
    check(made, end)


def test_h30_while_one_waits_for_a_store_that_hangs_others_are_answered(made: GuideStage) -> None:
    with made.board.broken(EntityStore__revision=made.board.hang), ThreadPoolExecutor(1) as first:
        waiting = first.submit(made.live)
        ends = [ending(made, message) for message in (LATE, DANGER)]
        made.board.freed.set()
        assert waiting.result(5) is made.standing
    assert [type(end.outcome) for end in ends if isinstance(end, Guided)] == [
        Answer,
        SafetyResponse,
    ]
    assert isinstance(ends[1], Guided)
    assert ends[1].found is not None
    assert CRISIS in ends[1].found.ids


@pytest.mark.parametrize("fault", FAULTY)
def test_h30_store_embedder_model_and_log_all_at_once(made: GuideStage, fault: str) -> None:
    gone = ("EntityStore__revision", "EntityStore__entities", "EntityStore__get", "Embedder__read")
    places = (*gone, "SecondReader__over", "ChatModel__complete", "Observer__observed")
    with made.board.broken(**dict.fromkeys(places, FAULTY[fault])):
        ends = [ending(made, message) for message in (LATE, DANGER)]
    for end in ends:
        check(made, end)
    assert isinstance(ends[1], Guided)
    assert isinstance(ends[1].outcome, SafetyResponse)


def test_a_fault_is_over_when_it_is_over(made: GuideStage) -> None:
    whole = made.say(LATE).outcome.receipt
    for place in ("EntityStore__entities", "GuideSearch__prepare", "Embedder__read"):
        made.mend(anew=True)
        with made.board.broken(**{place: RAISES["runtime"]}):
            ending(made, LATE)
        assert made.say(LATE).outcome.receipt == whole


def met(made: GuideStage, place: str) -> bool:
    made.mend(anew=True)
    with made.board.broken(**{place: RAISES["runtime"]}):
        ending(made, LATE)
        ending(made, DANGER)
        return made.board.met > 0


def test_every_place_is_on_the_way_of_a_message(made: GuideStage) -> None:
    """A fault that nobody meets shows nothing."""
    assert {place for place in GUIDE_PLACES if not met(made, place)} == BESIDE
