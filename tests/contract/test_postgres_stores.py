"""What PostgreSQL brings with it: lost connections, time-outs, rights and locks (A63)."""

from __future__ import annotations

import gc
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import Any, TypeAlias
from uuid import uuid4

import pytest

from handrail.adapters.postgres import PostgresEvents, PostgresSessions
from handrail.adapters.postgres.sessions import CONNECTIONS
from handrail.errors import MissingExtra, SessionBusy, StoreFailed
from handrail.testing.store_processes import ID, LATER, NOW

psycopg = pytest.importorskip("psycopg", reason="needs the extra 'postgres'")
make_conninfo = psycopg.conninfo.make_conninfo

pytestmark = pytest.mark.sockets

APPLICATION = f"handrail-{uuid4().hex}"  # other workers of a run share the server
CANARY = b"canary-body-91ac"
SECONDS = 10.0  # only a failing test waits for so long

Operator: TypeAlias = Any  # a psycopg connection; the library may be absent

_MINE = "FROM pg_stat_activity WHERE application_name = %s"


@pytest.fixture
def url(postgres_url: str) -> str:
    return make_conninfo(postgres_url, application_name=APPLICATION)


@pytest.fixture
def sessions(url: str) -> PostgresSessions:
    return PostgresSessions(url)


@pytest.fixture
def operator(postgres_url: str) -> Iterator[Operator]:
    """Somebody with a connection of their own, in a transaction."""
    with psycopg.connect(postgres_url) as link:
        yield link


def ask(operator: Operator, question: str, *values: object) -> Any:
    """The first value that the server answers with."""
    row = operator.execute(question, values).fetchone()
    operator.commit()
    return row[0] if row else None


def kill_all(operator: Operator) -> None:
    """End every connection of the store under test."""
    ended = f"SELECT array_agg(pid) FROM (SELECT pid, pg_terminate_backend(pid) {_MINE}) AS ended"
    pids = ask(operator, ended, APPLICATION)
    left = "SELECT count(*) FROM pg_stat_activity WHERE pid = ANY(%s)"
    until(lambda: ask(operator, left, pids) == 0)


def connections(operator: Operator) -> int:
    return int(ask(operator, f"SELECT count(*) {_MINE}", APPLICATION))


def until(holds: Callable[[], bool]) -> None:
    """Wait for what a server does in its own time."""
    deadline = time.monotonic() + SECONDS
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.005)


def save(sessions: PostgresSessions, body: bytes = CANARY, *, expected: int = 0) -> int:
    return sessions.save(ID, body, expected=expected, now=NOW, expires_at=LATER)


def test_a_connection_lost_in_the_middle_is_told_and_the_next_call_works(
    sessions: PostgresSessions, operator: Operator
) -> None:
    save(sessions)
    operator.execute("LOCK TABLE handrail_session")
    with ThreadPoolExecutor(1) as pool:
        saving = pool.submit(save, sessions, CANARY, expected=1)
        waits = f"SELECT pg_terminate_backend(pid) {_MINE} AND wait_event_type = 'Lock'"
        until(lambda: operator.execute(waits, (APPLICATION,)).fetchone() is not None)
        with pytest.raises(StoreFailed, match="could not be used") as caught:
            saving.result(timeout=SECONDS)
    operator.rollback()
    assert "canary" not in f"{caught.value!r}"
    assert save(sessions, expected=1) == 2


def test_a_statement_that_takes_too_long_is_told(url: str, operator: Operator) -> None:
    sessions = PostgresSessions(url, timeout_seconds=1.0)
    save(sessions)
    operator.execute("LOCK TABLE handrail_session")
    with ThreadPoolExecutor(1) as pool:
        saving = pool.submit(save, sessions, expected=1)
        try:
            with pytest.raises(StoreFailed, match="57014"):
                saving.result(timeout=SECONDS)
        finally:
            operator.rollback()  # before the pool waits for its thread
    assert save(sessions, expected=1) == 2


def test_connections_that_died_while_idle_fail_no_turn(
    sessions: PostgresSessions, operator: Operator
) -> None:
    for version in range(3):
        with ExitStack() as stack:  # so that all of them are open
            for _ in range(CONNECTIONS):
                stack.enter_context(sessions._database.link())
        with sessions.hold(ID, seconds=SECONDS):
            assert save(sessions, expected=version) == version + 1
        assert connections(operator) >= CONNECTIONS
        kill_all(operator)
    assert sessions.load(ID, now=NOW) is not None


