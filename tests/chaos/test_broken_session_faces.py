"""Sessions whose store is broken, over HTTP and the command line: people to turn to (A63, C67)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from board import GIVES, RAISES
from loopback import SECONDS, Face, over_http
from session_board import ID, IN_A_TURN, SAID, Stage, stage
from typer.testing import CliRunner

from handrail import bootstrap
from handrail.cli import app
from hostile_property import DANGER, planted
from invented_corpus import INVENTED

pytestmark = pytest.mark.sockets

FAULTS = {"runtime": RAISES["runtime"], "cancelled": RAISES["cancelled"], "text": GIVES["text"]}
CELLS = [(place, fault) for place in IN_A_TURN for fault in (*FAULTS, "hang")]
STATUS = {
    "store-failed": 503,
    "timed-out": 503,
    "session-unreadable": 409,
    "session-conflict": 409,
}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Stage:
    return stage(tmp_path_factory.mktemp("chaos"), with_model=False)


@pytest.fixture(scope="module")
def face(made: Stage) -> Iterator[Face]:
    with over_http(made.engine, collection=INVENTED) as face:
        yield face


def fault_of(made: Stage, name: str) -> Any:
    return made.board.hang if name == "hang" else FAULTS[name]


def post(face: Face, number: int, *, text: str = "", accept: str = "*/*") -> httpx.Response:
    """What /chat replies to a message of the session."""
    body = {"message": text or SAID[number], "session_id": ID, "message_id": f"message-{number}"}
    return httpx.post(f"{face.url}/chat", json=body, headers={"Accept": accept}, timeout=SECONDS)


def check(status: int, body: dict[str, Any]) -> None:
    """A turn, or a problem with a code and people to turn to."""
    assert not planted(json.dumps(body))
    if status != 200:
        assert STATUS[body["code"]] == status
        assert body["resources"]


@pytest.mark.parametrize(("place", "fault"), CELLS)
def test_a63_c67_a_broken_store_over_http(made: Stage, face: Face, place: str, fault: str) -> None:
    made.begin()
    first = post(face, 0)
    with made.board.broken(**{place: fault_of(made, fault)}):
        broken = [post(face, 1), post(face, 2, text=DANGER)]
        assert face.get("/health").status_code == 200
    for reply in broken:
        check(reply.status_code, reply.json())
    after = post(face, 2, text=DANGER)
    assert (first.status_code, after.status_code) == (200, 200)
    assert after.json()["outcome"] == "safety"
    stands = broken[1].status_code == 200 and fault != "text"
    assert after.json() == broken[1].json() or not stands


@pytest.mark.parametrize(("place", "fault"), [c for c in CELLS if c[1] in ("runtime", "hang")])
def test_a63_c67_a_broken_store_in_a_stream(
    made: Stage, face: Face, place: str, fault: str
) -> None:
    made.begin()
    with made.board.broken(**{place: fault_of(made, fault)}):
        reply = post(face, 0, text=DANGER, accept="text/event-stream")
    assert not planted(reply.text)
    if reply.status_code != 200:
        check(reply.status_code, reply.json())
    else:
        assert "event: done" in reply.text or '"resources"' in reply.text


@pytest.mark.parametrize(("place", "fault"), CELLS)
def test_a63_c67_a_broken_store_over_the_command_line(made: Stage, place: str, fault: str) -> None:
    made.begin()
    with (
        made.board.broken(**{place: fault_of(made, fault)}),
        pytest.MonkeyPatch.context() as patch,
    ):
        patch.setattr(bootstrap, "build_engine", lambda *_args, **_more: made.engine)
        done = CliRunner().invoke(app, ["--json", "chat", DANGER, "--session", ID])
    assert done.exit_code in range(5)
    assert "Traceback" not in done.stderr
    assert not planted(done.stderr)
    body = json.loads(done.stdout)
    assert not planted(done.stdout)
    assert body["resources"]
    assert body.get("outcome") == "safety" or body["code"] in STATUS
