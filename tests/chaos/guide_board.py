"""A guide whose every part can be broken on command."""

from __future__ import annotations

import io
import itertools
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from board import Board, Hook, Model, Part

from guide_mixes import Words
from guide_sample import few, small_store
from handrail.adapters.re2 import Re2Engine
from handrail.adapters.structlog import StructuredLog
from handrail.bootstrap import build
from handrail.domain.entity import Entity
from handrail.engine import Engine
from handrail.flows.guide.catalogue import Catalogue
from handrail.flows.guide.desk import Desk
from handrail.flows.guide.flow import Guided
from handrail.flows.guide.live import LOOK_SECONDS, LiveCatalogue
from handrail.settings import CoachSettings, Settings

SECONDS = 0.4  # the hard limit of a reply, which takes about 10 ms

# What each part is asked for a message, and beside it.
GUIDE_STEPS: dict[str, tuple[str, ...]] = {
    "EntityStore": ("revision", "entities", "get", "history", "put", "delete"),
    "Embedder": ("read",),
    "ChatModel": ("complete", "name", "close"),
    "PatternSet": ("scan",),
    "CrisisScreen": ("check",),
    "SecondReader": ("over",),
    "InjectionGuard": ("way",),
    "Helplines": ("resources", "stated"),
    "GuideSearch": ("prepare", "twin_order", "finish"),
    "Signals": ("hear", "near"),
    "GuideLines": ("pick", "fragments", "piece"),
    "EntityWords": ("by_version",),
    "Observer": ("observed",),
    "Handoff": ("referred",),
}
GUIDE_PLACES = [f"{part}__{step}" for part, steps in GUIDE_STEPS.items() for step in steps]


@dataclass
class GuideStage:
    """The engine, its board, and what it wrote."""

    engine: Engine
    board: Board
    model: Model
    log: io.StringIO
    live: LiveCatalogue
    standing: Catalogue

    def mend(self, *, anew: bool = False) -> None:
        """The catalogue that stood before anything broke; ``anew`` reads it with the next look."""
        self.live._standing = replace(self.standing, revision=-1) if anew else self.standing

    def say(self, message: str, **options: Any) -> Guided:
        """The reply to a message."""
        return self.engine.guide_now(message, **options)

    def written(self) -> str:
        """What the log says since the last time."""
        text = self.log.getvalue()
        self.log.seek(0)
        self.log.truncate()
        return text


@dataclass(frozen=True)
class Versions:
    """Entities as they stood, under a name that can be broken."""

    plain: Callable[[str, int], Entity | None]

    def by_version(self, name: str, version: int) -> Entity | None:
        """An entity."""
        return self.plain(name, version)


def guide_stage(home: Path) -> GuideStage:
    """A guide over a handful of entities, every part of it wrapped.

    It looks at its store with each message.
    """
    board, log = Board(), io.StringIO()
    model, part = Model(board), partial(Part, board)
    store = part("EntityStore", small_store())
    patterns = part("PatternEngine", Re2Engine(), {"compile": "PatternSet"})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(build, "Re2Engine", lambda: patterns)
        engine = build.build_engine(
            Settings(
                home=home, coach=CoachSettings(reply_seconds=SECONDS, open_seconds=2 * SECONDS)
            ),
            embedder=part("Embedder", Words()),
            model=model,
            observers=[part("Observer", StructuredLog(level="debug", stream=log))],
            entities=store,
        )
    minutes = itertools.count(step=2 * LOOK_SECONDS)
    live = LiveCatalogue(store, few, engine.desk.live.build, clock=lambda: next(minutes))
    made = replace(
        engine,
        front=_broken_front(engine.front, part),
        handoff=part("Handoff", Hook()),
        _desk=_broken_desk(engine.desk, live, part),
    )
    assert live().meaning  # read now, for which a reply of so few seconds has no time
    return GuideStage(made, board, model, log, live, live())


def _broken_front(front: Any, part: Callable[..., Any]) -> Any:
    return replace(
        front,
        screen=part("CrisisScreen", front.screen),
        second=part("SecondReader", front.second),
        guard=part("InjectionGuard", front.guard),
        helplines=part("Helplines", front.helplines),
    )


def _broken_desk(desk: Desk, live: LiveCatalogue, part: Callable[..., Any]) -> Desk:
    signals = part("Signals", desk.guide.search.signals)
    search = replace(desk.guide.search, catalogue=live, signals=signals)
    guide = replace(
        desk.guide,
        front=_broken_front(desk.guide.front, part),
        search=part("GuideSearch", search),
        lines=part("GuideLines", desk.guide.lines),
        by_version=part("EntityWords", Versions(desk.guide.by_version)).by_version,
        timeout_seconds=SECONDS / 2,
        retries=0,
    )
    return replace(desk, guide=guide, live=live)
