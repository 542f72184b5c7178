"""What a changed entity would match that the standing one does not (H36)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from handrail.domain.entity import Entity
from handrail.domain.text import Span
from handrail.flows.guide.conditions import Condition
from handrail.flows.guide.keywords import Keywords
from handrail.flows.guide.text import normal
from handrail.flows.guide.triggers import Triggers
from handrail.ports import PatternEngine


@dataclass(frozen=True, slots=True)
class Message:
    """A message to try, and the entity it was written for, where that is known."""

    text: str
    entity_id: str | None = None


@dataclass(frozen=True, slots=True)
class Match:
    """What matched where: ``by`` is a trigger's number or a keyword; ``fresh`` is new."""

    message: Message
    by: str
    span: Span
    fresh: bool


@dataclass(frozen=True, slots=True)
class DryRun:
    """Every match of the changed entity, and the messages that only the standing one matched."""

    matches: tuple[Match, ...]
    lost: tuple[Message, ...]
    tried: int

    def strangers(self, entity_id: str) -> tuple[Match, ...]:
        """Matches in messages that were written for another entity."""
        return tuple(m for m in self.matches if m.message.entity_id not in (None, entity_id))


def require_sound(entity: Entity, patterns: PatternEngine) -> None:
    """Raise `ContentInvalid` for a trigger or a condition that cannot be read."""
    Triggers([entity], patterns)
    if entity.state_conditions is not None:
        Condition.read(entity.state_conditions, where=f"state_conditions of {entity.entity_id!r}")


def dry_run(
    changed: Entity,
    standing: Entity | None,
    messages: Iterable[Message],
    *,
    patterns: PatternEngine,
    spellings: Mapping[str, str],
) -> DryRun:
    """Try both over ``messages``; raises `ContentInvalid` like `require_sound`."""
    require_sound(changed, patterns)
    tried = list(messages)
    after = _Words(changed, patterns, spellings)
    before = _Words(standing, patterns, spellings) if standing else None
    matches: list[Match] = []
    lost = []
    for message in tried:
        old = before.places(message.text) if before else ()
        new = after.places(message.text)
        known = {span for _, span in old}
        matches += [Match(message, by, span, span not in known) for by, span in new]
        if old and not new:
            lost.append(message)
    return DryRun(tuple(matches), tuple(lost), len(tried))


class _Words:
    """The triggers and keywords of one entity."""

    def __init__(
        self, entity: Entity, patterns: PatternEngine, spellings: Mapping[str, str]
    ) -> None:
        self._triggers = Triggers([entity], patterns)
        self._keywords = Keywords([entity], spellings)

    def places(self, text: str) -> Sequence[tuple[str, Span]]:
        said = normal(text)
        return [
            *((f"trigger {hit.trigger + 1}", hit.span) for hit in self._triggers.scan(said)),
            *((f"keyword {hit.keyword}", hit.span) for hit in self._keywords.find(said)),
        ]


def recognised(entities: Iterable[Entity]) -> list[Message]:
    """The recognition phrases of a catalogue: what parents say, and whom it was written for."""
    return [Message(text, one.entity_id) for one in entities for text in one.recognition]
