"""An engine whose every part can be broken on command: fakes that wrap, and faults by name."""

from __future__ import annotations

import asyncio
import io
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import pytest

from handrail.adapters.bm25s import Bm25
from handrail.adapters.faiss import FaissFlat
from handrail.adapters.parquet import ParquetTables
from handrail.adapters.re2 import Re2Engine
from handrail.adapters.structlog import StructuredLog
from handrail.bootstrap import build
from handrail.corpus.collection import Formats
from handrail.engine import Engine
from handrail.flows.coach import Coach
from handrail.flows.coach.flow import Prepared
from handrail.settings import CoachSettings, Settings
from handrail.testing.hash_embedder import HashTokenEmbedder
from handrail.testing.schema_sample import choose
from handrail.testing.scripted_model import ScriptedModel
from hostile_property import CANARY
from invented_corpus import CASES, INVENTED, write_corpus

SECONDS = 0.5  # the hard limit of a reply, scaled down and yet enough for a busy machine

Place: TypeAlias = tuple[str, str]
Fault: TypeAlias = Callable[..., Any]


@dataclass
class Board:
    """Which faults are armed; ``met`` counts the calls that ran into one."""

    armed: dict[Place, Fault] = field(default_factory=dict)
    met: int = 0
    freed: threading.Event = field(default_factory=threading.Event)

    @contextmanager
    def broken(self, **faults: Any) -> Iterator[None]:
        """Arm ``Part__method=fault`` for a while; what hangs is let go at the end."""
        self.met = 0
        self.freed.clear()
        self.armed = {tuple(name.split("__")): fault for name, fault in faults.items()}  # type: ignore[misc]
        try:
            yield
        finally:
            self.armed = {}
            self.freed.set()

    def hang(self, *_given: Any, **_options: Any) -> None:
        """Do nothing until the fault is over, at most for a minute."""
        self.freed.wait(60)
        raise RuntimeError("it hung, and nobody waits for it")


class Part:
    """Answers like ``inner``, but for what is armed; what it makes is wrapped as told."""

    def __init__(self, board: Board, name: str, inner: Any, makes: Any = None) -> None:
        self.__dict__.update(_board=board, _name=name, _inner=inner, _makes=makes or {})

    def __getattr__(self, attribute: str) -> Any:
        fault = self._board.armed.get((self._name, attribute))
        if fault is not None and not callable(getattr(type(self._inner), attribute, None)):
            self._board.met += 1
            return fault()
        found = getattr(self._inner, attribute)
        return partial(self._call, attribute, found) if callable(found) else found

    def _call(self, attribute: str, found: Callable[..., Any], *given: Any, **options: Any) -> Any:
        fault = self._board.armed.get((self._name, attribute))
        if fault is not None:
            self._board.met += 1
            return fault(*given, **options)
        made = found(*given, **options)
        name = self._makes.get(attribute)
        return Part(self._board, name, made) if name else made


class Model(ScriptedModel):
    """A good model, whose every method can be broken."""

    def __init__(self, board: Board) -> None:
        super().__init__("unused")
        self.board = board

    def _fault(self, method: str) -> Fault | None:
        fault = self.board.armed.get(("ChatModel", method))
        self.board.met += fault is not None
        return fault

    @property
    def name(self) -> str:
        fault = self._fault("name")
        return fault() if fault else "good"  # type: ignore[no-any-return]

    async def complete(self, request: Any) -> Any:
        self.requests.append(request)
        fault = self._fault("complete")
        if fault == self.board.hang:
            await asyncio.get_running_loop().create_future()
        if fault:
            return fault(request)
        messages = [{"content": request.system}, {"content": request.user}]
        form = {"type": "json_schema", "json_schema": {"schema": dict(request.schema)}}
        text = choose({"messages": messages, "response_format": form})
        return replace(await ScriptedModel(text).complete(request), model="good")

    async def close(self) -> None:
        fault = self._fault("close")
        if fault == self.board.hang:
            await asyncio.get_running_loop().create_future()
        if fault:
            fault()


@dataclass(frozen=True)
class Rig:
    """The engine, its board, and what it wrote."""

    engine: Engine
    board: Board
    model: Model
    log: io.StringIO


