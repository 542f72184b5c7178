"""Two workers on one store, each with threads, in one session: no turn is lost and none doubled."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from killed_turns import SESSION, opened
from turn_processes import NORMAL, Forks, Place, Said, Script, forks, undisturbed

from handrail.bootstrap import build_engine
from handrail.engine import Engine
from handrail.settings import SessionSettings, Settings
from handrail.testing.hash_embedder import HashEmbedder

THREADS = 3
EACH = 4  # messages of a thread
WORDS = (*(text for _, text in NORMAL.said), "I don't know", "maybe", "it is 7", "they will laugh")


@dataclass(frozen=True)
class Reply:
    """One answered message."""

    message_id: str
    line: str

    @property
    def number(self) -> int:
        """Which message of the session it answers."""
        found: int = json.loads(self.line)[1]["receipt"]["session"]["number"]
        return found


@pytest.fixture(scope="module")
def workers(engine_home: Path) -> Iterator[Sequence[Forks]]:
    with forks(engine_home, seed=1) as one, forks(engine_home, seed=2) as two:
        yield one, two


@pytest.fixture(scope="module")
def engine(engine_home: Path) -> Engine:
    """The engine that the workers' flow is a part of."""
    settings = Settings(home=engine_home, sessions=SessionSettings(store="memory"))
    return build_engine(settings, embedder=HashEmbedder(384))


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.sockets)])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    """A store that both share."""
    if request.param == "sqlite":
        return Place("sqlite", str(tmp_path / "sessions"), tmp_path, NORMAL)
    return Place("postgres", request.getfixturevalue("postgres_url"), tmp_path, NORMAL)


def meet(
    workers: Sequence[Forks], place: Place, crowds: Sequence[Sequence[Sequence[Said]]]
) -> list[Reply]:
    """What the workers' threads were told, that began together; a worker's in its order."""
    gate = place.folder / f"{place.files}.gate"
    outs = []
    for worker, crowd in zip(workers, crowds, strict=True):
        worker.begin(**place.job([], crowd=crowd, gate=str(gate)))
        outs.append(place.out)
    until(lambda: all(out.with_suffix(".ready").exists() for out in outs))
    gate.touch()
    assert [worker.end() for worker in workers] == [0] * len(outs)
    lines = [line for out in outs for line in out.read_text(encoding="ascii").splitlines()]
    return [Reply(json.loads(line)[0], line) for line in lines]


def version(place: Place) -> int:
    """How often the session was written."""
    stored = opened(place.store, place.place)[0].load(SESSION, now=time.time())
    return stored.version if stored else 0


def until(holds: Callable[[], bool]) -> None:
    ends = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < ends
        time.sleep(0.005)


def texts() -> dict[str, str]:
    """A message for each thread and time, under its own id."""
    ids = [
        f"{worker}-{thread}-{n}"
        for worker in "ab"
        for thread in range(THREADS)
        for n in range(EACH)
    ]
    return {message_id: WORDS[at % len(WORDS)] for at, message_id in enumerate(ids)}


def crowds(said: dict[str, str]) -> list[list[list[Said]]]:
    """The messages of each thread of each worker."""
    rows = list(said.items())
    lists = [rows[at : at + EACH] for at in range(0, len(rows), EACH)]
    return [lists[:THREADS], lists[THREADS:]]


def test_a63_no_turn_is_lost_or_doubled_and_all_are_those_of_one_worker(
    workers: Sequence[Forks], place: Place, tmp_path: Path
) -> None:
    said = texts()
    replies = sorted(meet(workers, place, crowds(said)), key=lambda reply: reply.number)
    assert [reply.number for reply in replies] == list(range(1, len(said) + 1))
    assert Counter(reply.message_id for reply in replies) == Counter(said.keys())
    in_order = [(reply.message_id, said[reply.message_id]) for reply in replies]
    serial = undisturbed(workers[0], tmp_path / "serial", Script(in_order))
    assert [reply.line for reply in replies] == serial
    assert version(place) == len(said)


def test_a63_the_receipt_of_the_last_turn_replays_the_whole_session(
    workers: Sequence[Forks], place: Place, engine: Engine
) -> None:
    said = texts()
    replies = sorted(meet(workers, place, crowds(said)), key=lambda reply: reply.number)
    messages = [said[reply.message_id] for reply in replies]
    last = json.loads(replies[-1].line)[1]
    verified = engine.verify(last, messages=messages)
    assert [(check.name, check.ok) for check in verified.checks if check.ok is not True] == []
    assert not engine.verify(last, messages=messages[::-1]).ok


def test_a63_one_message_sent_by_all_at_once_is_one_turn(
    workers: Sequence[Forks], place: Place, tmp_path: Path
) -> None:
    expected = undisturbed(workers[0], tmp_path / "serial", NORMAL)
    for number, message in enumerate(NORMAL.said[:4]):
        everybody = [[message]] * THREADS
        replies = meet(workers, place, [everybody, everybody])
        assert [reply.line for reply in replies] == [expected[number]] * 2 * THREADS
        assert version(place) == number + 1
