"""Killed at any event of any turn, a session goes on as if nothing had been (A63, A56).

A process takes a turn and kills itself with SIGKILL; another one, with other hashes of text, gets
the same message under the same id. The records must be those of a session that nobody killed.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from killed_turns import SESSION
from turn_processes import (
    DANGER,
    KILLED,
    NORMAL,
    WRITTEN,
    Forks,
    Place,
    Script,
    forks,
    undisturbed,
)

from handrail.adapters.sqlite import SqliteEvents, SqliteSessions

UNCOMMITTED = (
    "held#1",
    "load ends#1",
    "screen ends#1",
    "understand ends#1",
    "compose ends#1",
    "gate ends#1",
    "save begins#1",
    "after seal#1",
    "writing begins",
    "written, not committed",
)
COMMITTED = (
    "committed#1",
    "after save#1",
    "after append#1",
    "let go#1",
    "before the reply#1",
    "after the reply#1",
)
BOUNDARIES = (*UNCOMMITTED, *COMMITTED)
"""Where every turn of a session is killed."""

STEPS = {"writing begins": 0, "written, not committed": -1}
"""Which of the steps that SQLite takes in its write; the last one commits."""

MOMENTS = 16
"""How many turns are killed at a time, and not at an event."""


@dataclass(frozen=True)
class Pair:
    """The process whose children are killed, and the one whose children go on."""

    killed: Forks
    following: Forks

    def record(self, place: Place, number: int, **kill: Any) -> str:
        """The record of a turn that was killed and sent again; no other one went out before."""
        said = [place.script.said[number]]
        assert self.killed.do(**place.job(said, **kill)) == KILLED
        before = place.replies
        assert self.following.do(**place.job(said)) == 0
        (record,) = place.replies
        assert before in ([], [record])
        return record


@pytest.fixture(scope="module")
def pair(engine_home: Path) -> Iterator[Pair]:
    with forks(engine_home, seed=1) as killed, forks(engine_home, seed=2) as following:
        yield Pair(killed, following)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("whole")


@pytest.fixture(scope="module")
def whole(pair: Pair, folder: Path) -> list[str]:
    """The records of the normal session, undisturbed."""
    return undisturbed(pair.following, folder, NORMAL)


@pytest.fixture(scope="module")
def beats(pair: Pair, folder: Path, whole: list[str]) -> list[list[str]]:
    """The events of each of its turns, when nobody is killed."""
    place = at_sqlite(folder)
    found = []
    for said in NORMAL.said:
        assert pair.killed.do(**place.job([said])) == 0
        found.append(place.beats)
    return found


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return at_sqlite(tmp_path)


def at_sqlite(folder: Path, script: Script = NORMAL) -> Place:
    return Place("sqlite", str(folder / "sessions"), folder, script)


def version(place: Place) -> int:
    """How often the session was written."""
    stored = SqliteSessions(Path(place.place)).load(SESSION, now=time.time())
    return stored.version if stored else 0


def event(boundary: str, met: list[str]) -> str:
    """The event of a boundary in a turn with these events."""
    steps = [beat for beat in met if beat.startswith("writing#")]
    return steps[STEPS[boundary]] if boundary in STEPS else boundary


@pytest.mark.parametrize("boundary", BOUNDARIES)
def test_a63_every_turn_killed_at_this_event_is_the_turn_that_would_have_been(
    pair: Pair, place: Place, whole: list[str], beats: list[list[str]], boundary: str
) -> None:
    for number, met in enumerate(beats):
        said = [NORMAL.said[number]]
        assert pair.killed.do(**place.job(said, fatal=event(boundary, met))) == KILLED
        assert place.replies == ([whole[number]] if boundary == "after the reply#1" else [])
        assert version(place) == number + (boundary in COMMITTED)
        assert pair.following.do(**place.job(said)) == 0
        assert place.replies == [whole[number]]
        assert version(place) == number + 1


def test_a63_every_other_event_is_met_in_some_turn_and_leaves_no_mark(
    pair: Pair, tmp_path: Path, whole: list[str], beats: list[list[str]]
) -> None:
    """Also each step that SQLite takes within its write."""
    left = {beat for met in beats for beat in met} - set(BOUNDARIES)
    assert len(left) > 40
    rounds = 0
    while left:
        place = at_sqlite(tmp_path / str(rounds))
        place.folder.mkdir()
        rounds += 1
        for number, met in enumerate(beats):
            fatal = next((beat for beat in met if beat in left), met[0])
            assert pair.record(place, number, fatal=fatal) == whole[number], fatal
            left.discard(fatal)


@pytest.mark.parametrize("moment", range(MOMENTS))
def test_a63_killed_at_any_moment(pair: Pair, place: Place, whole: list[str], moment: int) -> None:
    """The clock decides where, in the middle of a library's code too; it may also come too late."""
    number = moment % len(NORMAL.said)
    before, said = list(NORMAL.said[:number]), [NORMAL.said[number]]
    pair.killed.do(**place.job([*before, *said], after=0.03 * moment / MOMENTS))
    out = place.replies
    assert out == whole[: len(out)]
    assert len(out) >= number
    assert pair.following.do(**place.job([*said, *NORMAL.said[number + 1 :]])) == 0
    assert place.replies == whole[number:]


