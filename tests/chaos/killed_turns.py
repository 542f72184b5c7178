"""Turns of a session in processes that kill themselves at a chosen event, or meet in a crowd.

One process loads the flow and forks for each job, so that a turn costs milliseconds and yet has a
process of its own. It is started by its path and imports nothing of the tests.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sqlite3
import sys
import threading
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from handrail.adapters.cryptography import AesGcmCipher
from handrail.adapters.memory import MemoryEvents, MemorySessions
from handrail.adapters.sqlite import SqliteEvents, SqliteSessions
from handrail.bootstrap import build_engine
from handrail.domain.trace import Tracer
from handrail.errors import SessionBusy, SessionConflict
from handrail.flows.reframe import Opening, Sessions
from handrail.ports import EventLog, SessionStore
from handrail.settings import SessionSettings, Settings
from handrail.testing.hash_embedder import HashEmbedder
from handrail.testing.scripted_model import ScriptedModel

SESSION = "session_killed"
KEY = "A" * 43 + "="  # 32 bytes in base64
WROTE = (
    "<ui>That sounds heavy, and it makes sense that it stays with you. What goes through your mind "
    'about it?</ui><control>{"next_phase": "clarify"}</control>'
)
GATE_SECONDS = 60.0
PAUSE_SECONDS = 0.02


@dataclass
class Beats:
    """Counts the events of a turn, and ends the process at the ``fatal`` one."""

    fatal: str | None = None
    met: list[str] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)

    def at(self, name: str) -> None:
        """An event: the third one of a name is ``name#3``."""
        self.counts[name] += 1
        self.met.append(f"{name}#{self.counts[name]}")
        if self.met[-1] == self.fatal:
            os.kill(os.getpid(), signal.SIGKILL)

    def begin(self, fatal: str | None) -> None:
        """Count anew."""
        self.met.clear()
        self.counts.clear()
        self.fatal = fatal


class BeatTracer(Tracer):
    """Every step of the trace begins and ends with an event."""

    beats: Beats

    @contextmanager
    def step(self, name: str) -> Iterator[dict[str, object]]:
        self.beats.at(f"{name} begins")
        with super().step(name) as facts:
            yield facts
        self.beats.at(f"{name} ends")


class After:
    """Answers like ``inner``, with an event after each call."""

    def __init__(self, beats: Beats, inner: Any) -> None:
        self._beats, self._inner = beats, inner

    def __getattr__(self, name: str) -> Callable[..., Any]:
        found = getattr(self._inner, name)

        def called(*given: Any, **options: Any) -> Any:
            made = found(*given, **options)
            self._beats.at(f"after {name}")
            return made

        return called


class AfterStore(After):
    """A store with an event after each call, and after a hold began and ended."""

    @contextmanager
    def hold(self, session_id: str, *, seconds: float) -> Iterator[None]:
        with self._inner.hold(session_id, seconds=seconds):
            self._beats.at("held")
            yield
        self._beats.at("let go")


def watch_writes(beats: Beats) -> None:
    """An event before each step that SQLite takes in writing a session, and after its commit."""

    class Watched(sqlite3.Connection):
        def execute(self, sql: str, *given: Any) -> sqlite3.Cursor:
            if not sql.strip().startswith(("INSERT INTO session", "UPDATE session")):
                return super().execute(sql, *given)
            begun = self.total_changes
            self.set_progress_handler(
                lambda: beats.at("writing" if self.total_changes == begun else "committed"), 1
            )
            try:
                return super().execute(sql, *given)
            finally:
                self.set_progress_handler(None, 1)

    plain = sqlite3.connect

    def connect(*given: Any, **options: Any) -> sqlite3.Connection:
        return plain(*given, factory=Watched, **options)

    sqlite3.connect = connect  # type: ignore[assignment]


def opened(kind: str, place: str) -> tuple[SessionStore, EventLog]:
    """The store and the event log at ``place``, as this process opens them."""
    if kind == "memory":
        return MemorySessions(), MemoryEvents()
    if kind == "sqlite":
        return SqliteSessions(Path(place)), SqliteEvents(Path(place))
    from handrail.adapters.postgres import PostgresEvents, PostgresSessions

    return PostgresSessions(place), PostgresEvents(place)