def rig(home: Path, *, with_model: bool = True) -> Rig:
    """An engine over the invented corpus in ``home``, every part of it wrapped."""
    board, log = Board(), io.StringIO()
    model = Model(board)
    part = partial(Part, board)
    patterns = part("PatternEngine", Re2Engine(), {"compile": "PatternSet"})
    formats = Formats(
        vectors=part("VectorFormat", FaissFlat(), {"read": "VectorIndex"}),
        lexical=part("LexicalFormat", Bm25(), {"read": "LexicalIndex"}),
        tables=part("Tables", ParquetTables()),
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(build, "Re2Engine", lambda: patterns)
        patch.setattr(build, "formats", lambda: formats)
        engine = build.build_engine(
            Settings(home=home, coach=CoachSettings(reply_seconds=SECONDS, open_seconds=20)),
            embedder=part("Embedder", HashTokenEmbedder(384)),
            model=model if with_model else None,
            observers=[part("Observer", StructuredLog(level="debug", stream=log))],
        )
    if not engine.library.exists(INVENTED):
        engine.add(write_corpus(home / "invented.ndjson", CASES), collection=INVENTED)
    front = replace(
        engine.front,
        screen=part("CrisisScreen", engine.front.screen),
        guard=part("InjectionGuard", engine.front.guard),
        helplines=part("Helplines", engine.front.helplines),
    )
    plain = engine.coach_over

    def coach_over(collection: Any) -> Coach:
        return wrapped(plain(part("CaseStore", collection)), front, part)

    changes = {"front": front, "coach_over": coach_over, "handoff": part("Handoff", Hook())}
    return Rig(replace(engine, **changes), board, model, log)


class Hook:
    """Is told of referrals."""

    def referred(self, _referral: object) -> None:
        """Take it."""


def wrapped(coach: Coach, front: Any, part: Callable[..., Any]) -> Coach:
    """The coach with its own parts wrapped."""
    search = replace(coach.search, scope=part("ScopeTest", coach.search.scope))
    return Breakable(
        front=front,
        search=part("CaseSearch", search, {"fusion": "Fusion"}),
        content=part("CoachContent", coach.content),
        reader=part("FeelingReader", coach.reader),
        finder=part("EvidenceFinder", coach.finder),
        gate=part("EvidenceGate", coach.gate),
        plainness=part("Plainness", coach.plainness),
        model=coach.model,
        timeout_seconds=SECONDS / 2,
        retries=0,
        part=part,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Breakable(Coach):
    """A coach whose twin and whose gate's clock can be broken too."""

    part: Callable[..., Any]

    def prepare(self, context: Any, case_ids: Any = ()) -> Any:
        clock = self.part("Clock", Clock())
        found = Coach.prepare(self, replace(context, clock=lambda: clock.now()), case_ids)
        if not isinstance(found, Prepared):
            return found
        return replace(found, twin=self.part("Twin", found.twin))


class Clock:
    """Time as the gate sees it."""

    def now(self) -> float:
        return 0.0


# What part can do, by the step that it serves; each is broken in every way.
STEPS: dict[str, tuple[str, ...]] = {
    "Embedder": ("read", "embed_query", "name", "fingerprint", "dim"),
    "VectorIndex": ("search", "vectors", "count"),
    "LexicalIndex": ("search", "scores", "information", "count"),
    "PatternSet": ("scan",),
    "ChatModel": ("complete", "name", "close"),
    "Observer": ("observed",),
    "Handoff": ("referred",),
    "CrisisScreen": ("check",),
    "InjectionGuard": ("way",),
    "Helplines": ("resources", "stated"),
    "CaseStore": (
        *("pin", "by_id", "case", "context_id", "context_row", "first_case", "answers"),
        *("sentence_vectors", "contexts", "lexical", "tokens"),
    ),
    "CaseSearch": ("search", "pipeline", "collection"),
    "ScopeTest": ("judge", "intent"),
    "FeelingReader": ("read",),
    "EvidenceFinder": ("find", "coping"),
    "EvidenceGate": ("judge", "alpha"),
    "Plainness": ("details",),
    "CoachContent": ("steps", "goals", "bridges", "validation", "piece"),
    "Twin": ("decide",),
    "Clock": ("now",),
}
PLACES = [f"{part}__{method}" for part, methods in STEPS.items() for method in methods]


def _raising(make: Callable[[], BaseException]) -> Fault:
    def fault(*_given: Any, **_options: Any) -> Any:
        raise make()

    return fault


def _giving(value: Callable[[], Any]) -> Fault:
    def fault(*_given: Any, **_options: Any) -> Any:
        return value()

    return fault


RAISES: dict[str, Fault] = {
    "runtime": _raising(lambda: RuntimeError(CANARY)),
    "disk": _raising(lambda: OSError(28, CANARY)),
    "key": _raising(lambda: KeyError(CANARY)),
    "memory": _raising(lambda: MemoryError(CANARY)),
    "time-out": _raising(lambda: TimeoutError(CANARY)),
    "cancelled": _raising(lambda: asyncio.CancelledError(CANARY)),
    "recursion": _raising(lambda: RecursionError(CANARY)),
    "stop": _raising(lambda: StopIteration(CANARY)),
}
GIVES: dict[str, Fault] = {
    "none": _giving(lambda: None),
    "text": _giving(lambda: CANARY),
    "number": _giving(lambda: float("nan")),
    "minus": _giving(lambda: -1),
    "nothing": _giving(tuple),
    "rows": _giving(lambda: [CANARY, None, -5]),
    "nan-vector": _giving(lambda: np.full(384, np.nan, np.float32)),
    "short-vector": _giving(lambda: np.ones(3, np.float32)),
    "matrix": _giving(lambda: np.full((2, 384), np.inf, np.float32)),
    "object": _giving(object),
}
