"""Sessions that last: one turn at a time, whole or not at all, and the same when asked again.

A turn is decided from the stored state alone and written with its reply in one step. A process that
dies in the middle has written nothing, and the same message then makes the same turn; one that dies
after writing has the reply stored under the message's id.
"""

from __future__ import annotations

import re
import threading
import time
from asyncio import CancelledError
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from handrail.domain.outcome import Disclosure, Receipt
from handrail.domain.text import digest
from handrail.domain.trace import Tracer
from handrail.errors import (
    HandrailError,
    InvalidInput,
    NotFound,
    StoreFailed,
    TimedOut,
)
from handrail.flows.reframe import proof
from handrail.flows.reframe.emit import Ready
from handrail.flows.reframe.events import event_of
from handrail.flows.reframe.experiments import Arm, assigned, enabled
from handrail.flows.reframe.limits import Limits
from handrail.flows.reframe.orchestrator import Orchestrator
from handrail.flows.reframe.record import recorded
from handrail.flows.reframe.result import TurnResult, shown
from handrail.flows.reframe.snapshot import Snapshot
from handrail.flows.reframe.state import Opened, SessionState
from handrail.flows.reframe.writing import Written
from handrail.ports import ChatModel, Cipher, EventLog, SessionStore
from handrail.rails.disclosure import Discloser
from handrail.rails.verification import Check

Offload = Callable[[Callable[[], Any]], Awaitable[Any]]

LANGUAGES = ("en", "es")
PURGE_SECONDS = 300.0
_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """What a caller may ask of a session that begins; later turns leave it as it is.

    ``max_turns`` and ``followups`` are the person's wish and never more than the configuration
    allows (A50).
    """

    language: str | None = None
    country: str | None = None
    max_turns: int | None = None
    followups: int | None = None
    minor: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """One processed turn: the record that every face shows, and how it came about.

    ``result`` is None where the record was read again.
    """

    record: Mapping[str, Any]
    result: TurnResult | None
    tracer: Tracer


