"""What must hold of a session whatever a person and a model write: one function for suite and run.

The oracle knows nothing of the rails: it counts words and questions by itself, folds texts in its
own way, and remembers what the model planted. Only pure parts are kept from turn to turn (what a
screen or a reader says of a message), so that a run is about what differs: the model's words.
"""

from __future__ import annotations

import asyncio
import json
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any

from handrail.adapters.memory import MemorySessions
from handrail.bootstrap import build_engine
from handrail.domain.outcome import Receipt
from handrail.domain.risk import Level
from handrail.domain.trace import Tracer
from handrail.flows.reframe import Limits, Orchestrator, Sessions, SessionState, TurnResult
from handrail.flows.reframe.limits import SUMMARY_WORDS, WORDS
from handrail.flows.reframe.reading import Asked
from handrail.flows.reframe.record import recorded
from handrail.flows.reframe.state import Opened
from handrail.settings import Settings
from handrail.testing.hash_embedder import HashEmbedder
from handrail.testing.hostile_turns import HostileWriter
from handrail.testing.virtual_time import VirtualTimeLoop
from session_messages import message
from wrapping import Wrapping

CANARY = "qzcanary7"
CALLS = 2  # a turn's own and one repair
SECONDS = 4.3  # virtual ones, of the bounded call with its grace
THROUGH_A_STORE = 50  # of so many sessions one goes through a store and is verified
CANCELLED = 0.01  # of turns are cut off by the caller
LEAVES = 0.3  # of people leave before the end
FOLLOWING: Mapping[str, frozenset[str]] = {
    "warmup": frozenset({"warmup", "clarify", "summary"}),
    "clarify": frozenset({"clarify", "reframe", "summary"}),
    "reframe": frozenset({"reframe", "summary"}),
    "summary": frozenset({"summary", "followup", "closed"}),
    "followup": frozenset({"followup", "summary", "closed"}),
    "closed": frozenset({"closed"}),
}
WORD = re.compile(r"[^\s\d_]*[^\W\d_][^\s_]*")
QUOTED = re.compile('“[^“”]*”|«[^«»]*»|"[^"\n]*"')
PLAIN = re.compile(r"[A-Za-záéíóúüñïöçÁÉÍÓÚÜÑ0-9\s.,;:?!¿¡'’‘\"“”«»()–—…•%-]*")
MARKUP = re.compile(r"[<>{}\[\]`*_#|\\@]|://|&\w+;")
POINT = re.compile(r"(?m)^\s*(?:[-*•–—]|\(?(?:\d{1,2}|[a-z])[.)])\s")
TRAPS = {
    "en": ("mind reading", "fortune telling", "labeling", "mental filter", "catastroph"),
    "es": ("lectura de mente", "adivinación", "etiquetado", "filtro mental", "catastrof"),
}
SAME = str.maketrans("асеорхуіаeο", "aceopxyiaeo")


NO_LETTER = re.compile(r"[^a-z0-9]")


@lru_cache(1 << 9)
def bare(text: str) -> str:
    """Letters only, whatever they were dressed up as."""
    plain = unicodedata.normalize("NFKD", text).lower().translate(SAME)
    return NO_LETTER.sub("", plain)


@dataclass
class Tally:
    """What a run has seen."""

    sessions: int = 0
    turns: int = 0
    writers: Counter[str] = field(default_factory=Counter)
    phases: Counter[str] = field(default_factory=Counter)
    endings: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    escapes: list[str] = field(default_factory=list)


