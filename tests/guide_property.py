"""What must hold of the guide in danger, whatever is mixed: one function for suite and long run."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any

from guide_mixes import BROKEN_TRIGGER, CRISIS, UNREADABLE, Mix, Words, filled, packaged
from handrail.adapters.memory import MemoryEntities
from handrail.adapters.re2 import Re2Engine
from handrail.bootstrap import build_engine
from handrail.content.entities import packaged_entities
from handrail.content.loader import read_yaml
from handrail.domain.entity import Audience, Entity, LoadMode
from handrail.domain.outcome import FAULTS, Abstention, SafetyResponse
from handrail.domain.reply import Layout, Vetted
from handrail.domain.risk import Level, Risk
from handrail.engine import Engine
from handrail.errors import InvalidInput, StoreFailed
from handrail.flows.guide.catalogue import is_visible
from handrail.flows.guide.conditions import Condition, State
from handrail.flows.guide.flow import Guided
from handrail.flows.guide.live import LOOK_SECONDS, LiveCatalogue
from handrail.flows.guide.search import GuideSearch
from handrail.flows.guide.text import normal
from handrail.flows.guide.triggers import Triggers
from handrail.ports import ChatReply, ChatRequest
from handrail.rails.layout import is_layout
from handrail.settings import Settings
from handrail.testing.hostile import HostileModel
from handrail.testing.virtual_time import VirtualTimeLoop
from handrail.wire.guide import guide_body
from hostile_property import CANARY, planted

RULES = {rule["entity"]: rule for rule in read_yaml("guide/signals.yaml")["rules"]}
OTHERS = {kind for name, rule in RULES.items() if name != CRISIS for kind in rule["kinds"]}
ERROR_OF: Mapping[str, type[Exception]] = {
    "StoreFailed": StoreFailed,
    "OSError": OSError,
    "KeyError": KeyError,
    "MemoryError": MemoryError,
}


ANEW = ("entities", UNREADABLE)


class Ranker(HostileModel):
    """A hostile model with three kinds of its own, which answer in form."""

    async def complete(self, request: ChatRequest) -> ChatReply:
        own = {
            "without_the_best": lambda ids: ids[1:],
            "invented_ids": lambda ids: [CRISIS, "domestic_violence_safety", self.canary, *ids],
            "all_reversed": lambda ids: ids[::-1],
        }.get(self.kind)
        if own is not None:
            ids = [one["entity_id"] for one in json.loads(request.user)["candidates"]]
            self.line = json.dumps({"entity_ids": own(ids)})
        try:
            return await super().complete(request)
        finally:
            self.line = None


class Store:
    """A store that can be broken from one moment on; nothing of it is for writing."""

    def __init__(self, inner: MemoryEntities) -> None:
        self._inner = inner
        self.broken: str | None = None
        self.error: Exception = StoreFailed(CANARY)

    def __getattr__(self, name: str) -> Any:
        if name == self.broken:
            raise self.error
        return getattr(self._inner, name)

    def revision(self) -> int:
        """Another one where the entities are broken, so that whoever looks wants them."""
        if self.broken == "revision":
            raise self.error
        return self._inner.revision() + (self.broken in ANEW) * 1_000

    def entities(self) -> list[Entity]:
        """Those of the store, or one that does not compile if that is what is broken."""
        if self.broken == "entities":
            raise self.error
        if self.broken == UNREADABLE:
            return [replace(packaged("gray_rock"), trigger_patterns=(BROKEN_TRIGGER,))]
        return list(self._inner.entities())


@dataclass
class Shelf:
    """A catalogue after one edit, the entity that is heard there, and what it listens for."""

    store: Store
    live: LiveCatalogue
    standing: Entity
    triggers: Triggers

    @classmethod
    def after(cls, edit: str, engine: Engine, clock: Callable[[], float]) -> Shelf:
        """The live catalogue has looked once."""
        store = Store(filled(edit))
        live = LiveCatalogue(store, packaged_entities, engine.desk.live.build, clock=clock)  # type: ignore[arg-type]
        found = live().by_id.get(CRISIS, packaged(CRISIS))
        heard = found if found.load_mode is LoadMode.SITUATION else packaged(CRISIS)
        safe = replace(heard, safety_critical=True)
        return cls(store, live, found, Triggers([safe], Re2Engine()))

    def by_version(self, name: str, version: int) -> Entity | None:
        """An entity as it stood."""
        record = self.store.get(name, version=version)
        return record.entity if record else None


@dataclass
class Stage:
    """One engine for all mixes; ``search`` makes the search of a mix, so that it can be spoilt."""

    engine: Engine
    model: Ranker
    search: Callable[[GuideSearch], GuideSearch] = lambda search: search
    shelves: dict[str, Shelf] = field(default_factory=dict)
    now: float = 0.0

    @classmethod
    def over(cls, home: Path) -> Stage:
        """A stage with hashed words for an embedder."""
        return cls(build_engine(Settings(home=home), embedder=Words()), _ranker())

    def shelf(self, edit: str) -> Shelf:
        """The catalogue after an edit, made once."""
        if edit not in self.shelves:
            self.shelves[edit] = Shelf.after(edit, self.engine, lambda: self.now)
        return self.shelves[edit]

    def with_guide(self, mix: Mix, shelf: Shelf) -> Engine:
        """The engine whose guide is that of the mix."""
        desk = self.engine.desk
        search = self.search(replace(desk.guide.search, catalogue=shelf.live, limits=mix.limits))
        kept, known = desk.guide.by_version, shelf.by_version
        guide = replace(
            desk.guide,
            search=search,
            by_version=lambda name, at: known(name, at) or kept(name, at),
            model=self.model,
        )
        made = replace(desk, guide=guide, store=shelf.store, live=shelf.live)
        engine = replace(self.engine, _desk=made)
        engine._opening = Here()  # type: ignore[assignment]
        return engine

    async def play(self, mix: Mix, seed: int, tally: Tally) -> list[str]:
        """What escaped."""
        shelf = self.shelf(mix.edit)
        engine = self.with_guide(mix, shelf)
        risk = self.engine.check(mix.message)
        wanted = set(pinned_by(risk))
        if heard(shelf.triggers, mix.message, risk):
            wanted.add(CRISIS)
            tally.by_trigger += CRISIS not in pinned_by(risk)
        tally.positives += CRISIS in wanted
        self.model.kind, self.model.dice, self.model.calls = mix.ranker, Random(seed), 0
        try:
            guided = await self.asked(engine, mix, shelf)
        except InvalidInput:
            return ["refused as unusable"] if _in_danger(risk, wanted) else []
        except Exception as error:  # noqa: BLE001  nothing that is mixed may bring one about
            return [f"raised {type(error).__name__}"]
        tally.asked += self.model.calls > 0
        tally.endings[type(guided.outcome).__name__.lower()] += 1
        final = guided.found.ids if guided.found else ()
        lost = sorted({*wanted, *brought_by_state(mix, shelf)} - set(final))
        faults = [f"{name} is not in the final set" for name in lost]
        faults += self._faults(engine, mix, guided)
        if _in_danger(risk, wanted):
            faults += self._unsafe(guided)
        return faults

    async def asked(self, engine: Engine, mix: Mix, shelf: Shelf) -> Guided:
        """The reply to a mix, with its store broken."""
        if mix.broken is not None:
            self.now += 2 * LOOK_SECONDS  # so that the store is looked at
            shelf.store.broken = mix.broken[0]
            shelf.store.error = ERROR_OF[mix.broken[1]](CANARY)
        try:
            return await engine.guide(
                mix.message,
                user_state=mix.state,
                chat_type=mix.chat_type,
                shown=mix.shown,
                offload=_here,
            )
        finally:
            shelf.store.broken = None

    def _unsafe(self, guided: Guided) -> Iterator[str]:
        outcome = guided.outcome
        if not isinstance(outcome, SafetyResponse):
            yield f"a {type(outcome).__name__} in danger"
        if self.model.calls:
            yield "a model was asked"
        if not all(one.by_danger for one in (guided.found.final if guided.found else ())[:1]):
            yield "danger does not come first"

    def _faults(self, engine: Engine, mix: Mix, guided: Guided) -> Iterator[str]:
        outcome = guided.outcome
        body = guide_body(guided).model_dump(mode="json")
        said = json.dumps(body, ensure_ascii=False)
        if planted(said):
            yield "words of a model or an error in the body"
        if not body["resources"]:
            yield "no resources"
        if not all(_is_ours(one.provenance, one.text) for one in outcome.fragments):
            yield "words that are no reviewed line"
        if outcome.trace.step("fault") is not None:
            yield f"a fault, {outcome.trace.step('fault').facts}"  # type: ignore[union-attr]
        spoiled = isinstance(outcome, Abstention) and outcome.reason in FAULTS
        for check in engine.verify(body, message=mix.message).checks:
            needed = check.name in ("replay", "catalogue") and not spoiled
            if check.ok is False or (needed and check.ok is None):
                yield f"receipt: {check.name}"
        if spoiled and mix.broken is None:
            yield f"an abstention for {outcome.reason}"


def pinned_by(risk: Risk) -> Iterator[str]:
    """The entities that the rules give to a risk; worked out from the file."""
    levels: dict[str, Level] = {}
    for signal in risk.signals:
        levels[signal.kind] = max(signal.level, levels.get(signal.kind, Level.NONE))
    levels = {**{kind: risk.level for kind in risk.kinds if kind not in levels}, **levels}
    own = any(level >= Level.MODERATE for kind, level in levels.items() if kind not in OTHERS)
    if own or (risk.level >= Level.MODERATE and not OTHERS & levels.keys()):
        yield CRISIS
    for name, rule in RULES.items():
        least = Level[rule["least"].upper()]
        if any(levels.get(kind, Level.NONE) >= least for kind in rule["kinds"]):
            yield name


def brought_by_state(mix: Mix, shelf: Shelf) -> list[str]:
    """The entities that the state of a mix loads, the most important first, within the cap."""
    state = State.read(mix.state).values
    audience = Audience(str(state.get("user_type", "PARENT")))
    held = [
        one
        for one in shelf.live().entities
        if one.load_mode is LoadMode.STATE
        and is_visible(one, audience, mix.chat_type)
        and Condition.read(one.state_conditions or {}, where="here").holds(state)
    ]
    held.sort(key=lambda one: (-one.priority, one.entity_id))
    return [one.entity_id for one in held[: mix.limits.candidates]]


def heard(triggers: Triggers, message: str, risk: Risk) -> bool:
    """Whether a trigger for safety stands in the message in a sense that the screen accepts."""
    signs = [signal.span for signal in risk.signals]
    aside = [one.span for one in risk.dismissed]
    for hit in triggers.scan(normal(message)):
        places = range(hit.span.start, hit.span.end)
        meets = [any(span.start <= at < span.end for at in places) for span in signs]
        set_aside = [any(span.start <= at < span.end for at in places) for span in aside]
        if hit.safety_critical and (any(meets) or not any(set_aside)):
            return True
    return False


def _in_danger(risk: Risk, wanted: set[str]) -> bool:
    return risk.level >= Level.MODERATE or CRISIS in wanted


def _is_ours(provenance: object, text: str) -> bool:
    return isinstance(provenance, Vetted) or (isinstance(provenance, Layout) and is_layout(text))


def _ranker() -> Ranker:
    return Ranker(Random(0), CANARY)


class Here:
    """A lane without threads, which know no virtual time."""

    async def run(self, work: Callable[[], Any]) -> Any:
        """What ``work`` gives."""
        return work()


async def _here(work: Callable[[], Any]) -> Any:
    return work()


@dataclass
class Tally:
    """What a run has seen; ``by_trigger`` are those that an entity's words alone made positive."""

    mixes: int = 0
    positives: int = 0
    by_trigger: int = 0
    asked: int = 0
    endings: Counter[str] = field(default_factory=Counter)
    edits: Counter[str] = field(default_factory=Counter)
    escapes: list[str] = field(default_factory=list)


def run(stage: Stage, seeds: range, tally: Tally, stop: Callable[[], bool] = lambda: False) -> int:
    """Play the mix of every seed; the seed after the last one played."""
    with asyncio.Runner(loop_factory=VirtualTimeLoop) as runner:
        return runner.run(_run(stage, seeds, tally, stop))


async def _run(stage: Stage, seeds: range, tally: Tally, stop: Callable[[], bool]) -> int:
    for seed in seeds:
        if stop():
            return seed
        mix = Mix.of(seed)
        found = await stage.play(mix, seed, tally)
        tally.mixes += 1
        tally.edits[mix.edit] += 1
        tally.escapes += [f"seed {seed}, {mix.edit}, {mix.broken}: {what}" for what in found]
    return seeds.stop
