"""Sessions that last (A63): what breaks, expires or is given up loses and doubles nothing."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from reframe_sample import NORMAL, RATED, VAGUE

from handrail.adapters.cryptography import AesGcmCipher, load_or_create_key, new_key
from handrail.adapters.memory import MemoryEvents, MemorySessions
from handrail.adapters.sqlite import SqliteEvents, SqliteSessions
from handrail.errors import (
    InvalidInput,
    NotFound,
    SessionBusy,
    SessionConflict,
    SessionUnreadable,
    StoreFailed,
)
from handrail.flows.reframe import Opening, Sessions
from handrail.flows.reframe.sessions import PURGE_SECONDS
from handrail.testing.scripted_model import Late, ScriptedModel
from wrapping import Wrapping

SAID = ("I'm anxious about a presentation", "everyone will judge me", "Fear and shame", "About 8")
ID = "session_1"
CANARY = "zq-canary-zq"
SOON = 5.0  # seconds; only a failing test waits for so long
WROTE = (
    "<ui>That sounds heavy, and it makes sense that it stays with you. What goes through your mind "
    'about it?</ui><control>{"next_phase": "clarify"}</control>'
)

Record = dict[str, Any]


class Clock:
    """Time that passes when it is told to."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


def told(sessions: Sessions, number: int, *, text: str | None = None, **options: Any) -> Record:
    """The record of a turn: the message of that number, under its own id."""
    turn = sessions.process_turn(
        ID, text or SAID[number], **{"message_id": f"m{number}", **options}
    )
    return dict(asyncio.run(turn).record)


def bytes_of(record: Record) -> str:
    return json.dumps(record)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def sessions(sessions: Sessions, clock: Clock) -> Sessions:
    """Sessions over an empty store in memory."""
    return replace(sessions, clock=clock, wait_seconds=SOON)


@pytest.fixture
def whole(sessions: Sessions) -> list[str]:
    """The records when nothing goes wrong."""
    apart = replace(sessions, store=MemorySessions(), log=None)
    return [bytes_of(told(apart, number)) for number in range(len(SAID))]


@pytest.fixture
def sqlite(sessions: Sessions, tmp_path: Path) -> Sessions:
    """Sessions in a file."""
    cipher = AesGcmCipher([load_or_create_key(tmp_path / "key")])
    store, log = SqliteSessions(tmp_path), SqliteEvents(tmp_path)
    return replace(sessions, store=store, log=log, cipher=cipher)


def failing(_store: object, *broken: str) -> Any:
    """The store with methods that cannot be used."""

    def fail(*_given: object, **_options: object) -> Any:
        raise StoreFailed("the disk is full. Free some space")

    return Wrapping(_store, **dict.fromkeys(broken, fail))


@pytest.mark.parametrize("broken", ["hold", "load", "save"])
@pytest.mark.parametrize("number", [0, 2])
def test_a63_a_store_that_fails_loses_nothing(
    sessions: Sessions, whole: list[str], broken: str, number: int
) -> None:
    for before in range(number):
        told(sessions, before)
    with pytest.raises(StoreFailed):
        told(replace(sessions, store=failing(sessions.store, broken)), number)
    for after in range(number, len(SAID)):
        assert bytes_of(told(sessions, after)) == whole[after]


def test_a63_a_message_sent_again_is_the_turn_that_it_was(
    sessions: Sessions, whole: list[str]
) -> None:
    for number in range(len(SAID)):
        assert [bytes_of(told(sessions, number)) for _ in range(3)] == [whole[number]] * 3
    assert sessions.log is not None
    assert [event["number"] for event in sessions.log.read()] == [1, 2, 3, 4]


def test_a63_an_id_that_stands_for_another_message_is_refused(sessions: Sessions) -> None:
    first = told(sessions, 0)
    with pytest.raises(InvalidInput, match="another message"):
        told(sessions, 0, text="everyone will judge me")
    assert sessions.show(ID)["last"] == json.loads(bytes_of(first))


def test_a63_a_copy_that_comes_late_is_not_answered_twice(
    sessions: Sessions, whole: list[str]
) -> None:
    """A proxy may deliver a message once more, after others were answered."""
    for number in range(3):
        told(sessions, number)
    for number in range(2):
        with pytest.raises(InvalidInput, match="was answered"):
            told(sessions, number)
    assert bytes_of(told(sessions, 2)) == whole[2]
    assert bytes_of(told(sessions, 3)) == whole[3]


def test_without_an_id_the_same_words_are_another_message(sessions: Sessions) -> None:
    numbers = [told(sessions, 0, message_id="")["receipt"]["session"]["number"] for _ in range(2)]
    assert numbers == [1, 2]


