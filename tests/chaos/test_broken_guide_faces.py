"""Parts of the guide that break or hang, over HTTP: people to turn to, and no stack trace."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from board import GIVES, RAISES
from guide_board import GuideStage, guide_stage
from loopback import SECONDS, over_http

from guide_mixes import CRISIS
from guide_sample import LATE
from hostile_property import DANGER, planted

pytestmark = pytest.mark.sockets

PLACES = (
    *("EntityStore__revision", "EntityStore__entities", "EntityStore__get", "Embedder__read"),
    *("ChatModel__complete", "CrisisScreen__check", "SecondReader__over", "PatternSet__scan"),
    *("GuideSearch__prepare", "GuideSearch__finish", "GuideLines__fragments"),
)
FAULTS = {"runtime": RAISES["runtime"], "text": GIVES["text"]}
NONSENSE = ("EntityStore__entities", "EntityStore__get", "CrisisScreen__check")
HANGING = ("EntityStore__revision", "Embedder__read", "PatternSet__scan")
CELLS = [
    *((place, "runtime") for place in PLACES),
    *((place, "text") for place in NONSENSE),
    *((place, "hang") for place in HANGING),
]
AT_THE_DOOR = {"CrisisScreen__check", "PatternSet__scan"}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> GuideStage:
    made = guide_stage(tmp_path_factory.mktemp("chaos"))
    made.say(LATE)
    assert made.engine.sessions  # which the server builds at its start, and the guide waits for
    return made


@pytest.fixture(scope="module")
def face(made: GuideStage) -> Iterator[httpx.Client]:
    with (
        over_http(made.engine, collection="absent", ready=False) as face,
        httpx.Client(base_url=face.url, timeout=SECONDS) as client,
    ):
        yield client


def post(face: httpx.Client, path: str, message: str) -> httpx.Response:
    """What the guide replies."""
    return face.post(path, json={"message": message})


def told(reply: httpx.Response) -> dict[str, Any]:
    """The reply, which is one, or a problem with a code and people to turn to."""
    assert not planted(reply.text)
    assert "Traceback" not in reply.text
    body: dict[str, Any] = reply.json()
    assert reply.status_code == 200 or body["code"] in ("store-failed", "timed-out"), body
    return body


@pytest.mark.parametrize(("place", "fault"), CELLS)
def test_h30_c67_a_broken_guide_over_http(
    made: GuideStage, face: httpx.Client, place: str, fault: str
) -> None:
    made.mend(anew=place == "EntityStore__entities")
    broken = made.board.hang if fault == "hang" else FAULTS[fault]
    with made.board.broken(**{place: broken}):
        reply, danger = (told(post(face, "/guide", message)) for message in (LATE, DANGER))
        assert face.get("/health").status_code == 200
    made.mend()
    for body in (reply, danger):
        assert body["resources"]
        assert body.get("outcome") != "answer" or made.engine.verify(body).ok
    if place in AT_THE_DOOR:
        assert danger["outcome"] in ("safety", "abstention")
    else:
        assert danger["outcome"] == "safety"
        assert fault == "hang" or danger["entities"][0]["entity_id"] == CRISIS
    assert not planted(made.written())


@pytest.mark.parametrize("place", PLACES)
def test_h26_c67_a_broken_search_alone_over_http(
    made: GuideStage, face: httpx.Client, place: str
) -> None:
    made.mend(anew=place == "EntityStore__entities")
    with made.board.broken(**{place: RAISES["runtime"]}):
        for message in (LATE, DANGER):
            reply = post(face, "/guide/retrieve", message)
            assert not planted(reply.text)
            assert reply.status_code == 200 or reply.json()["resources"]
    made.mend()
    final = post(face, "/guide/retrieve", DANGER).json()["final"]
    assert final[0]["entity_id"] == CRISIS