@dataclass(slots=True, kw_only=True)
class Sessions:
    """Every session of one store; safe to share between threads, and workers may share the store.

    ``clock`` gives seconds since the epoch, ``wait_seconds`` is how long a turn waits for another
    turn of its session, ``model_share`` the share of sessions in which a model may write.
    """

    orchestrator: Orchestrator
    store: SessionStore
    cipher: Cipher
    model: ChatModel | None = None
    limits: Limits = field(default_factory=Limits)
    language: str = "en"
    country: str | None = None
    arms: Sequence[Arm] = ()
    model_share: float = 1.0
    ttl_seconds: float = 3600.0
    wait_seconds: float = 10.0
    log: EventLog | None = None
    discloser: Discloser | None = None
    clock: Callable[[], float] = time.time
    _purged: float = field(default=0.0)

    async def process_turn(
        self,
        session_id: str,
        text: str,
        *,
        message_id: str = "",
        opening: Opening | None = None,
        tracer: Tracer | None = None,
        offload: Offload | None = None,
    ) -> Told:
        """The session's next turn (A28, A29), or the last one again for its ``message_id``.

        Raises `InvalidInput` for an id that cannot be one, or one that stands for another message,
        `SessionBusy` when another turn takes too long, and what the store raises.
        """
        _require_id(session_id)
        opening, tracer = _usable(opening or Opening()), tracer or Tracer("turn")
        away = offload or _here
        turn = _Turn(self, session_id, text, message_id, opening, tracer)
        if self.model is None:
            told: Told = await away(turn.whole)
        else:
            told = await self._with_model(turn, self.model, away)
        return told

    async def _with_model(self, turn: _Turn, model: ChatModel, away: Offload) -> Told:
        """The turn in parts, since a model is waited for on the loop."""
        try:
            ready = await away(turn.prepared)
            written = None
            if isinstance(ready, Ready):
                written = await self.orchestrator.written(ready, model)
            told: Told = await away(partial(turn.ended, ready, written))
            return told
        finally:
            if not turn.left:  # letting go may wait for a server, which the loop must not
                threading.Thread(target=turn.leave, name="handrail-leave", daemon=True).start()

    def show(self, session_id: str) -> dict[str, Any]:
        """Where a session stands, and its last turn; raises `NotFound`."""
        kept = self._load(session_id, now=self.clock())
        if kept is None:
            raise NotFound("no such session: it ended, expired, or never was. Start a new one")
        return {
            "session_id": session_id,
            "state": shown(kept.state),
            "end_of_session": kept.state.ended,
            "last": kept.last,
        }

    def delete(self, session_id: str) -> bool:
        """Forget a session and all that was said in it; whether there was one."""
        _require_id(session_id)
        with _typed(), self.store.hold(session_id, seconds=self.wait_seconds):
            return self.store.delete(session_id)

    def override(
        self,
        session_id: str,
        *,
        by: str,
        max_turns: int | None = None,
        followups: int | None = None,
    ) -> dict[str, Any]:
        """Limits that a therapist sets for a session under way (A50); raises `NotFound`."""
        _require_id(session_id)
        with _typed(), self.store.hold(session_id, seconds=self.wait_seconds):
            kept = self._load(session_id, now=self.clock())
            if kept is None:
                raise NotFound("no such session: it ended, expired, or never was")
            state = kept.state
            limits = state.limits.overridden(by=by, max_turns=max_turns, followups=followups)
            left = limits.followups - (state.limits.followups - state.position.followups_left)
            position = replace(state.position, followups_left=max(0, left))
            self._save(
                session_id, replace(kept, state=replace(state, limits=limits, position=position))
            )
        return self.show(session_id)

    def verify(
        self, receipt: Receipt, value: Any, *, messages: Sequence[str] | None
    ) -> tuple[Check, ...]:
        """Every check of a turn's receipt; no stored session is needed or looked at."""
        return proof.checks(self.orchestrator, receipt, value, messages=messages)

    def opened(self, session_id: str, opening: Opening) -> SessionState:
        """A session before its first message; all of it follows from the id and the settings."""
        arm = assigned(self.arms, session_id)
        configured = replace(
            self.limits,
            max_turns=arm.max_turns or self.limits.max_turns,
            followups=self.limits.followups if arm.followups is None else arm.followups,
        )
        limits = configured.preferred(max_turns=opening.max_turns, followups=opening.followups)
        begun = SessionState.begun(
            Opened(
                language=opening.language or self.language,
                fixed=opening.language is not None,
                country=opening.country or self.country,
            ),
            limits=limits,
            seed=int(digest("seed", session_id)[:8], 16),
            arm=arm.name,
            writes=enabled("model", self.model_share, session_id),
        )
        return replace(begun, minor=opening.minor)

    def _load(self, session_id: str, *, now: float) -> Snapshot | None:
        _require_id(session_id)
        with _typed():
            stored = self.store.load(session_id, now=now)
            if stored is None:
                return None
            packed = self.cipher.unseal(stored.body, bound_to=session_id)
        return Snapshot.unpacked(packed, version=stored.version, at=now)

    def _save(self, session_id: str, kept: Snapshot) -> None:
        """Write it as of the time of reading: a session does not expire under its own turn."""
        now = self.clock()
        with _typed():
            sealed = self.cipher.seal(kept.packed(), bound_to=session_id)
            if not isinstance(sealed, bytes):  # a store might take it and never give it back
                raise TypeError
            self.store.save(
                session_id,
                sealed,
                expected=kept.version,
                now=kept.at,
                expires_at=now + self.ttl_seconds,
            )
        if now - self._purged >= PURGE_SECONDS:
            self._purged = now
            with suppress(Exception, CancelledError):  # the turn is saved; the next one purges
                self.store.purge(now=now)


