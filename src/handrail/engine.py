"""The engine: one object that owns rails and collections; every face talks to it alone."""

from __future__ import annotations

import asyncio
import threading
import uuid
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from handrail.calls.deadline import within
from handrail.calls.lane import Lane
from handrail.content import CoachContent, corpora
from handrail.corpus.build import BuildReport, Progress, Standing
from handrail.corpus.collection import Collection
from handrail.corpus.columns import ColumnMap
from handrail.corpus.library import Library
from handrail.domain.duties import UNSEEN, NoticeState
from handrail.domain.outcome import Outcome, Reason, Receipt, Referral, SafetyResponse
from handrail.domain.risk import Risk
from handrail.domain.text import Case
from handrail.domain.trace import Run, Tracer
from handrail.errors import (
    HandrailError,
    IndexMismatch,
    InvalidInput,
    NotFound,
    SearchFailed,
    TimedOut,
    UsageError,
)
from handrail.flows.coach import Coach, proof
from handrail.ports import Handoff, Observer
from handrail.rails.disclosure import Discloser
from handrail.rails.front import Front
from handrail.rails.receipt import opened
from handrail.rails.release import Context, abstain
from handrail.rails.verification import Check, Verification
from handrail.retrieval import CaseSearch, Found
from handrail.settings import Settings

if TYPE_CHECKING:  # a flow is loaded when somebody asks for it
    from handrail.domain.entity import ChatType
    from handrail.flows.guide.desk import Desk
    from handrail.flows.guide.flow import GuideAsked, Guided
    from handrail.flows.guide.found import Found as GuideFound
    from handrail.flows.reframe import Opening, Sessions, Told

HANDOFF_SECONDS = 1.0  # how long a reply to somebody in danger waits for a hook
CLOSE_SECONDS = 1.0  # for a model's connections

STARTER = "starter"
"""The packaged corpus; its collection is built on first use."""

T = TypeVar("T")
Offload = Callable[[Callable[[], Any]], Awaitable[Any]]