@pytest.mark.parametrize("written", [False, True])
def test_a63_words_that_no_utf8_can_hold_last_as_well(sessions: Sessions, written: bool) -> None:
    over = writing(sessions, WROTE) if written else sessions
    told(over, 0)
    first = told(over, 1, text="everyone will judge me \ud800")
    assert first["state"]["progress"]["thought"].startswith("everyone will judge me")
    assert bytes_of(told(over, 1, text="everyone will judge me \ud800")) == bytes_of(first)
    assert told(over, 2)["receipt"]["session"]["number"] == 3


def test_a63_a_turn_waits_for_another_one_and_no_longer_than_told(sessions: Sessions) -> None:
    hasty = replace(sessions, wait_seconds=0.05)
    with sessions.store.hold(ID, seconds=0):
        for use in (lambda: told(hasty, 0), lambda: hasty.delete(ID)):
            with pytest.raises(SessionBusy, match="in a moment"):
                use()
    assert told(hasty, 0)["turn"] == 1


def test_a63_another_key_reads_nothing_and_overwrites_nothing(
    sqlite: Sessions, whole: list[str]
) -> None:
    told(sqlite, 0)
    other = replace(sqlite, cipher=AesGcmCipher([new_key()]))
    before = sqlite.store.load(ID, now=sqlite.clock())
    for use in (lambda: told(other, 1), lambda: other.show(ID), lambda: told(other, 0)):
        with pytest.raises(SessionUnreadable, match=r"Add the key|start a new"):
            use()
    assert sqlite.store.load(ID, now=sqlite.clock()) == before
    assert bytes_of(told(sqlite, 1)) == whole[1]


def test_a63_a_new_key_takes_over_while_the_old_one_still_opens(
    sqlite: Sessions, whole: list[str]
) -> None:
    old, new = new_key(), new_key()
    told(replace(sqlite, cipher=AesGcmCipher([old])), 0)
    assert bytes_of(told(replace(sqlite, cipher=AesGcmCipher([new, old])), 1)) == whole[1]
    assert bytes_of(told(replace(sqlite, cipher=AesGcmCipher([new])), 2)) == whole[2]


def test_a63_a_session_put_in_the_place_of_another_does_not_open(sqlite: Sessions) -> None:
    told(sqlite, 0)
    stored = sqlite.store.load(ID, now=sqlite.clock())
    assert stored is not None
    sqlite.store.save(
        "session_2", stored.body, expected=0, now=sqlite.clock(), expires_at=stored.expires_at
    )
    with pytest.raises(SessionUnreadable):
        sqlite.show("session_2")


def test_a63_a_session_of_another_format_is_refused_with_the_next_step(sessions: Sessions) -> None:
    told(sessions, 0)
    stored = sessions.store.load(ID, now=sessions.clock())
    assert stored is not None
    newer = OtherFormat(sessions.cipher)
    with pytest.raises(SessionUnreadable, match="Delete it and start anew"):
        told(replace(sessions, cipher=newer), 1)
    assert sessions.store.load(ID, now=sessions.clock()) == stored
    assert sessions.delete(ID)
    assert told(replace(sessions, cipher=newer), 0)["turn"] == 1


class OtherFormat:
    """Opens what another release wrote."""

    def __init__(self, inner: Any) -> None:
        self.seal = inner.seal
        self._inner = inner

    def unseal(self, sealed: bytes, *, bound_to: str) -> bytes:
        import zlib

        body = json.loads(zlib.decompress(self._inner.unseal(sealed, bound_to=bound_to)))
        body["state"]["format"] += 1
        return zlib.compress(json.dumps(body).encode())


def test_a63_an_expired_session_begins_anew(
    sessions: Sessions, clock: Clock, whole: list[str]
) -> None:
    told(sessions, 0)
    told(sessions, 1)
    clock.now += sessions.ttl_seconds
    with pytest.raises(NotFound):
        sessions.show(ID)
    assert bytes_of(told(sessions, 0)) == whole[0]


def test_a63_every_turn_moves_the_end_of_the_session(sessions: Sessions, clock: Clock) -> None:
    for number in range(len(SAID)):
        assert told(sessions, number)["receipt"]["session"]["number"] == number + 1
        clock.now += sessions.ttl_seconds - 1


def test_a63_a_session_does_not_expire_under_the_turn_that_goes_on_with_it(
    sessions: Sessions, clock: Clock, whole: list[str]
) -> None:
    """A model may take its time while the last second runs out."""
    told(sessions, 0)
    clock.now += sessions.ttl_seconds - 0.5
    begin = sessions.orchestrator.begin

    def slow(*given: Any) -> Any:
        clock.now += 1.0
        return begin(*given)

    thinking: Any = Wrapping(sessions.orchestrator, begin=slow)
    assert bytes_of(told(replace(sessions, orchestrator=thinking), 1)) == whole[1]
    assert bytes_of(told(sessions, 2)) == whole[2]