@dataclass
class Stage:
    """A flow with a hostile model; ``second`` is the one with the second reader, if any."""

    flow: Orchestrator
    sessions: Sessions
    model: HostileWriter
    banners: frozenset[str]
    levels: dict[str, Level] = field(default_factory=dict)

    @classmethod
    def over(cls, home: Path, *, rehearsed: bool = True, second: bool = False) -> Stage:
        """A stage; without ``rehearsed`` every part works anew each time."""
        engine = build_engine(
            Settings(home=home, sessions={"store": "memory"}), embedder=HashEmbedder(384)
        )
        sessions = engine.sessions
        flow = sessions.orchestrator
        hearing = flow.hearing if second else replace(flow.hearing, second=None)
        flow = replace(flow, hearing=hearing)
        if rehearsed:
            flow = _rehearsed(flow)
        lines = flow.lines
        banners = frozenset(
            "".join(f.text for f in lines.fragments(lines.pick(name, language=l, seed=0, count=0)))
            for name in ("banner-halfway", "banner-last", "banner-crisis")
            for l in ("en", "es")  # noqa: E741
        )
        model = HostileWriter(Random(0), CANARY)
        return cls(flow, replace(sessions, orchestrator=flow, model=model), model, banners)

    def level(self, text: str) -> Level:
        """What the first reader says of a message by itself."""
        if text not in self.levels:
            self.levels[text] = self.flow.hearing.screen.check(text).level
        return self.levels[text]

    async def play(self, seed: int, tally: Tally) -> list[str]:
        """One session; what escaped or broke."""
        dice = Random(seed)
        self.model.dice, self.model.planted, self.model.kinds = Random(seed + 1), [], []
        language = dice.choice(("en", "es"))
        limits = Limits(
            max_turns=dice.choice((6, 6, 6, 7, 7, 8, 9, 10, 12, 14)),
            followups=dice.choice((0, 1, 2, 3)),
            words=dice.choice((WORDS[0], 110, 110, 200)),
            summary_words=dice.choice((SUMMARY_WORDS[0], 160)),
        )
        opened = Opened(language=language, fixed=dice.random() < 0.5)
        begun = SessionState.begun(opened, limits=limits, seed=seed)
        stored = seed % THROUGH_A_STORE == 0
        sessions = replace(self.sessions, store=MemorySessions(), limits=limits)
        session = _Session(self, begun, dice, language, tally, sessions if stored else None)
        faults = await session.whole()
        tally.sessions += 1
        tally.kinds.update(self.model.kinds)
        return faults


def _rehearsed(flow: Orchestrator) -> Orchestrator:
    """The flow, with what its readers say kept for messages that come again."""
    screen = flow.hearing.screen
    ear = Wrapping(screen.ear, asked=lru_cache(4096)(screen.ear.asked))
    heard: dict[tuple[int, Any], Any] = {}
    read = lru_cache(4096)(screen.read)
    kept: list[Any] = []

    def judge(found: Any, context: Any) -> Any:
        key = (id(found), context)
        if key not in heard:
            kept.append(found)  # so that no other message gets its id
            heard[key] = screen.judge(found, context)
            if len(heard) > 20_000:
                heard.clear()
                kept.clear()
                return screen.judge(found, context)
        return heard[key]

    contract = flow.contract
    judged: dict[Any, Any] = {}

    def breaches(text: str, terms: Any, *, own_words: Any = ()) -> Any:
        key = (text, terms, tuple(own_words))
        if key not in judged:  # the gate asks again what the call asked
            if len(judged) > 4:
                judged.clear()
            judged[key] = contract.breaches(text, terms, own_words=own_words)
        return judged[key]

    reader, traps, guard = flow.reader, flow.distortions, flow.guard

    def way(text: str, tracer: Tracer) -> Any:
        return decided(text)

    decided = lru_cache(4096)(lambda text: guard.way(text, Tracer("kept")))
    plain_read = lru_cache(8192)(lambda said, asked: reader.read(said, asked=asked))
    weighed = lru_cache(8192)(
        lambda thought, language, context: traps.read(thought, language, context=context)
    )
    return replace(
        flow,
        hearing=replace(flow.hearing, screen=Wrapping(screen, read=read, judge=judge, ear=ear)),
        contract=Wrapping(contract, breaches=breaches),
        reader=Wrapping(reader, read=lambda said, asked=Asked.NOTHING: plain_read(said, asked)),
        distortions=Wrapping(
            traps, read=lambda thought, language, context="": weighed(thought, language, context)
        ),
        guard=Wrapping(guard, way=way),
        helplines=Wrapping(flow.helplines, stated=lru_cache(4096)(flow.helplines.stated)),
    )


