"""Locks inside a process: what nobody uses takes no memory (A63)."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from handrail.adapters.session_locks import SessionLocks
from handrail.adapters.session_rules import wait_for
from handrail.errors import SessionBusy


def test_a63_a_lock_is_there_while_it_is_held_or_waited_for_and_no_longer() -> None:
    locks = SessionLocks()
    with locks.hold(b"a", seconds=0), locks.hold(b"b", seconds=0):
        assert len(locks) == 2
        with pytest.raises(SessionBusy), locks.hold(b"a", seconds=0):
            pytest.fail("two held one lock")
        assert len(locks) == 2
    with pytest.raises(ZeroDivisionError), locks.hold(b"a", seconds=0):
        raise ZeroDivisionError
    assert len(locks) == 0


def test_many_threads_over_few_locks_leave_none() -> None:
    locks, inside = SessionLocks(), [0, 0, 0]
    start = threading.Barrier(6)

    def work(thread: int) -> None:
        start.wait()
        for number in range(200):
            place = (thread + number) % 3
            with locks.hold(bytes([place]), seconds=30):
                seen = inside[place]
                inside[place] = seen + 1

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(work, range(6)))
    assert sum(inside) == 1_200
    assert len(locks) == 0


@pytest.mark.parametrize("seconds", [-1.0, 0.0, 1e300, float("inf")])
def test_any_number_of_seconds_will_do(seconds: float) -> None:
    with SessionLocks().hold(b"a", seconds=seconds):
        assert wait_for(lambda: 1, seconds=seconds) == 1


def test_waiting_asks_until_there_is_an_answer() -> None:
    answers = iter([None, None, None, 0])
    assert wait_for(lambda: next(answers), seconds=30) == 0


def test_waiting_ends_with_a_refusal() -> None:
    asked: list[int] = []
    with pytest.raises(SessionBusy):
        wait_for(lambda: asked.append(1), seconds=0.005)
    assert len(asked) > 1
