"""One test with what was found: its points, its faults over safety, and where things were lost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum

from handrail.domain.entity import Entity, LoadMode
from handrail.evals.guide.bank import GuideRow
from handrail.evals.guide.expectations import Expectation
from handrail.evals.guide.scoring import Fault, Points, judge
from handrail.flows.guide.found import STATE_PIN, Chosen, Found
from handrail.rails import escalation

SCREEN = "screen"
_PIN_SOURCES = {
    STATE_PIN: "state",
    "trigger": "pattern",
    "keyword": "keyword",
    "meaning": "semantic",
    "risk": SCREEN,
}


class Stage(StrEnum):
    """Where an expected entity was lost on its way to the final set."""

    ABSENT = "not_a_candidate"
    CUT = "cut"
    UNRANKED = "not_ranked"
    WITHHELD = "withheld"  # a pin for safety let nothing, or not this one, stand beside it


@dataclass(frozen=True, slots=True)
class Loss:
    """An expected entity that is not in the final set, and the stage that lost it."""

    entity_id: str
    stage: Stage


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """A row, judged; ``critical`` are its faults over safety-critical entities."""

    row: GuideRow
    expected: Expectation
    found: Found
    points: Points
    critical: tuple[Fault, ...]
    losses: tuple[Loss, ...]

    @property
    def critical_failure(self) -> bool:
        """Whether a test of safety failed over safety."""
        return self.row.is_critical and bool(self.critical)

    @property
    def doubled(self) -> tuple[str, ...]:
        """Ids that take up two places of the final set (H30)."""
        return tuple(name for name, times in Counter(self.found.ids).items() if times > 1)

    @property
    def order(self) -> tuple[str, ...]:
        """The final set in its order, without what only the user's state brought in."""
        primary = self.expected.expected_primary
        return tuple(
            one.entity.entity_id
            for one in self.found.final
            if not _by_state(one) or one.entity.entity_id == primary
        )

    @property
    def rank(self) -> int | None:
        """The place of the primary from 1; None without one, or where it is missing."""
        primary = self.expected.expected_primary
        return self.order.index(primary) + 1 if primary in self.order else None

    @property
    def confusion(self) -> tuple[str, str] | None:
        """The primary, and what came first in its stead; other expected ids are no confusion."""
        primary = self.expected.expected_primary
        if primary is None or self.rank == 1:
            return None
        wanted = set(self.expected.wanted) - {primary}
        others = (name for name in self.order if name not in wanted)
        first = next(others, None)
        return None if first is None or first == primary else (primary, first)


def judged(row: GuideRow, found: Found, entities: Mapping[str, Entity]) -> Result:
    """The row's result; ``entities`` are those in force, by id."""
    always = {one.entity_id for one in (*found.always, *_always(entities))}
    expected = row.expectation.without(always)
    points = judge(expected, found.ids)
    return Result(
        row=row,
        expected=expected,
        found=found,
        points=points,
        critical=tuple(
            fault for fault in points.faults if _safety_critical(fault.entity_id, found, entities)
        ),
        losses=tuple(
            Loss(name, _stage(name, found, entities))
            for name in expected.wanted
            if name not in found.ids
        ),
    )


def sources(chosen: Chosen) -> tuple[str, ...]:
    """The channels that found an entity, and what pinned it: each name once."""
    names = [hit.channel for hit in chosen.hits]
    if chosen.pin:
        names.append(_PIN_SOURCES.get(chosen.pin.reason, SCREEN))
    return tuple(dict.fromkeys(names))


def _always(entities: Mapping[str, Entity]) -> Collection[Entity]:
    return [one for one in entities.values() if one.load_mode is LoadMode.ALWAYS]


def _safety_critical(name: str, found: Found, entities: Mapping[str, Entity]) -> bool:
    """By the catalogue in force, or by the entity that was shown though the catalogue lost it."""
    shown = {one.entity.entity_id: one.entity for one in found.final}
    entity = entities.get(name) or shown.get(name)
    return entity is not None and entity.safety_critical


def _stage(name: str, found: Found, entities: Mapping[str, Entity]) -> Stage:
    if name not in {one.passage.id for one in found.ranking.candidates}:
        cut = {drop.passage_id for drop in found.ranking.dropped}
        return Stage.CUT if name in cut else Stage.ABSENT
    pins = {one.entity.entity_id for one in found.final if one.pin}
    forbidden = name in entities and not pins.isdisjoint(entities[name].never_with)
    held = forbidden or escalation.escalates(found.risk)
    return Stage.WITHHELD if held else Stage.UNRANKED


def _by_state(chosen: Chosen) -> bool:
    return chosen.pin is not None and chosen.pin.reason == STATE_PIN
