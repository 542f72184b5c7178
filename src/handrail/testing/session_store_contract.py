"""What every `SessionStore` must do: subclass, override the fixture, inherit."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from random import Random

import pytest

from handrail.errors import SessionBusy, SessionConflict
from handrail.ports import SessionStore, StoredSession
from handrail.testing.store_processes import (
    BLOCK,
    ID,
    LATER,
    NOW,
    OpenStore,
    count,
    count_up,
    hold_for_ever,
    race,
    running,
    said,
    wins,
    write_for_ever,
)

AT_ONCE = 0.0  # seconds
SOON = 5.0  # seconds; only a failing test waits for so long
THREADS = 4
MANY = 64

IDS = (
    "",
    " ",
    "a",
    "A",
    "a ",
    "é",
    "e\u0301",
    "%s",
    "%(key)s",
    "?1",
    ":key",
    "'; DROP TABLE session; --",
    "x' OR '1'='1",
    "../../etc/passwd",
    "line\nbreak\ttab",
    "\u202eright to left",
    "zero\u200bwidth",
    "\x01\x7f\ufffe",
    "日本語",
    "👩‍👧",
    "\U0010ffff",
    "\ud800",
    "long " * 40,
    "long " * 39 + "lone ",
)
assert all(len(each) <= 200 for each in IDS)


def bodies() -> Iterator[bytes]:
    """Bodies of many lengths, with every byte and with what looks like something else."""
    yield from (b"", b"\0", b"\0" * 9, bytes(range(256)), b"'; --", b"\\x41", "día".encode())
    dice = Random(20)  # noqa: S311  bytes to test with
    yield from (dice.randbytes(dice.randrange(1, 9_000)) for _ in range(20))
    yield dice.randbytes(1_048_576)


def save(store: SessionStore, body: bytes = b"body", *, expected: int = 0, name: str = ID) -> int:
    """Save at `NOW` what lives until `LATER`."""
    return store.save(name, body, expected=expected, now=NOW, expires_at=LATER)


@contextmanager
def held(store: SessionStore) -> Iterator[None]:
    """Another thread holds the session meanwhile."""
    taken, leave = threading.Event(), threading.Event()

    def hold() -> None:
        with store.hold(ID, seconds=SOON):
            taken.set()
            leave.wait()

    with ThreadPoolExecutor(1) as pool:
        done = pool.submit(hold)
        try:
            assert taken.wait(SOON)
            yield
        finally:
            leave.set()
            done.result()


@contextmanager
def eager_threads() -> Iterator[None]:
    """Threads take turns as often as they can, so that what is not guarded breaks."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        yield
    finally:
        sys.setswitchinterval(before)