def test_a_hold_whose_connection_is_lost_ends_in_peace_and_versions_keep_watch(
    url: str, sessions: PostgresSessions, operator: Operator
) -> None:
    other = PostgresSessions(url)
    with sessions.hold(ID, seconds=SECONDS):
        kill_all(operator)
        with other.hold(ID, seconds=SECONDS):
            assert save(other) == 1
        with pytest.raises(SessionBusy), sessions.hold(ID, seconds=0):
            pytest.fail("two threads of one process held one session")
    with sessions.hold(ID, seconds=SECONDS):
        assert save(sessions, expected=1) == 2


def test_all_holds_of_a_worker_are_on_one_connection_and_leave_no_lock(
    sessions: PostgresSessions, operator: Operator
) -> None:
    locks = f"""
    SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid IN (SELECT pid {_MINE})
    """
    with ExitStack() as stack:
        for number in range(200):
            stack.enter_context(sessions.hold(str(number), seconds=SECONDS))
        assert ask(operator, locks, APPLICATION) == 200
        assert connections(operator) <= CONNECTIONS + 1
    assert ask(operator, locks, APPLICATION) == 0


def test_a_store_that_goes_closes_its_connections(url: str, operator: Operator) -> None:
    sessions, events = PostgresSessions(url), PostgresEvents(url)
    events.append([{"at": 1.0}])
    with sessions.hold(ID, seconds=SECONDS):
        save(sessions)
    assert connections(operator) >= 3
    del sessions, events
    gc.collect()
    until(lambda: connections(operator) == 0)


def test_a_server_that_is_not_there_is_told_without_its_address() -> None:
    with pytest.raises(StoreFailed, match="Check that the server runs") as caught:
        PostgresSessions("postgresql://canary:canary@/canary?host=/canary/nowhere")
    assert "canary" not in f"{caught.value!r}"


def test_a_url_that_cannot_be_read_is_told() -> None:
    with pytest.raises(StoreFailed, match="address") as caught:
        PostgresEvents("no-such-thing://canary")
    assert "canary" not in f"{caught.value!r}"


def test_a_table_that_was_taken_away_is_told_without_the_body(
    sessions: PostgresSessions, operator: Operator
) -> None:
    operator.execute("DROP TABLE handrail_session")
    operator.commit()
    with pytest.raises(StoreFailed, match=r"42P01.*may use the tables") as caught:
        save(sessions)
    assert "canary" not in f"{caught.value!r}"


def test_an_account_that_may_make_no_tables_can_use_those_that_are_there(
    url: str, sessions: PostgresSessions, operator: Operator
) -> None:
    save(sessions)
    guest, schema = f"guest_{uuid4().hex}", ask(operator, "SELECT current_schema()")
    try:
        operator.execute(f"CREATE ROLE {guest}")
    except psycopg.errors.InsufficientPrivilege:
        pytest.skip("the account of the given server may make no roles")
    operator.execute(f"GRANT USAGE ON SCHEMA {schema} TO {guest}")
    operator.execute(f"GRANT ALL ON handrail_session TO {guest}")
    operator.commit()
    options = f"-c search_path={schema} -c role={guest}"
    assert save(PostgresSessions(make_conninfo(url, options=options)), expected=1) == 2
    operator.execute(f"DROP OWNED BY {guest}")
    operator.execute(f"DROP ROLE {guest}")
    operator.commit()


FORKING = """
import os, sys
from handrail.adapters.postgres import PostgresSessions
from handrail.errors import SessionBusy, StoreFailed
store, other = PostgresSessions(sys.argv[1]), PostgresSessions(sys.argv[1])
with store.hold("s", seconds=5):
    child = os.fork()
    if not child:
        refusals = 0
        hold = store.hold("s", seconds=1)
        for use in (lambda: store.load("s", now=0.0), hold.__enter__):
            try:
                use()
            except StoreFailed as error:
                refusals += "Build it in each worker" in str(error)
        sys.exit(refusals)  # and so leaves the block
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    try:
        with other.hold("s", seconds=0):
            sys.exit("the child has ended its parent's hold")
    except SessionBusy:
        pass
    version = store.save("s", b"", expected=0, now=0.0, expires_at=9.0)
with store.hold("s", seconds=5):
    print(status, version)
"""


def test_a_forked_child_is_told_to_build_its_own_and_harms_nothing(url: str) -> None:
    command = [sys.executable, "-c", FORKING, url]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (done.stdout, done.stderr) == ("2 1\n", "")


@pytest.mark.parametrize("absent", ["psycopg", "psycopg_pool"])
def test_without_the_library_the_extra_is_named(
    monkeypatch: pytest.MonkeyPatch, absent: str
) -> None:
    monkeypatch.setitem(sys.modules, absent, None)
    with pytest.raises(MissingExtra, match=r"handrail\[postgres\]"):
        PostgresSessions("postgresql:///nowhere")
