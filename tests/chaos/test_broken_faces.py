"""The same broken parts over HTTP, on a real socket, and over the command line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from board import GIVES, PLACES, RAISES, SECONDS, STEPS, Rig, rig
from loopback import Face, over_http
from typer.testing import CliRunner

from handrail import bootstrap
from handrail.calls import lane
from handrail.cli import app
from hostile_property import DANGER, PASSING, body_faults, names_only, planted
from invented_corpus import EXAM, INVENTED

pytestmark = pytest.mark.sockets

WAIT = 8 * SECONDS + 4  # more than any reply may take, on a busy machine
FAULTS = {"runtime": RAISES["runtime"], "cancelled": RAISES["cancelled"], "none": GIVES["none"]}
# Every place in every way is broken in test_broken_parts. A face hears of each place once, and of
# one place a part in the other ways: what differs there is how the end of a part is passed on.
FIRST = [f"{part}__{methods[0]}" for part, methods in STEPS.items()]
CELLS = [
    *((place, "runtime") for place in PLACES),
    *((place, fault) for place in FIRST for fault in FAULTS if fault != "runtime"),
]
HANGS = ("Embedder__read", "CaseStore__case", "ChatModel__complete", "Observer__observed")
EXITS = range(5)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Rig:
    return rig(tmp_path_factory.mktemp("chaos"))


@pytest.fixture(scope="module")
def face(made: Rig) -> Iterator[Face]:
    with over_http(made.engine) as face:
        yield face


def check(made: Rig, status: int, body: dict[str, Any], message: str) -> None:
    """An outcome that holds, or a problem with a code; people to turn to in both."""
    assert not planted(json.dumps(body))
    assert body["resources"]
    if "outcome" not in body:
        assert status in (500, 503)
        assert body["code"] not in ("internal-error", "error", "usage")
        return
    assert status == 200
    assert list(body_faults(made.engine, body, message, replay=False)) == []
    assert names_only({key: body[key] for key in PASSING & body.keys()}) == []


@pytest.mark.parametrize(("place", "fault"), CELLS)
def test_a_broken_part_over_http(made: Rig, face: Face, place: str, fault: str) -> None:
    with made.board.broken(**{place: FAULTS[fault]}):
        replies = {message: face.coach(message) for message in (EXAM, DANGER)}
        assert face.get("/health").status_code == 200
    for message, reply in replies.items():
        check(made, reply.status_code, reply.json(), message)
    at_the_door = place in ("CrisisScreen__check", "PatternSet__scan")
    assert replies[DANGER].json()["outcome"] == "safety" or at_the_door
    assert not planted(made.log.getvalue())


@pytest.mark.parametrize("place", HANGS)
def test_a_part_that_hangs_keeps_nobody_waiting_over_http(
    made: Rig, face: Face, place: str
) -> None:
    """More messages than there are workers; danger is answered beside them, and at once."""
    with made.board.broken(**{place: made.board.hang}):
        for _ in range(3):
            reply = face.coach(EXAM)
            check(made, reply.status_code, reply.json(), EXAM)
        danger = face.coach(DANGER)
        assert danger.elapsed.total_seconds() < WAIT
    check(made, danger.status_code, danger.json(), DANGER)
    assert danger.json()["outcome"] == "safety"
    assert face.coach(EXAM).json()["outcome"] == "answer"


def test_the_server_ends_though_work_hangs(made: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    """Within the time that it gives to running work, here a second for five."""
    monkeypatch.setattr(lane, "CLOSE_SECONDS", 1.0)
    with made.board.broken(CaseSearch__search=made.board.hang), over_http(made.engine) as face:
        assert face.coach(EXAM).json()["reason"] == "part-failed"


def test_c22_danger_is_answered_while_no_index_can_be_opened(
    made: Rig, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """C23, C51: others are told to come back; nobody in danger is."""
    with over_http(made.engine, collection="nowhere", ready=False) as face:
        told, danger = face.coach(EXAM), face.coach(DANGER)
    assert (told.status_code, told.json()["code"]) in ((404, "not-found"), (503, "index-not-ready"))
    assert told.json()["resources"]
    assert (danger.status_code, danger.json()["outcome"]) == (200, "safety")


@dataclass(frozen=True)
class Ran:
    """How a command ended."""

    code: int
    out: str
    err: str


def typed(made: Rig, message: str) -> Ran:
    """``handrail coach`` over the broken engine."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bootstrap, "build_engine", lambda *_args, **_more: made.engine)
        done = CliRunner().invoke(
            app, ["--json", "--trace", "coach", message, "--collection", INVENTED]
        )
    return Ran(done.exit_code, done.stdout, done.stderr)


@pytest.mark.parametrize(("place", "fault"), CELLS)
def test_a_broken_part_over_the_command_line(made: Rig, place: str, fault: str) -> None:
    with made.board.broken(**{place: FAULTS[fault]}):
        ran = {message: typed(made, message) for message in (EXAM, DANGER)}
    for message, done in ran.items():
        body = json.loads(done.out)
        assert done.code in EXITS
        assert not planted(done.err)
        assert "Traceback" not in done.err
        check(made, 200 if "outcome" in body else 500, body, message)


@pytest.mark.parametrize("place", ["VectorIndex__search", "ChatModel__complete"])
def test_a_part_that_hangs_ends_the_command(made: Rig, place: str) -> None:
    with made.board.broken(**{place: made.board.hang}):
        done = typed(made, EXAM)
    assert done.code in (0, 3)
    check(made, 200, json.loads(done.out), EXAM)