def test_a63_what_expired_is_purged_by_later_turns_and_a_failing_purge_costs_nothing(
    sessions: Sessions, clock: Clock
) -> None:
    told(sessions, 0)
    clock.now += sessions.ttl_seconds + PURGE_SECONDS

    def other(over: Sessions, text: str) -> None:
        asyncio.run(over.process_turn("session_2", text))

    other(replace(sessions, store=failing(sessions.store, "purge")), SAID[0])
    other(sessions, SAID[1])
    assert sessions.store.purge(now=clock.now) == 0
    assert not sessions.delete(ID)
    assert sessions.delete("session_2")


def test_a63_a_session_deleted_under_its_turn_is_gone_after_it(sessions: Sessions) -> None:
    told(sessions, 0)
    inside, leave = threading.Event(), threading.Event()
    begin = sessions.orchestrator.begin

    def waiting(*given: Any) -> Any:
        inside.set()
        assert leave.wait(SOON)
        return begin(*given)

    slow: Any = Wrapping(sessions.orchestrator, begin=waiting)
    with ThreadPoolExecutor(2) as pool:
        turn = pool.submit(told, replace(sessions, orchestrator=slow), 1)
        assert inside.wait(SOON)
        deleted = pool.submit(sessions.delete, ID)
        leave.set()
        assert turn.result(SOON)["receipt"]["session"]["number"] == 2
        assert deleted.result(SOON)
    with pytest.raises(NotFound):
        sessions.show(ID)


def test_a63_a_writer_who_comes_between_is_told_of_and_not_overwritten(sessions: Sessions) -> None:
    """As when a connection is lost that carried the lock."""
    told(sessions, 0)
    begin = sessions.orchestrator.begin
    unlocked = replace(sessions, store=Wrapping(sessions.store, hold=_no_lock))  # type: ignore[arg-type]

    def overtaken(*given: Any) -> Any:
        with ThreadPoolExecutor(1) as pool:  # a loop of its own
            pool.submit(told, unlocked, 1, text="people will laugh", message_id="other").result()
        return begin(*given)

    slow: Any = Wrapping(sessions.orchestrator, begin=overtaken)
    with pytest.raises(SessionConflict):
        told(replace(sessions, orchestrator=slow), 1)
    assert sessions.show(ID)["last"]["receipt"]["session"]["number"] == 2
    assert told(sessions, 2)["receipt"]["session"]["number"] == 3


@contextmanager
def _no_lock(_session_id: str, *, seconds: float) -> Iterator[None]:
    yield


# A turn that is given up ------------------------------------------------------------------------


def writing(sessions: Sessions, *script: Any) -> Sessions:
    return replace(sessions, model=ScriptedModel(*script))


async def in_thread(work: Callable[[], Any]) -> Any:
    return await asyncio.to_thread(work)


def test_a63_a_turn_cancelled_while_a_model_writes_has_not_been(sessions: Sessions) -> None:
    expected = bytes_of(told(writing(replace(sessions, store=MemorySessions()), WROTE), 0))
    model = ScriptedModel(Late(), WROTE)
    slow = replace(sessions, model=model)

    async def given_up() -> str:
        turn = asyncio.create_task(
            slow.process_turn(ID, SAID[0], message_id="m0", offload=in_thread)
        )
        while not model.requests:
            await asyncio.sleep(0.001)
        turn.cancel()
        with pytest.raises(asyncio.CancelledError):
            await turn
        with pytest.raises(NotFound):
            sessions.show(ID)
        again = await slow.process_turn(ID, SAID[0], message_id="m0", offload=in_thread)
        return bytes_of(dict(again.record))

    assert asyncio.run(given_up()) == expected


def test_a63_a_turn_cancelled_while_it_waits_for_its_session_leaves_it_free(
    sessions: Sessions, whole: list[str]
) -> None:
    begun: list[str] = []

    def begin(_state: object, text: str, _tracer: object) -> None:
        begun.append(text)

    deaf: Any = Wrapping(sessions.orchestrator, begin=begin)
    modelled = replace(writing(sessions, "nothing of use"), orchestrator=deaf)

    async def given_up() -> None:
        with sessions.store.hold(ID, seconds=0):
            turn = asyncio.create_task(modelled.process_turn(ID, SAID[0], offload=in_thread))
            await asyncio.sleep(0.05)
            turn.cancel()
            with pytest.raises(asyncio.CancelledError):
                await turn

    asyncio.run(given_up())  # its end waits for the thread
    assert begun == []
    assert bytes_of(told(sessions, 0)) == whole[0]