class _Session:
    """One session under way, and what is wrong with it."""

    def __init__(
        self,
        stage: Stage,
        state: SessionState,
        dice: Random,
        language: str,
        tally: Tally,
        sessions: Sessions | None,
    ) -> None:
        self.stage, self.state, self.dice, self.tally = stage, state, dice, tally
        self.language, self.sessions = language, sessions
        self.model = stage.model
        self.danger = False  # the first reader or the model said so in some turn
        self.calm = 0  # messages that count against the budget
        self.said: list[str] = []
        self.modelled = False
        self.last = ""

    async def whole(self) -> list[str]:
        limits = self.state.limits
        most = limits.max_turns + limits.followups + 1
        leaves = self.dice.randint(1, most) if self.dice.random() < LEAVES else most + 2
        faults: list[str] = []
        after_end = 0
        while not faults and len(self.said) < leaves and after_end < 2:
            text = message(self.language, self.dice)
            faults = [f"{what} [{self.model.kinds[-2:]}]" for what in await self._turn(text)]
            after_end += self.state.ended
        if not faults and self.calm > most and not self.state.ended:
            faults.append(f"not ended after {self.calm} messages")
        self.tally.endings[self.state.phase.value] += 1
        return faults

    async def _turn(self, text: str) -> list[str]:
        before = self.state
        self.model.calls, self.model.warned, self.model.passing = 0, False, []
        loop = asyncio.get_running_loop()
        begun = loop.time()
        if self.dice.random() < CANCELLED:
            return await self._cut_off(text)
        self.said.append(text)
        try:
            result, record = await self._told(text)
        except Exception as error:  # noqa: BLE001  nothing may bring one about
            return [f"raised {type(error).__name__}: {str(error)[:80]!r}"]
        self.state = result.state
        dangerous = self.stage.level(text) >= Level.MODERATE
        self.tally.turns += 1
        self.tally.writers[result.writer] += 1
        self.tally.phases[result.phase.value] += 1
        self.calm += not dangerous
        faults = [
            *self._bounds(before, dangerous, loop.time() - begun),
            *self._moved(before, result),
            *self._heard(before, result, dangerous),
            *self._nothing_planted(result, record),
            *self._shape(result, text),
            *self._lasts(result, record),
        ]
        self.danger |= dangerous or result.state.crisis_flag
        self.last = result.ui_text
        return faults

    async def _told(self, text: str) -> tuple[TurnResult, Mapping[str, Any]]:
        if self.sessions is None:
            result = await self.stage.flow.handle_turn(self.state, text, self.model)
            return result, recorded("s", result)
        told = await self.sessions.process_turn("s", text)
        assert told.result is not None
        return told.result, told.record

    async def _cut_off(self, text: str) -> list[str]:
        """The caller goes away while the model is asked; the session stays as it was."""
        self.model.waits = True
        task = asyncio.ensure_future(self.stage.flow.handle_turn(self.state, text, self.model))
        for _ in range(5):
            await asyncio.sleep(0)
        task.cancel()
        ended = (await asyncio.gather(task, return_exceptions=True))[0]
        self.model.waits = False
        if not isinstance(ended, asyncio.CancelledError | TurnResult):
            return [f"cut off, it gave {type(ended).__name__}"]
        return []

    def _bounds(self, before: SessionState, dangerous: bool, seconds: float) -> Iterator[str]:
        silent = dangerous or self.danger or before.ended or before.phase.value == "closed"
        if self.model.calls > (0 if silent else CALLS):
            yield f"{self.model.calls} calls where {0 if silent else CALLS} may be"
        if seconds > SECONDS:
            yield f"{seconds} seconds"

    def _moved(self, before: SessionState, result: TurnResult) -> Iterator[str]:
        after, limits = result.state, result.state.limits
        steps = after.position.turn - before.position.turn
        if after.phase.value not in FOLLOWING[before.phase.value]:
            yield f"{before.phase.value} -> {after.phase.value}"
        if before.ended and after.phase.value != "closed":
            yield f"goes on after its end: {after.phase.value}"
        if not 0 <= steps <= 1 or after.position.turn > limits.max_turns:
            yield f"turn {before.position.turn} -> {after.position.turn} of {limits.max_turns}"
        if not 0 <= after.position.followups_left <= before.position.followups_left:
            yield f"followups {before.position.followups_left} -> {after.position.followups_left}"
        if after.messages != before.messages + 1:
            yield f"part failed: {result.outcome.trace.flags}"
        if limits != before.limits:
            yield "limits changed"

    def _heard(self, before: SessionState, result: TurnResult, dangerous: bool) -> Iterator[str]:
        after = result.state
        if before.crisis_flag and not after.crisis_flag:
            yield "crisis forgotten"
        if (dangerous or self.model.warned) and not after.crisis_flag:
            yield f"danger not heard (screen: {dangerous}, model: {self.model.warned})"
        if (after.crisis_flag or dangerous) and result.writer != "protocol":
            yield f"{result.writer} answers danger"
        if self.danger and after.phase.value not in ("summary", "closed"):
            yield f"{after.phase.value} after danger"

    def _nothing_planted(self, result: TurnResult, record: Mapping[str, Any]) -> Iterator[str]:
        """Nothing that the model planted, in any place that anybody can read."""
        ours = {**record, "state": None}
        control = json.dumps(record["control"], ensure_ascii=False)
        shown = (result.ui_text, result.banner or "", control, "".join(result.sentences))
        whole = json.dumps(ours, ensure_ascii=False)
        if CANARY in bare(whole) or CANARY in json.dumps(self.state.to_json()):
            yield "canary"
        read = bare(" | ".join(shown))
        for planted in dict.fromkeys([*self.model.planted, *self.model.passing]):
            core = bare(planted)
            if len(core) >= 8 and core in read:
                yield f"escaped: {planted!r} in {result.ui_text!r} {control[:300]}"
        if result.banner is not None and result.banner not in self.stage.banners:
            yield f"banner {result.banner!r}"

    def _shape(self, result: TurnResult, text: str) -> Iterator[str]:
        """What is countable: words, questions, points, signs."""
        said, limits = result.ui_text, result.state.limits
        if "".join(result.sentences) != said:
            yield "sentences are not the text"
        if result.writer == "protocol":
            return
        summary = result.phase.value == "summary"
        most = limits.summary_words if summary else limits.words
        if len(WORD.findall(said)) > most:
            yield f"{len(WORD.findall(said))} words of {most}"
        ours = QUOTED.sub("", said)
        if ours.count("?") + ours.count("？") > 1:
            yield f"questions: {said!r}"
        points = POINT.findall(said)
        most = 3 if summary or result.writer == "composer" else 0
        if len(points) > most:
            yield f"points: {said!r}"
        if result.writer == "model":
            yield from self._written(said, ours, text)

    def _written(self, said: str, ours: str, text: str) -> Iterator[str]:
        own = bare(" ".join([*self.said, text]))
        if not PLAIN.fullmatch(ours) or MARKUP.search(ours):
            yield f"signs: {said!r}"
        for quote in QUOTED.findall(said):
            if not PLAIN.fullmatch(quote) and bare(quote) not in own:
                yield f"signs in a quote: {said!r}"
            if len(quote.split()) > 40 and bare(quote) not in own:
                yield f"a long quote: {said!r}"
        if said.rstrip()[-1:] not in tuple('.?!…”»"'):
            yield f"broken off: {said!r}"
        low = said.lower()
        language = self.state.user_language
        if sum(name in low for name in TRAPS[language]) > 2:
            yield f"traps: {said!r}"

    def _lasts(self, result: TurnResult, record: Mapping[str, Any]) -> Iterator[str]:
        """What a store gives back, and what a receipt proves."""
        row = result.state.to_json()
        again = SessionState.from_json(json.loads(json.dumps(row)))
        if again != result.state:
            yield "the state is another after JSON"
        json.dumps(record, allow_nan=False)
        self.modelled |= result.writer == "model"
        if self.sessions is not None:
            receipt = Receipt(body=record["receipt"])
            checks = self.sessions.verify(receipt, record, messages=self.said)
            bad = [f"{check.name}: {check.detail}" for check in checks if check.ok is False]
            if bad:
                yield f"receipt: {bad}"


def run(stage: Stage, seeds: range, tally: Tally, stop: Callable[[], bool] = lambda: False) -> int:
    """Play the session of every seed; the seed after the last one played."""
    with asyncio.Runner(loop_factory=VirtualTimeLoop) as runner:
        return runner.run(_run(stage, seeds, tally, stop))


async def _run(stage: Stage, seeds: range, tally: Tally, stop: Callable[[], bool]) -> int:
    for seed in seeds:
        if stop():
            return seed
        found = await stage.play(seed, tally)
        tally.escapes += [f"seed {seed}: {what}" for what in found]
    return seeds.stop