class SessionStoreContract:
    """Subclass in a test module and override ``store``, which is empty at first."""

    @pytest.fixture
    def store(self) -> SessionStore:
        raise NotImplementedError("override the store fixture")

    def test_a63_what_was_saved_is_loaded(self, store: SessionStore) -> None:
        assert store.load(ID, now=NOW) is None
        assert save(store) == 1
        expected = StoredSession(body=b"body", version=1, expires_at=LATER)
        assert store.load(ID, now=NOW) == expected
        assert store.load("another", now=NOW) is None

    def test_versions_go_up_by_one(self, store: SessionStore) -> None:
        for version in range(5):
            assert save(store, b"%d" % version, expected=version) == version + 1
        assert store.load(ID, now=NOW) == StoredSession(body=b"4", version=5, expires_at=LATER)

    @pytest.mark.parametrize("expected", [0, 1, 3, -1, 2**40])
    def test_a_write_on_another_version_is_refused(
        self, store: SessionStore, expected: int
    ) -> None:
        save(store, b"first")
        save(store, b"second", expected=1)
        with pytest.raises(SessionConflict):
            save(store, b"third", expected=expected)
        assert store.load(ID, now=NOW) == StoredSession(body=b"second", version=2, expires_at=LATER)

    def test_a_write_on_a_version_of_nothing_is_refused(self, store: SessionStore) -> None:
        with pytest.raises(SessionConflict):
            save(store, expected=1)
        assert store.load(ID, now=NOW) is None

    def test_of_writers_on_one_version_exactly_one_wins(self, store: SessionStore) -> None:
        start, rounds = threading.Barrier(THREADS), 200

        def write() -> int:
            start.wait()
            return wins(store, rounds)

        with eager_threads(), ThreadPoolExecutor(THREADS) as pool:
            results = [pool.submit(write) for _ in range(THREADS)]
        assert sum(result.result() for result in results) == rounds

    def test_bodies_come_back_byte_for_byte(self, store: SessionStore) -> None:
        for number, body in enumerate(bodies()):
            save(store, body, name=str(number))
            stored = store.load(str(number), now=NOW)
            assert stored is not None
            assert stored.body == body

    def test_a_longer_and_a_shorter_body_replace_each_other(self, store: SessionStore) -> None:
        for version, length in enumerate((10, 100_000, 0, 5_000)):
            save(store, bytes(length), expected=version)
            stored = store.load(ID, now=NOW)
            assert stored is not None
            assert stored.body == bytes(length)

    def test_any_text_is_an_id_and_no_two_are_one(self, store: SessionStore) -> None:
        for number, name in enumerate(IDS):
            save(store, b"%d" % number, name=name)
        for number, name in enumerate(IDS):
            with store.hold(name, seconds=AT_ONCE):
                stored = store.load(name, now=NOW)
            assert stored is not None
            assert stored.body == b"%d" % number
        assert [store.delete(name) for name in IDS] == [True] * len(IDS)

    def test_a63_an_expired_session_is_as_if_it_had_never_been(self, store: SessionStore) -> None:
        save(store)
        save(store, expected=1)
        assert store.load(ID, now=LATER - 0.001) is not None
        assert store.load(ID, now=LATER) is None
        with pytest.raises(SessionConflict):
            store.save(ID, b"old", expected=2, now=LATER, expires_at=LATER + 10)
        assert store.save(ID, b"new", expected=0, now=LATER, expires_at=LATER + 10) == 1
        fresh = StoredSession(body=b"new", version=1, expires_at=LATER + 10)
        assert store.load(ID, now=LATER) == fresh

    def test_a_save_moves_the_end_of_its_life(self, store: SessionStore) -> None:
        save(store)
        store.save(ID, b"longer", expected=1, now=NOW, expires_at=LATER + 0.25)
        stored = store.load(ID, now=LATER)
        assert stored is not None
        assert stored.expires_at == LATER + 0.25

    def test_a_deleted_session_is_gone(self, store: SessionStore) -> None:
        save(store)
        save(store, name="another")
        assert store.delete(ID)
        assert not store.delete(ID)
        assert store.load(ID, now=NOW) is None
        assert store.load("another", now=NOW) is not None
        assert save(store) == 1

    def test_a63_a_purge_forgets_what_expired_and_counts_it(self, store: SessionStore) -> None:
        for number in range(7):
            store.save(str(number), b"", expected=0, now=NOW, expires_at=NOW + number)
        assert store.delete("0")  # expired, and still there
        assert store.purge(now=NOW + 3) == 3
        assert store.purge(now=NOW + 3) == 0
        assert [store.delete(str(number)) for number in range(7)] == [False] * 4 + [True] * 3

    def test_a63_a_hold_keeps_another_thread_out(self, store: SessionStore) -> None:
        with held(store):
            for seconds in (AT_ONCE, 0.05):
                with pytest.raises(SessionBusy), store.hold(ID, seconds=seconds):
                    pytest.fail("two held one session")
        with store.hold(ID, seconds=AT_ONCE):
            assert save(store) == 1

    def test_a_hold_keeps_its_own_thread_out_too(self, store: SessionStore) -> None:
        with store.hold(ID, seconds=AT_ONCE):
            with pytest.raises(SessionBusy), store.hold(ID, seconds=AT_ONCE):
                pytest.fail("two held one session")
            with pytest.raises(SessionBusy), store.hold(ID, seconds=AT_ONCE):
                pytest.fail("a refusal let go of the hold")

    def test_a_hold_waits_for_its_turn(self, store: SessionStore) -> None:
        with ThreadPoolExecutor(1) as pool:
            with store.hold(ID, seconds=AT_ONCE):
                waiting = pool.submit(count_up, store, 1)
                save(store, b"7")
            waiting.result(timeout=SOON)
        assert store.load(ID, now=NOW) == StoredSession(body=b"8", version=2, expires_at=LATER)

    def test_an_error_inside_a_hold_lets_go(self, store: SessionStore) -> None:
        with pytest.raises(ZeroDivisionError), store.hold(ID, seconds=AT_ONCE):
            raise ZeroDivisionError
        with store.hold(ID, seconds=AT_ONCE):
            assert store.load(ID, now=NOW) is None

    def test_holds_of_many_sessions_are_in_nobodys_way(self, store: SessionStore) -> None:
        with ExitStack() as stack:
            for number in range(MANY):
                stack.enter_context(store.hold(str(number), seconds=AT_ONCE))
                save(store, name=str(number))
        assert store.purge(now=LATER) == MANY

    def test_a_hold_entered_in_one_thread_is_left_in_another(self, store: SessionStore) -> None:
        hold = store.hold(ID, seconds=AT_ONCE)
        for step in (hold.__enter__, lambda: hold.__exit__(None, None, None)):
            with ThreadPoolExecutor(1) as pool:
                pool.submit(step).result()
        with store.hold(ID, seconds=AT_ONCE):
            assert store.load(ID, now=NOW) is None

    def test_a63_threads_lose_no_update(self, store: SessionStore) -> None:
        with eager_threads(), ThreadPoolExecutor(THREADS) as pool:
            for done in [pool.submit(count_up, store, 25) for _ in range(THREADS)]:
                done.result()
        assert store.load(ID, now=NOW) == StoredSession(body=b"100", version=100, expires_at=LATER)

    def test_a63_a_refusal_repeats_neither_body_nor_id(self, store: SessionStore) -> None:
        save(store, b"canary-body", name="canary-id")
        with pytest.raises(SessionConflict) as conflict:
            save(store, b"canary-body", expected=7, name="canary-id")
        with store.hold("canary-id", seconds=AT_ONCE), pytest.raises(SessionBusy) as busy:
            store.hold("canary-id", seconds=AT_ONCE).__enter__()
        for error in (conflict.value, busy.value):
            assert "canary" not in f"{error!r} {error.__cause__!r} {error.__context__!r}"