@dataclass(slots=True)
class Engine:
    """Made by `handrail.bootstrap.build_engine`; safe to share between threads and requests.

    ``coach_over`` builds the coach over one collection; collections are opened once and kept until
    they are rebuilt.
    """

    settings: Settings
    library: Library
    front: Front
    coach_over: Callable[[Collection], Coach]
    discloser: Discloser
    observers: Sequence[Observer] = ()
    handoff: Handoff | None = None
    make_sessions: Callable[[], Sessions] | None = None
    make_desk: Callable[[], Desk] | None = None
    new_id: Callable[[], str] = lambda: uuid.uuid4().hex
    _sessions: Sessions | None = None
    _desk: Desk | None = None
    _opened: dict[str, tuple[Collection, Coach]] = field(default_factory=dict)
    _lane: Lane = field(init=False)
    _opening: Lane = field(init=False)
    _telling: Lane = field(init=False)
    _lock: threading.RLock = field(default_factory=threading.RLock)
    # Apart from the one that is held while a collection opens: nobody in danger waits for that.
    _flows: threading.RLock = field(default_factory=threading.RLock)

    def __post_init__(self) -> None:
        self._lane = Lane(self.settings.coach.reply_seconds)
        self._opening = Lane(self.settings.coach.open_seconds)
        self._telling = Lane(HANDOFF_SECONDS)

    def add(
        self,
        file: Path,
        *,
        collection: str,
        columns: ColumnMap | None = None,
        progress: Callable[[Progress], None] | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> BuildReport:
        """Index a file into a collection, new texts only; what was there stays there."""
        report = self.library.add(
            [file], collection, columns=columns, progress=progress, cancelled=cancelled
        )
        self.forget(collection)
        return report

    def ensure_starter(
        self, progress: Callable[[Progress], None] | None = None
    ) -> BuildReport | None:
        """Index the packaged corpus unless that was done; None when it was."""
        with self._lock:
            if self.library.exists(STARTER):
                return None
            return self.library.add(corpora(STARTER), STARTER, progress=progress)

    def forget(self, collection: str) -> None:
        """Open the collection afresh at its next use."""
        with self._lock:
            self._opened.pop(collection, None)

    def coach_for(self, collection: str) -> Coach:
        """The coach over ``collection``; raises what opening it raises, with the next step."""
        return self._open(collection)[1]

    def collection(self, name: str) -> Collection:
        """The opened collection; raises what opening it raises, with the next step."""
        return self._open(name)[0]

    def _open(self, name: str) -> tuple[Collection, Coach]:
        with self._lock:
            if name not in self._opened:
                collection = self._open_starter() if name == STARTER else self.library.open(name)
                self._opened[name] = (collection, self.coach_over(collection))
            return self._opened[name]

    def searcher(self, collection: str) -> CaseSearch:
        """Retrieval over ``collection``."""
        return self.coach_for(collection).search

    def _open_starter(self) -> Collection:
        """The packaged corpus, indexed anew when the model or the format has changed since."""
        self.ensure_starter()
        try:
            return self.library.open(STARTER)
        except IndexMismatch:
            self.library.add(corpora(STARTER), STARTER, standing=Standing.DISCARD)
            return self.library.open(STARTER)

    @property
    def content(self) -> CoachContent:
        """The reviewed lines."""
        return self.front.content

    def check(self, message: str) -> Risk:
        """What the crisis screen and its second reader say; no index, nothing stored."""
        return self.front.check(message)

    def tracer(self, trace_id: str | None = None) -> Tracer:
        """A tracer for one message."""
        return Tracer(trace_id or self.new_id())

    def search(
        self, query: str, *, collection: str = STARTER, k: int = 3, tracer: Tracer | None = None
    ) -> Found:
        """The ``k`` most similar cases with their nearest sentences.

        Raises `SearchFailed` for a part that breaks, and `TimedOut` for one that hangs.
        """
        if not query.strip():
            raise InvalidInput("the query is empty. Write a few words about the concern")
        if k < 1:
            raise InvalidInput(f"k is {k}. Ask for at least one case")
        tracer = tracer or self.tracer()
        found = self._found(query, collection, k, tracer)
        ids = tuple(c.passage.document_id for c in found.ranking.candidates)
        self._observe(Run(flow="search", outcome="found", case_ids=ids, trace=tracer.trace()))
        return found

    async def coach(
        self,
        message: str,
        *,
        collection: str = STARTER,
        case_ids: Sequence[str] = (),
        country: str | None = None,
        trace_id: str | None = None,
        offload: Offload | None = None,
        screen_offload: Offload | None = None,
        before_index: Callable[[], None] | None = None,
        seen: NoticeState = UNSEEN,
        minor: bool = False,
    ) -> Outcome:
        """The coach's outcome for one message; danger is answered before any index is opened.

        ``seen`` says when the person last saw which notice, and comes back with the outcome as
        ``notice_state``; ``minor`` that they are known to be one.

        ``offload`` runs CPU work, and ``screen_offload`` that of the screens; by default in
        threads, under the time limits of the settings. A part that breaks or hangs leads to an
        abstention with people to turn to; what the caller or the operator can mend is raised.
        ``before_index`` is called once the message was screened.
        """
        tracer = self.tracer(trace_id)
        screening = screen_offload or offload or self._lane.run
        admitted = await self._admitted(message, tracer, country, screening)
        if isinstance(admitted, Context):
            if before_index is not None:
                before_index()
            outcome = await self._answered(admitted, collection, case_ids, offload)
        else:
            outcome = admitted
        outcome = await self._disclosed(outcome, message, seen, minor, screening)
        told = await self._handed_on(outcome)
        self._observe(replace(_run(outcome), referral=self._referral(outcome), handoff=told))
        return outcome

    @property
    def sessions(self) -> Sessions:
        """The reframing sessions; built at the first use, raises what building raises."""
        with self._flows:
            if self._sessions is None:
                if self.make_sessions is None:
                    raise UsageError("this engine was built without sessions. Use build_engine")
                self._sessions = self.make_sessions()
            return self._sessions

    @property
    def desk(self) -> Desk:
        """The guide and its entities; built at the first use, raises what building raises."""
        if self._desk is not None:  # nobody in danger waits while sessions are built
            return self._desk
        with self._flows:
            if self._desk is None:
                if self.make_desk is None:
                    raise UsageError("this engine was built without a guide. Use build_engine")
                self._desk = self.make_desk()
            return self._desk

    async def guide(
        self,
        message: str,
        *,
        user_state: Mapping[str, object] | None = None,
        chat_type: ChatType | None = None,
        shown: Sequence[str] = (),
        country: str | None = None,
        trace_id: str | None = None,
        offload: Offload | None = None,
        screen_offload: Offload | None = None,
        seen: NoticeState = UNSEEN,
        minor: bool = False,
    ) -> Guided:
        """The guide's reply to a parent, with the final set of entities it was made from.

        ``shown`` are ids of entities of the last three turns, which are passed over; the rest is as
        in `coach`. Danger is answered before anything is embedded.
        """
        from handrail.flows.guide.flow import GuideAsked, Guided

        asked = GuideAsked(
            user_state=dict(user_state or {}), chat_type=chat_type, shown=tuple(shown)
        )
        tracer = self.tracer(trace_id)
        screening = screen_offload or offload or self._lane.run
        away = offload or self._lane.run
        try:
            admitted = await screening(
                lambda: self.desk.guide.admit(message, tracer, asked, country=country)
            )
        except UsageError:
            raise
        except Exception as error:  # noqa: BLE001  a gate that fails lets nothing through
            admitted = Guided(await self._unguided(message, tracer, error, country), None)
        if isinstance(admitted, Context):
            context = admitted
            made = await _unbroken(context, lambda: self._guided(context, asked, away))
            admitted = made if isinstance(made, Guided) else Guided(made, None)
        guided: Guided = admitted
        discloser = replace(self.discloser, suffix="-guide")
        outcome = await self._disclosed(guided.outcome, message, seen, minor, screening, discloser)
        told = await self._handed_on(outcome)
        run = replace(_run(outcome), flow="guide", referral=self._referral(outcome), handoff=told)
        self._observe(run)
        return replace(guided, outcome=outcome)

    async def _guided(self, context: Context, asked: GuideAsked, away: Offload) -> Guided:
        """The answer, once the entities are read: at first that takes longer than a reply."""
        if not self.desk.live.is_read:
            await self._opening.run(lambda: self.desk.guide.search.catalogue().meaning)
        return await self.desk.guide.answer(context, asked, away=away)

    async def _unguided(
        self, message: str, tracer: Tracer, error: Exception, country: str | None
    ) -> Outcome:
        """Help for somebody in danger though the guide cannot be built; else an abstention."""
        admitted = await self._admitted(message, tracer, country, self._lane.run)
        if isinstance(admitted, Context):
            return self.front.failed(message, tracer, error)
        return admitted

    def guide_find(
        self,
        message: str,
        *,
        user_state: Mapping[str, object] | None = None,
        chat_type: ChatType | None = None,
        shown: Sequence[str] = (),
        tracer: Tracer | None = None,
    ) -> GuideFound:
        """The final set alone, as the deterministic twin ranks it; no reply and no model."""
        from handrail.flows.guide.flow import GuideAsked

        if not message.strip():
            raise InvalidInput("the message is empty. Write a sentence or two about what happened")
        asked = GuideAsked(
            user_state=dict(user_state or {}), chat_type=chat_type, shown=tuple(shown)
        )
        guide = self.desk.guide
        tracer = tracer or self.tracer()
        found = guide.find(message, asked, risk=guide.front.check(message), tracer=tracer)
        self._observe(Run(flow="guide_retrieve", outcome="found", trace=tracer.trace()))
        return found

    def guide_now(self, message: str, **options: Any) -> Guided:
        """`guide` for callers without an event loop."""
        return asyncio.run(self._guide_and_close(message, options))

    async def _guide_and_close(self, message: str, options: Mapping[str, Any]) -> Guided:
        try:
            return await self.guide(message, **options)
        finally:
            await self.close()

    async def chat(
        self,
        session_id: str,
        message: str,
        *,
        message_id: str = "",
        opening: Opening | None = None,
        trace_id: str | None = None,
        offload: Offload | None = None,
    ) -> Told:
        """The next turn of a reframing session (A28); the same ``message_id`` gives it again.

        Raises what `handrail.flows.reframe.Sessions.process_turn` raises, and `TimedOut`: the turn
        may stand all the same, and the ``message_id`` fetches it.
        """
        sessions: Sessions = await (offload or self._opening.run)(lambda: self.sessions)
        told = await sessions.process_turn(
            session_id,
            message,
            message_id=message_id,
            opening=opening,
            tracer=self.tracer(trace_id),
            offload=offload or self._lane.run,
        )
        if told.result is not None:
            outcome = replace(told.result.outcome, trace=told.tracer.trace())
            handed = await self._handed_on(outcome)
            run = replace(_run(outcome), flow="reframe", referral=self._referral(outcome))
            self._observe(replace(run, handoff=handed))
        return told

    def process_turn(self, session_id: str, text: str) -> Mapping[str, Any]:
        """The record of the session's next turn, for callers without an event loop (A29)."""
        return self.chat_now(session_id, text).record

    def chat_now(self, session_id: str, message: str, **options: Any) -> Told:
        """`chat` for callers without an event loop."""
        return asyncio.run(self._chat_and_close(session_id, message, options))

    async def _chat_and_close(
        self, session_id: str, message: str, options: Mapping[str, Any]
    ) -> Told:
        try:
            return await self.chat(session_id, message, **options)
        finally:
            await self.close()

    async def _disclosed(
        self,
        outcome: Outcome,
        message: str,
        seen: NoticeState,
        minor: bool,
        away: Offload,
        discloser: Discloser | None = None,
    ) -> Outcome:
        """The outcome with the notices that are due; where reading hangs, with all that may be."""
        language = outcome.risk.language
        discloser = discloser or self.discloser
        try:
            notices, state = await away(
                lambda: discloser.beside(message, seen=seen, minor=minor, language=language)
            )
        except Exception:  # noqa: BLE001  a notice too many is the safe side
            notices, state = discloser.unread(seen=seen, minor=minor, language=language)
        marked = self.front.duties.mark_synthetic
        return replace(outcome, notices=notices, notice_state=state, marked=marked)

    async def _handed_on(self, outcome: Outcome) -> str | None:
        """Tell the hook that somebody was sent to people, without any of their words."""
        hook = self.handoff if self.front.duties.human_handoff else None
        if hook is None or not isinstance(outcome, SafetyResponse):
            return None
        risk = outcome.risk
        told = Referral(level=risk.level.label, kinds=risk.kinds, receipt_id=outcome.receipt.id)
        try:
            await self._telling.run(lambda: hook.referred(told))
        except TimedOut:
            return "late"
        except Exception:  # noqa: BLE001  whoever is in danger gets the reply all the same
            return "failed"
        return "taken"

    def _referral(self, outcome: Outcome) -> tuple[str, ...]:
        """The kinds of danger of a referral, where referrals are to be counted."""
        counted = self.front.duties.referral_counts and isinstance(outcome, SafetyResponse)
        return outcome.risk.kinds if counted else ()

    async def _admitted(
        self, message: str, tracer: Tracer, country: str | None, away: Offload
    ) -> Context | Outcome:
        try:
            admitted: Context | Outcome = await away(
                lambda: self.front.admit(message, tracer, country=country)
            )
        except UsageError:
            raise
        except Exception as error:  # noqa: BLE001  a gate that fails lets nothing through
            return self.front.failed(message, tracer, error)
        return admitted

    async def _answered(
        self,
        context: Context,
        collection: str,
        case_ids: Sequence[str],
        offload: Offload | None,
    ) -> Outcome:
        """The answer, or an abstention for a part that broke."""

        async def answer() -> Outcome:
            coach: Coach = await (offload or self._opening.run)(lambda: self.coach_for(collection))
            return await coach.answer(context, case_ids=case_ids, offload=offload or self._lane.run)

        return await _unbroken(context, answer)

    def coach_now(self, message: str, **options: Any) -> Outcome:
        """`coach` for callers without an event loop."""
        return asyncio.run(self._coach_and_close(message, options))

    async def _coach_and_close(self, message: str, options: Mapping[str, Any]) -> Outcome:
        try:
            return await self.coach(message, **options)
        finally:
            await self.close()

    async def close(self) -> None:
        """Close the connections that models hold on the running loop; another call opens new."""
        models = {id(coach.model): coach.model for _, coach in self._opened.values()}
        if self._sessions is not None:
            models[id(self._sessions.model)] = self._sessions.model
        if self._desk is not None:
            models[id(self._desk.guide.model)] = self._desk.guide.model
        for model in filter(None, models.values()):
            with suppress(Exception):  # nobody is left who could be told
                await within(CLOSE_SECONDS, model.close())

    def case(self, case_id: str, *, collection: str = STARTER) -> Case:
        """A stored case; raises `NotFound`."""
        case = self.collection(collection).by_id(case_id)
        if case is None:
            raise NotFound(f"no case {case_id!r} in collection {collection!r}")
        return case

    def verify(
        self, value: Any, *, message: str | None = None, messages: Sequence[str] | None = None
    ) -> Verification:
        """Check a receipt, or a reply that holds one, against the stored text.

        With the ``message`` the reply is replayed as well, from the recorded choice, and the new
        receipt must be the same; a turn of a session is replayed from all its ``messages``. Raises
        `ReceiptInvalid` or what opening the collection raises.
        """
        receipt = opened(value)
        if receipt.body.get("flow") == "reframe":
            found = self.sessions.verify(receipt, value, messages=messages)
            return Verification(receipt.id, found)
        if receipt.body.get("flow") == "guide":
            return Verification(receipt.id, self._guide_checks(receipt, value, message))
        pinned = proof.recorded(receipt).collection
        coach = self.coach_for(pinned.name) if pinned else None
        tracer = self.tracer()
        found = proof.checks(self.front, coach, receipt, value, message=message, tracer=tracer)
        return Verification(receipt.id, found)

    def _guide_checks(self, receipt: Receipt, value: Any, message: str | None) -> tuple[Check, ...]:
        from handrail.flows.guide import proof as guide_proof

        return guide_proof.checks(
            self.desk.guide, receipt, value, message=message, tracer=self.tracer()
        )

    def _found(self, query: str, collection: str, k: int, tracer: Tracer) -> Found:
        try:
            searcher = self._opening.wait(lambda: self.searcher(collection))
            found = self._lane.wait(lambda: searcher.search(query, k=k, tracer=tracer))
            if not isinstance(found, Found):
                raise TypeError
            return found
        except HandrailError:
            raise
        except Exception as error:  # noqa: BLE001  a library's own words may quote the text
            raise SearchFailed(
                f"the search failed with {type(error).__name__}. Run: handrail index verify"
            ) from None

    def _observe(self, run: Run) -> None:
        for observer in self.observers:
            with suppress(Exception):  # a full disk must not cost a person the reply
                observer.observed(run)


async def _unbroken(context: Context, work: Callable[[], Awaitable[T]]) -> T | Outcome:
    """What ``work`` gives, or an abstention for a part that broke or hung.

    What the caller or the operator can mend is raised.
    """
    try:
        return await work()
    except TimedOut as error:
        return _broken(context, error)
    except HandrailError:
        raise
    except Exception as error:  # noqa: BLE001  it may hold text; its type is in the trace
        return _broken(context, error)
    except asyncio.CancelledError as error:
        if _is_cancelled():
            raise
        return _broken(context, error)


def _is_cancelled() -> bool:
    """Whether somebody outside gave up; a part that raises such an error on its own did not."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def _broken(context: Context, error: BaseException) -> Outcome:
    context.tracer.flags["part_failed"] = True
    with context.tracer.step("fault") as facts:
        facts["error"] = type(error).__name__
    return abstain(Reason.PART_FAILED, context)


def _run(outcome: Outcome) -> Run:
    reason = getattr(outcome, "reason", None)
    return Run(
        flow="coach",
        outcome=type(outcome).__name__.lower(),
        reason=reason.value if reason else None,
        risk=outcome.risk.level.label,
        case_ids=tuple(c.passage.document_id for c in outcome.cases),
        sentence_ids=tuple(f"{c.case_id}/{c.sent_id}" for c in outcome.citations),
        dropped_sentences=outcome.dropped_sentences,
        receipt_id=outcome.receipt.id,
        trace=outcome.trace,
    )