@pytest.mark.parametrize("boundary", BOUNDARIES)
def test_a63_a_worker_of_many_turns_is_killed_and_the_next_one_ends_the_session(
    pair: Pair, place: Place, whole: list[str], beats: list[list[str]], boundary: str
) -> None:
    number = 1 + BOUNDARIES.index(boundary) % (len(NORMAL.said) - 1)
    fatal = event(boundary, beats[number])
    assert pair.killed.do(**place.job(NORMAL.said[: number + 1], fatal=fatal)) == KILLED
    first = place.replies[:number]
    assert pair.following.do(**place.job(NORMAL.said[number:])) == 0
    assert [*first, *place.replies] == whole


@pytest.mark.parametrize("script", [WRITTEN, DANGER], ids=["written", "danger"])
def test_a63_a54_so_are_turns_that_a_model_writes_and_those_in_danger(
    pair: Pair, tmp_path: Path, script: Script
) -> None:
    expected = undisturbed(pair.following, tmp_path, script)
    place = at_sqlite(tmp_path / "killed", script)
    place.folder.mkdir()
    ends = ("after load#1", "screen ends#1", "after seal#1", "after save#1", "before the reply#1")
    for number, record in enumerate(expected):
        assert pair.record(place, number, fatal=ends[number % len(ends)]) == record
    writers = {json.loads(line)[1]["writer"] for line in expected}
    assert ("model" if script.model else "protocol") in writers


def test_a36_a_turn_is_counted_once_at_most(pair: Pair, place: Place, whole: list[str]) -> None:
    for number, fatal in enumerate(("after save#1", "after append#1", "after seal#1")):
        assert pair.record(place, number, fatal=fatal) == whole[number]
    events = list(SqliteEvents(Path(place.place)).read())
    assert [event["number"] for event in events] == [2, 3]  # the first died before it was told


@pytest.mark.sockets
def test_a63_so_does_a_session_in_postgres(
    pair: Pair, postgres_url: str, tmp_path: Path, whole: list[str]
) -> None:
    place = Place("postgres", postgres_url, tmp_path, NORMAL)
    kills = [boundary for boundary in BOUNDARIES if boundary not in (*STEPS, "committed#1")]
    for number, record in enumerate(whole):
        *first, last = kills[number :: len(whole)]
        for fatal in first:
            said = [NORMAL.said[number]]
            assert pair.killed.do(**place.job(said, fatal=fatal)) == KILLED
        assert pair.record(place, number, fatal=last) == record


@pytest.mark.sockets
def test_a63_a_write_that_outlives_its_process_is_neither_lost_nor_doubled(
    pair: Pair, postgres_url: str, tmp_path: Path, whole: list[str]
) -> None:
    """The server goes on with a statement whose sender has died, and may end it much later."""
    psycopg = pytest.importorskip("psycopg", reason="needs the extra 'postgres'")
    place = Place("postgres", postgres_url, tmp_path, NORMAL)
    first, second = NORMAL.said[:2]
    assert pair.killed.do(**place.job([first])) == 0
    with psycopg.connect(postgres_url) as operator:
        operator.execute("LOCK TABLE handrail_session IN SHARE MODE")  # reads pass, writes wait
        assert pair.killed.do(**place.job([second], after=0.5)) == KILLED
        assert place.replies == []
        pair.following.begin(**place.job([second]))
        until(lambda: waiting(operator) == 2)
        operator.rollback()
        assert pair.following.end() == 0
        row = operator.execute("SELECT version FROM handrail_session").fetchone()
    assert place.replies == [whole[1]]
    assert row == (2,)


def waiting(operator: Any) -> int:
    """How many writes wait for a lock on the table."""
    asked = """
    SELECT count(*) FROM pg_locks JOIN pg_class ON pg_class.oid = relation
    WHERE relnamespace = current_schema()::regnamespace AND NOT granted
    """
    return int(operator.execute(asked).fetchone()[0])


def until(holds: Callable[[], bool]) -> None:
    ends = time.monotonic() + 10
    while not holds():
        assert time.monotonic() < ends
        time.sleep(0.01)
