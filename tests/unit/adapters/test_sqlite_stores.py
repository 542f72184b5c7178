"""What SQLite brings with it: rights, room, damage, forks and lock files (A63)."""

from __future__ import annotations

import fcntl
import os
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest

from handrail.adapters.sqlite import SqliteEvents, SqliteSessions, database, holds
from handrail.errors import SessionBusy, StoreFailed
from handrail.testing.store_processes import ID, hold_for_ever, running, said

FILE = database.FILE
CANARY = b"canary-body-3b71"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "deep" / "sessions"


@pytest.fixture
def sessions(folder: Path) -> SqliteSessions:
    return SqliteSessions(folder)


@pytest.fixture
def open_umask() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


def save(sessions: SqliteSessions, body: bytes = CANARY, *, expected: int = 0) -> int:
    return sessions.save(ID, body, expected=expected, now=0.0, expires_at=9.0)


def body(sessions: SqliteSessions) -> bytes | None:
    stored = sessions.load(ID, now=0.0)
    return stored.body if stored else None


def rights(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.usefixtures("open_umask")
def test_a63_folder_and_files_are_their_owners_alone(folder: Path) -> None:
    sessions, events = SqliteSessions(folder), SqliteEvents(folder)
    events.append([{"at": 1.0}])
    with sessions.hold(ID, seconds=1):
        save(sessions)
        paths = [path for path in folder.rglob("*") if path.is_file()]
        assert len(paths) == 5  # the file, its log, shared memory, the set-up lock, the hold
        assert {rights(path) for path in paths} == {0o600}
        assert {rights(folder), rights(folder / "held")} == {0o700}


def test_a_file_that_is_there_is_opened_as_it_is(folder: Path, sessions: SqliteSessions) -> None:
    save(sessions)
    again = SqliteSessions(folder)
    assert body(again) == CANARY
    assert save(again, b"", expected=1) == 2


def test_a_file_of_a_newer_release_is_left_alone(folder: Path, sessions: SqliteSessions) -> None:
    with closing(sqlite3.connect(folder / FILE)) as connection:
        connection.execute("PRAGMA user_version = 99")
    with pytest.raises(StoreFailed, match=r"newer Handrail.*Update"):
        SqliteSessions(folder)


def test_a_save_is_on_the_disk_when_it_returns_and_an_event_need_not_be(folder: Path) -> None:
    levels = {}
    for store in (SqliteSessions(folder), SqliteEvents(folder)):
        with store._database.connection() as connection:
            levels[type(store)] = connection.execute("PRAGMA synchronous").fetchone()[0]
    assert levels == {SqliteSessions: 2, SqliteEvents: 1}  # FULL and NORMAL


def test_a63_what_was_deleted_is_overwritten(folder: Path, sessions: SqliteSessions) -> None:
    save(sessions, CANARY * 500)
    sessions.delete(ID)
    with sessions._database.connection() as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    assert [path.name for path in folder.iterdir() if path.is_file()] != []
    for path in folder.iterdir():
        assert path.is_dir() or CANARY not in path.read_bytes()


def test_an_idle_session_costs_at_most_ten_kilobytes(
    folder: Path, sessions: SqliteSessions
) -> None:
    dice, many = Random(1), 1_000
    with sessions._database.connection() as connection:
        connection.execute("PRAGMA synchronous = OFF")  # the size is the same, sooner
    for turn in range(3):
        for number in range(many):
            sessions.save(
                str(number), dice.randbytes(4_096), expected=turn, now=0.0, expires_at=9.0
            )
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    assert 4_096 < size / many <= 10_240


def test_a_full_disk_is_told_and_nothing_half_written_is_kept(sessions: SqliteSessions) -> None:
    save(sessions, b"first")
    with sessions._database.connection() as connection:
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {pages + 2}")
    with pytest.raises(StoreFailed, match=r"no room left. Free some space") as caught:
        save(sessions, CANARY * 10_000, expected=1)
    assert "canary" not in f"{caught.value!r}"
    assert body(sessions) == b"first"
    assert save(sessions, CANARY * 10_000, expected=1) == 2  # the next connection has room


@pytest.mark.parametrize("start", [0, 4_096])
def test_a_damaged_file_is_told(folder: Path, start: int) -> None:
    sessions = SqliteSessions(folder)
    save(sessions, CANARY * 500)
    del sessions  # folds the log into the file
    with (folder / FILE).open("r+b") as file:
        file.seek(start)
        file.write(b"\xa5" * 8_192)
    with pytest.raises(StoreFailed, match=r"is damaged. Stop the workers") as caught:
        body(SqliteSessions(folder))
    assert "canary" not in f"{caught.value!r}"


def test_a_place_that_cannot_be_used_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StoreFailed, match="Check its folder, its owner and its rights"):
        SqliteSessions(tmp_path / "file")
    (tmp_path / "folder" / FILE).mkdir(parents=True)
    with pytest.raises(StoreFailed, match="Check its folder, its owner and its rights"):
        SqliteEvents(tmp_path / "folder")