@dataclass
class Speaker:
    """Sends messages over the store of a job and writes each record as a line into its file."""

    sessions: Sessions
    job: dict[str, Any]
    beats: Beats
    descriptor: int

    @classmethod
    def over(cls, flow: Sessions, job: dict[str, Any]) -> Speaker:
        """The flow over the job's own store, with an event after whatever the store does."""
        beats = Beats()
        if job["store"] == "sqlite":
            watch_writes(beats)
        store, log = opened(job["store"], job["place"])
        sessions = replace(
            flow,
            store=AfterStore(beats, store),
            cipher=After(beats, AesGcmCipher([KEY])),
            log=After(beats, log),
            model=ScriptedModel(WROTE) if job.get("model") else None,
        )
        return cls(sessions, job, beats, os.open(job["out"], os.O_CREAT | os.O_APPEND | os.O_RDWR))

    def turn(self, message_id: str, text: str) -> None:
        """One turn, and its record out of this process."""
        tracer = BeatTracer("turn")
        tracer.beats = self.beats
        turn = self.sessions.process_turn(
            SESSION,
            text,
            message_id=message_id,
            opening=Opening(language=self.job["language"]),
            tracer=tracer,
        )
        record = json.dumps([message_id, dict(asyncio.run(turn).record)])
        self.beats.at("before the reply")
        os.write(self.descriptor, f"{record}\n".encode())  # one write: lines of threads stay whole
        self.beats.at("after the reply")

    def insisted(self, message_id: str, text: str) -> None:
        """The same again and again, as a client does that is told to come back."""
        while True:
            try:
                return self.turn(message_id, text)
            except (SessionBusy, SessionConflict):
                time.sleep(0.001)


def alone(flow: Sessions, job: dict[str, Any]) -> None:
    """Send what is ``said``; the last message may kill at ``fatal``, or ``after`` so many seconds.

    Its events are written down where it lived.
    """
    speaker = Speaker.over(flow, job)
    *before, (message_id, text) = job["said"]
    for each in before:
        speaker.insisted(*each)
    speaker.beats.begin(job.get("fatal"))
    if (seconds := job.get("after")) is not None:
        threading.Thread(target=kill_after, args=(seconds,), daemon=True).start()
    speaker.insisted(message_id, text)
    Path(job["out"]).with_suffix(".beats").write_text(json.dumps(speaker.beats.met))


def kill_after(seconds: float) -> None:
    """End this process, wherever it then is."""
    time.sleep(seconds)
    os.kill(os.getpid(), signal.SIGKILL)


def crowd(flow: Sessions, job: dict[str, Any]) -> None:
    """Send each list in ``crowd`` from a thread of its own, once the file ``gate`` is there."""
    speaker = Speaker.over(flow, job)
    Path(job["out"]).with_suffix(".ready").touch()
    ends = time.monotonic() + GATE_SECONDS
    while not Path(job["gate"]).exists():
        assert time.monotonic() < ends, "nobody opened the gate"
        time.sleep(0.001)
    failed: list[BaseException] = []

    def say(said: Sequence[Sequence[str]]) -> None:
        try:
            for message_id, text in said:
                speaker.insisted(message_id, text)
                time.sleep(PAUSE_SECONDS)  # else the one who let go is the first to hold again
        except BaseException as error:  # noqa: BLE001  told by the exit code
            failed.append(error)

    threads = [threading.Thread(target=say, args=(said,)) for said in job["crowd"]]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for error in failed:
        raise error


def forked(flow: Sessions, job: dict[str, Any]) -> int:
    """How a process of its own ended that did ``job``: 0, or less the number of its signal."""
    child = os.fork()
    if not child:
        try:
            (crowd if "crowd" in job else alone)(flow, job)
        except BaseException:  # noqa: BLE001  nothing of the parent's may run on here
            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def main() -> None:
    """Do a job for each line of standard input, and say how it ended."""
    settings = Settings(home=Path(sys.argv[1]), sessions=SessionSettings(store="memory"))
    flow = build_engine(settings, embedder=HashEmbedder(384)).sessions
    for text in ("I'm anxious about a talk", "Quiero hacerme daño"):  # so that no fork does it
        asyncio.run(flow.process_turn(SESSION, text))
    print("ready", flush=True)
    for line in sys.stdin:
        print(forked(flow, json.loads(line)), flush=True)


if __name__ == "__main__":
    main()