class SharedSessionStoreContract(SessionStoreContract):
    """Subclass and override ``open_store``: picklable, and each call opens the same place."""

    @pytest.fixture
    def open_store(self) -> OpenStore:
        raise NotImplementedError("override the open_store fixture")

    @pytest.fixture
    def store(self, open_store: OpenStore) -> SessionStore:
        """The store as this process has opened it."""
        return open_store()

    def test_workers_open_a_new_place_at_once(self, open_store: OpenStore) -> None:
        start = threading.Barrier(2 * THREADS)

        def work() -> None:
            start.wait()
            count_up(open_store(), 1)

        with ThreadPoolExecutor(2 * THREADS) as pool:
            for done in [pool.submit(work) for _ in range(2 * THREADS)]:
                done.result()
        assert open_store().load(ID, now=NOW) == StoredSession(
            body=b"8", version=8, expires_at=LATER
        )

    def test_what_one_has_saved_another_loads(
        self, store: SessionStore, open_store: OpenStore
    ) -> None:
        save(store, b"shared")
        other = open_store()
        assert other.load(ID, now=NOW) == store.load(ID, now=NOW)
        hold, second = store.hold(ID, seconds=AT_ONCE), other.hold(ID, seconds=0.05)
        with hold, pytest.raises(SessionBusy), second:
            pytest.fail("two held one session")
        with other.hold(ID, seconds=AT_ONCE):
            assert save(other, expected=1) == 2

    def test_a63_a_hold_keeps_another_process_out_and_ends_when_that_is_killed(
        self, store: SessionStore, open_store: OpenStore
    ) -> None:
        with running(hold_for_ever, open_store) as (process, pipe):
            assert said(pipe) == "held"
            with pytest.raises(SessionBusy), store.hold(ID, seconds=0.1):
                pytest.fail("two held one session")
            process.kill()
            with store.hold(ID, seconds=1.0):  # the bound on "at once"
                assert save(store) == 1

    def test_a63_processes_lose_no_update(self, store: SessionStore, open_store: OpenStore) -> None:
        times = 200
        with (
            running(count, open_store, times) as (_, one),
            running(count, open_store, times) as (_, two),
        ):
            assert [said(one), said(two)] == ["ready", "ready"]
            one.send("go")
            two.send("go")
            assert [said(one), said(two)] == ["done", "done"]
        stored = store.load(ID, now=NOW)
        assert stored == StoredSession(body=b"400", version=400, expires_at=LATER)

    def test_of_processes_that_write_on_one_version_exactly_one_wins(
        self, open_store: OpenStore
    ) -> None:
        rounds = 100
        with (
            running(race, open_store, rounds) as (_, one),
            running(race, open_store, rounds) as (_, two),
        ):
            assert [said(one), said(two)] == ["ready", "ready"]
            one.send("go")
            two.send("go")
            first, second = said(one), said(two)
        assert isinstance(first, int)
        assert isinstance(second, int)
        assert first + second == rounds

    def test_a_writer_killed_in_the_middle_leaves_a_whole_session(
        self, store: SessionStore, open_store: OpenStore
    ) -> None:
        with running(write_for_ever, open_store) as (process, pipe):
            assert said(pipe) == "writing"
            process.kill()
            process.join()
        stored = store.load(ID, now=NOW)
        assert stored is not None
        assert stored.body == bytes([stored.version % 256]) * BLOCK
        assert save(store, expected=stored.version) == stored.version + 1