class _Turn:
    """One turn on its way through the store."""

    def __init__(
        self,
        sessions: Sessions,
        session_id: str,
        text: str,
        message_id: str,
        opening: Opening,
        tracer: Tracer,
    ) -> None:
        self.sessions, self.session_id, self.text = sessions, session_id, text
        self.message_id, self.opening, self.tracer = message_id, opening, tracer
        self.kept: Snapshot
        self.left = False
        self._held: AbstractContextManager[None] | None = None
        self._lock = threading.Lock()

    def whole(self) -> Told:
        """The turn where no model is asked, in one go."""
        try:
            return self.ended(self.prepared())
        finally:
            self.leave()

    def prepared(self) -> Ready | TurnResult | Told:
        """The turn up to its words; the one that stands, where its message comes once more."""
        self._enter()
        if (again := self._again()) is not None:
            return again
        return self.sessions.orchestrator.begin(self.kept.state, self.text, self.tracer)

    def ended(self, ready: Ready | TurnResult | Told, written: Written | None = None) -> Told:
        """The turn with its words, written to the store; the session is free again."""
        try:
            if isinstance(ready, Ready):
                ready = self.sessions.orchestrator.finish(ready, written)
            return self._settled(ready) if isinstance(ready, TurnResult) else ready
        finally:
            self.leave()

    def _enter(self) -> None:
        """Hold the session and read it; a turn that was left meanwhile holds nothing."""
        sessions = self.sessions
        with _typed():
            held = sessions.store.hold(self.session_id, seconds=sessions.wait_seconds)
            held.__enter__()
        with self._lock:
            self._held = held
            if self.left:
                self._let_go()
                raise TimedOut("the turn was given up while it waited for its session")
        now = sessions.clock()
        with self.tracer.step("load"):
            kept = sessions._load(self.session_id, now=now)
        self.kept = kept or Snapshot(state=sessions.opened(self.session_id, self.opening), at=now)

    def leave(self) -> None:
        """Let the session go; also for work that is still waiting for it in a thread."""
        with self._lock:
            self.left = True
            self._let_go()

    def _let_go(self) -> None:
        held, self._held = self._held, None
        if held is not None:
            with suppress(Exception, CancelledError):  # what was said is kept, or told otherwise
                held.__exit__(None, None, None)

    def _again(self) -> Told | None:
        """The last turn, where its message comes once more; raises `InvalidInput` for an older."""
        kept = self.kept
        if not self.message_id:
            return None
        if kept.has_answered(self.message_id):
            raise InvalidInput("this message was answered earlier in the session. Send a new id")
        if self.message_id != kept.last_id or kept.last is None:
            return None
        if digest(self.text) != kept.last_sha:
            raise InvalidInput("this message id stands for another message. Send a new id")
        return Told(record=kept.last, result=None, tracer=self.tracer)

    def _settled(self, result: TurnResult) -> Told:
        """Write the turn, then tell of it; a fault wrote nothing and may be tried again."""
        notices, result = self._disclosed(result)
        record = recorded(self.session_id, result, notices, marked=self._marked())
        if result.state.messages > self.kept.state.messages:
            kept = self.kept.after(result.state, record, message_id=self.message_id, text=self.text)
            with self.tracer.step("save"):
                self.sessions._save(self.session_id, kept)
            self._log(result)
        return Told(record=record, result=result, tracer=self.tracer)

    def _disclosed(self, result: TurnResult) -> tuple[tuple[Disclosure, ...], TurnResult]:
        """The notices that are due beside the reply; where reading hangs, all that may be."""
        discloser, state = self.sessions.discloser, result.state
        if discloser is None:
            return (), result
        try:
            notices, seen = discloser.beside(
                self.text, seen=state.seen, minor=state.minor, language=state.user_language
            )
        except Exception:  # noqa: BLE001  a notice too many is the safe side
            notices, seen = discloser.unread(
                seen=state.seen, minor=state.minor, language=state.user_language
            )
        return notices, replace(result, state=replace(state, seen=seen))

    def _marked(self) -> bool:
        discloser = self.sessions.discloser
        return discloser is not None and discloser.duties.mark_synthetic

    def _log(self, result: TurnResult) -> None:
        log = self.sessions.log
        if log is None:
            return
        event = event_of(
            self.session_id,
            self.kept.state,
            self.text,
            result,
            at=self.sessions.clock(),
            ms=self.tracer.elapsed_ms,
        )
        try:
            log.append([event])
        except (Exception, CancelledError):  # noqa: BLE001  a report costs no person the reply
            self.tracer.flags["event_lost"] = True


async def _here(work: Callable[[], Any]) -> Any:
    return work()


@contextmanager
def _typed() -> Iterator[None]:
    """What a store or a cipher raises as ours; its own words might repeat what was said."""
    try:
        yield
    except HandrailError:
        raise
    except (Exception, CancelledError) as error:  # noqa: BLE001  no one else was cancelled
        raise StoreFailed(
            f"the sessions could not be used ({type(error).__name__}). Look at their store, and "
            "send the message again"
        ) from None


def _require_id(session_id: str) -> None:
    if not _ID.fullmatch(session_id):
        raise InvalidInput("a session id has 1 to 64 letters, digits, - or _")


def _usable(opening: Opening) -> Opening:
    if opening.language is not None and opening.language not in LANGUAGES:
        raise InvalidInput(f"sessions are held in {' or '.join(LANGUAGES)}")
    return opening