def test_a63_letting_go_of_a_session_holds_up_nobody_else(sessions: Sessions) -> None:
    """A server that holds the locks may answer late; the loop has other people to serve."""
    on_the_loop: list[bool] = []

    @contextmanager
    def hold(session_id: str, *, seconds: float) -> Iterator[None]:
        with sessions.store.hold(session_id, seconds=seconds):
            yield
            on_the_loop.append(threading.current_thread() is threading.main_thread())

    store: Any = Wrapping(sessions.store, hold=hold)
    over = replace(writing(sessions, WROTE, Late()), store=store)

    async def turns() -> None:
        for _ in range(2):
            await over.process_turn(ID, SAID[0], message_id="m0", offload=in_thread)
        turn = asyncio.create_task(over.process_turn(ID, SAID[1], offload=in_thread))
        await asyncio.sleep(0.2)
        turn.cancel()
        with pytest.raises(asyncio.CancelledError):
            await turn

    asyncio.run(turns())
    assert sessions.delete(ID)  # once it is free
    assert on_the_loop == [False] * 3


# What lies on the disk --------------------------------------------------------------------------


def test_a63_no_word_of_it_lies_on_the_disk(sessions: Sessions, tmp_path: Path) -> None:
    """Neither in the file, nor in its log, nor where it was deleted, nor the id of the session."""
    key = load_or_create_key(tmp_path / "key")
    store, log = SqliteSessions(tmp_path), SqliteEvents(tmp_path)
    over = replace(sessions, store=store, log=log, cipher=AesGcmCipher([key]))
    with sqlite3.connect(tmp_path / "conversations.sqlite3") as open_as_well:  # keeps the log there
        open_as_well.execute("SELECT count(*) FROM session").fetchall()
        for text in (f"I worry about {CANARY}", f"they will all say {CANARY}", "fear", "8"):
            turn = over.process_turn(CANARY, text, message_id=f"{CANARY}-{len(text)}")
            record = asyncio.run(turn).record
        assert CANARY in json.dumps(record["state"])
        shared = {path.name for path in tmp_path.rglob("*") if CANARY_BYTES & parts(path)}
        names = [path.name for path in tmp_path.rglob("*")]
    open_as_well.close()
    assert any(name.endswith("-wal") for name in names)
    assert shared == set()
    assert not any(CANARY in name for name in names)


KILOBYTES = 10 * 1_024  # what an idle session may take
MANY = 500


@pytest.mark.parametrize("language", ["en", "es"])
def test_a63_an_idle_session_takes_less_than_ten_kilobytes(
    sessions: Sessions, tmp_path: Path, language: str
) -> None:
    """The largest record of a session, in each of many; log and index of the file included."""
    largest = max(bodies(sessions, language), key=len)
    store = SqliteSessions(tmp_path)
    for number in range(MANY):
        sealed = sessions.cipher.seal(largest, bound_to=str(number))
        store.save(str(number), sealed, expected=0, now=0.0, expires_at=1.0)
    taken = sum(path.stat().st_size for path in tmp_path.rglob("*") if path.is_file())
    assert taken / MANY < KILOBYTES


def bodies(sessions: Sessions, language: str) -> Iterator[bytes]:
    """What is sealed after each turn of a full session."""
    opening = Opening(language=language)
    said = (*NORMAL[language], VAGUE[language], RATED[language], VAGUE[language], VAGUE[language])
    for text in said:
        asyncio.run(sessions.process_turn(ID, text, opening=opening))
        stored = sessions.store.load(ID, now=sessions.clock())
        assert stored is not None
        yield sessions.cipher.unseal(stored.body, bound_to=ID)


CANARY_BYTES = {CANARY.encode(), CANARY.encode("utf-16-le"), b"worry about"}


def parts(path: Path) -> set[bytes]:
    """Which of the planted words a file holds."""
    held = path.read_bytes() if path.is_file() else b""
    return {word for word in CANARY_BYTES if word in held}


def test_a63_the_events_of_a_session_hold_no_word_of_it(sessions: Sessions) -> None:
    log = MemoryEvents()
    over = replace(sessions, log=log)
    for text in (f"I worry about {CANARY}", f"they will all say {CANARY}"):
        asyncio.run(over.process_turn(CANARY, text))
    events = json.dumps(list(log.read()))
    assert len(list(log.read())) == 2
    assert CANARY not in events
    assert "worry" not in events
