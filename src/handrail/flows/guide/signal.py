"""Which safety entities a message pins, and why: the crisis screen, and the entities' own words.

One crisis screen hears the danger; what answers it is content. An entity's own trigger or keyword
counts in a sense that the screen accepts: not where the screen set the same words aside, and a
keyword only where the screen heard something of that kind (resolution 3).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from handrail.content.loader import load
from handrail.domain.ranking import Pin
from handrail.domain.risk import Level, Risk, Signal
from handrail.domain.text import Span
from handrail.flows.guide.keywords import KeywordHit
from handrail.flows.guide.triggers import TriggerHit

FILE = "guide/signals.yaml"
_LevelName = Literal["mild", "moderate", "high"]


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Own(_Strict):
    """What a trigger of the entity is heard as, where the screen heard less."""

    kind: str
    level: _LevelName


class Rule(_Strict):
    """Which dangers pin an entity; ``otherwise`` those that no other rule answers.

    ``near`` is the strength from which an entity that fits a message best is pinned by its meaning;
    it may be ``close`` behind the best.
    """

    id: str
    entity: str
    review: str = Field(min_length=1)
    kinds: tuple[str, ...]
    least: _LevelName
    own: Own
    otherwise: _LevelName | None = None
    near: float = Field(gt=0, le=1)
    close: float = Field(0.0, ge=0, le=1)


class _File(_Strict):
    id: str
    version: int
    language: str
    reviewer: str
    source: str
    rules: tuple[Rule, ...] = Field(min_length=1)


@dataclass(frozen=True, slots=True)
class Heard:
    """The pins of a message by entity id, and the risk with what the triggers add to it."""

    pins: Mapping[str, Pin]
    risk: Risk

    @property
    def escalates(self) -> bool:
        """Whether help comes first and no model is asked."""
        return self.risk.level >= Level.MODERATE


@dataclass(frozen=True, slots=True)
class Signals:
    """The rules by which danger becomes pins."""

    rules: tuple[Rule, ...]

    @classmethod
    def packaged(cls) -> Signals:
        """The reviewed rules; raises `ContentInvalid`."""
        return cls(load(FILE, _File).rules)

    @property
    def entities(self) -> frozenset[str]:
        """Entities that are shown where a danger pins them, and nowhere else."""
        return frozenset(rule.entity for rule in self.rules)

    def hear(
        self,
        risk: Risk,
        triggers: Sequence[TriggerHit],
        keywords: Mapping[str, Sequence[KeywordHit]],
    ) -> Heard:
        """The pins for a risk; ``keywords`` are the keyword hits of each entity."""
        pins: dict[str, Pin] = {}
        for rule in self.rules:
            spoken = _accepted(rule, risk, triggers)
            # What was heard before the rule's own trigger is what the screen heard.
            reason = self._reason(rule, risk, keywords) or ("trigger" if spoken else None)
            if spoken is not None:
                risk = _raised(risk, rule, f"{rule.id}.trigger", spoken)
            if reason:
                pins[rule.entity] = Pin(reason)
        return self._settled(pins, risk)

    def near(self, heard: Heard, strengths: Mapping[str, float], text: str) -> Heard:
        """What is heard where such an entity fits a message best: danger in unknown words.

        ``strengths`` are the twin's, from late interaction, by entity id.
        """
        best = max(strengths.values(), default=0.0)
        pins, risk = dict(heard.pins), heard.risk
        for rule in self.rules:
            strength = strengths.get(rule.entity, 0.0)
            fits = strength >= max(rule.near, best - rule.close)
            if fits and rule.entity not in pins:
                risk = _raised(risk, rule, f"{rule.id}.meaning", Span(0, len(text)))
                pins[rule.entity] = Pin("meaning")
        return self._settled(pins, risk)

    def _settled(self, pins: Mapping[str, Pin], risk: Risk) -> Heard:
        """What was heard; what answers every danger stands in front where the risk rose to it."""
        for rule in self.rules:
            if rule.otherwise and rule.entity not in pins and self._reason(rule, risk, {}):
                pins = {rule.entity: Pin("risk"), **pins}
        return Heard(pins, risk)

    def _reason(
        self, rule: Rule, risk: Risk, keywords: Mapping[str, Sequence[KeywordHit]]
    ) -> str | None:
        heard = _heard(risk, rule.kinds)
        if heard >= _level(rule.least):
            return "risk"
        if rule.otherwise is not None and risk.level >= _level(rule.otherwise):
            answered = {kind for other in self.rules if other is not rule for kind in other.kinds}
            if _heard(risk, set(risk.kinds) - answered) >= _level(rule.otherwise):
                return "risk"
            if not any(_heard(risk, other.kinds) for other in self.rules if other is not rule):
                return "risk"  # nobody else answers it
        if keywords.get(rule.entity) and heard >= Level.MILD:
            return "keyword"
        return None


def _heard(risk: Risk, kinds: Sequence[str] | set[str]) -> Level:
    """The gravest signal of those kinds; what was raised without one counts by its kind."""
    levels = [signal.level for signal in risk.signals if signal.kind in kinds]
    unsigned = set(risk.kinds) - {signal.kind for signal in risk.signals}
    if unsigned & set(kinds):
        levels.append(risk.level)
    return max(levels, default=Level.NONE)


def _raised(risk: Risk, rule: Rule, name: str, span: Span) -> Risk:
    """The risk with what the rule hears as a signal of its own."""
    level = _level(rule.own.level)
    signal = Signal(rule=f"guide.{name}", kind=rule.own.kind, level=level, span=span, language="en")
    return risk.raised(level, rule.own.kind, signal)


def _accepted(rule: Rule, risk: Risk, triggers: Sequence[TriggerHit]) -> Span | None:
    """Where a trigger of the entity stands that the screen did not set aside."""
    aside = [one.span for one in risk.dismissed]
    signs = [signal.span for signal in risk.signals]
    return next(
        (
            hit.span
            for hit in triggers
            if hit.entity_id == rule.entity and hit.safety_critical
            if _meets(hit.span, signs) or not _meets(hit.span, aside)
        ),
        None,
    )


def _meets(span: Span, others: Sequence[Span]) -> bool:
    return any(span.start < other.end and other.start < span.end for other in others)


def _level(name: str) -> Level:
    return Level[name.upper()]