def test_a_file_that_another_program_keeps_locked_is_told(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "LOCK_SECONDS", 0.05)
    sessions = SqliteSessions(folder)
    with closing(sqlite3.connect(folder / FILE, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert body(sessions) is None  # readers never wait
        with pytest.raises(StoreFailed, match="locked for too long"):
            save(sessions)
        other.execute("ROLLBACK")
    assert save(sessions) == 1


def test_a63_lock_files_go_with_their_holds_and_those_of_the_killed_with_a_purge(
    folder: Path, sessions: SqliteSessions
) -> None:
    held = folder / "held"
    with sessions.hold("a", seconds=1), sessions.hold("b", seconds=1):
        assert len(list(held.iterdir())) == 2
    assert list(held.iterdir()) == []
    with running(hold_for_ever, partial(SqliteSessions, folder)) as (process, pipe):
        assert said(pipe) == "held"
        sessions.purge(now=0.0)
        with pytest.raises(SessionBusy), sessions.hold(ID, seconds=0):
            pytest.fail("a purge let go of a living hold")
        process.kill()
        process.join()
        assert len(list(held.iterdir())) == 1
        sessions.purge(now=0.0)
        assert list(held.iterdir()) == []


@pytest.mark.parametrize("another_comes", [False, True])
def test_a63_a_lock_on_a_file_that_has_gone_is_no_hold(
    folder: Path,
    sessions: SqliteSessions,
    monkeypatch: pytest.MonkeyPatch,
    another_comes: bool,
) -> None:
    def lock(descriptor: int, how: int) -> None:
        """Somebody ends a hold between our opening and our locking, and a third may begin one."""
        path = next((folder / "held").iterdir())
        path.unlink()
        if another_comes:
            path.touch()
        fcntl.flock(descriptor, how)

    monkeypatch.setattr(holds, "fcntl", SimpleNamespace(**{**vars(fcntl), "flock": lock}))
    with pytest.raises(SessionBusy), sessions.hold(ID, seconds=0):
        pytest.fail("held a file that nobody else can see")


def test_few_connections_stay_open(sessions: SqliteSessions) -> None:
    with ExitStack() as stack:
        for _ in range(20):
            stack.enter_context(sessions._database.connection())
    assert len(sessions._database._idle) == database.IDLE_CONNECTIONS


LAST_USER = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1])
print(connection.execute("SELECT version FROM session").fetchall())
connection.close()  # whoever is the last to use a file takes its log away
"""


def test_a63_a_second_store_in_a_process_costs_the_first_none_of_its_locks(
    folder: Path, sessions: SqliteSessions
) -> None:
    command = [sys.executable, "-c", LAST_USER, str(folder / FILE)]
    save(sessions)
    for version in (1, 2):
        SqliteEvents(folder)
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
        assert done.stdout == f"[({version},)]\n"
        assert save(sessions, expected=version) == version + 1
    assert body(SqliteSessions(folder)) == CANARY


FORKING = """
import os, sys
from pathlib import Path
from handrail.adapters.sqlite import SqliteSessions
from handrail.errors import SessionBusy

def ended(child):
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

store, other = SqliteSessions(Path(sys.argv[1])), SqliteSessions(Path(sys.argv[1]))
store.save("s", b"parent", expected=0, now=0.0, expires_at=9.0)
go_read, go_write = os.pipe()
with store.hold("s", seconds=1):
    hasty = os.fork()
    if not hasty:
        # It leaves the block, and closes whatever it has inherited: no connection, that is.
        sys.exit(6 if store._database._idle else 5)
    assert ended(hasty) == 5
    try:
        with other.hold("s", seconds=0):
            sys.exit("the child has ended its parent's hold")
    except SessionBusy:
        pass
    child = os.fork()
    if not child:
        os.close(go_write)
        os.read(go_read, 1)  # alive until the hold has ended
        with store.hold("s", seconds=5):
            version = store.load("s", now=0.0).version
            store.save("s", b"child", expected=version, now=0.0, expires_at=9.0)
        sys.exit(7)
with store.hold("s", seconds=5):
    store.save("s", b"again", expected=1, now=0.0, expires_at=9.0)
os.close(go_write)
assert ended(child) == 7
stored = store.load("s", now=0.0)
print(stored.version, stored.body.decode())
"""


def test_a_forked_child_has_its_own_connections_and_neither_keeps_nor_ends_a_hold(
    folder: Path,
) -> None:
    command = [sys.executable, "-c", FORKING, str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (done.stdout, done.stderr) == ("3 child\n", "")
