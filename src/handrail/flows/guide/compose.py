"""A reply from the chosen entities' own lines: short, one step at a time, each line cited."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from handrail.domain.entity import Entity, EntityType
from handrail.domain.reply import Block, BlockKind, Draft, Fragment, Sentence
from handrail.domain.risk import Level
from handrail.domain.text import digest
from handrail.flows.guide.found import Chosen, Found
from handrail.flows.guide.lines import SUMMARY, GuideLines, line

FIRST = "handler_first_conversation"
CLINICIAN = "handler_clinician_mode"
NEAR = 0.85  # of the strength of the best, from which a second entity adds a line of its own


@dataclass(frozen=True, slots=True)
class Composer:
    """Puts the lines together; the same message and final set give the same words."""

    lines: GuideLines
    message: str

    def draft(self, found: Found) -> Draft:
        """The reply to a parent, or the entry for a professional."""
        handlers = [one.entity for one in found.final if one.by_state]
        safety = [one.entity for one in found.final if one.by_danger]
        rest = [one for one in found.final if one.pin is None]
        if any(one.entity_id == CLINICIAN for one in handlers):
            blocks = self._for_professionals(handlers, safety, rest)
        elif safety:
            blocks = self._for_safety(handlers, safety)
        elif handlers:
            blocks = self._for_moment(handlers[0], rest, found.rules)
        else:
            blocks = self._for_parents(rest, found)
        return Draft(tuple(blocks))

    def _for_safety(self, handlers: Sequence[Entity], safety: Sequence[Entity]) -> Iterator[Block]:
        """Danger first; who is new still learns whom they talk to, and what cannot be promised."""
        for entity in safety:
            yield from self._whole(entity, steps=3, flags=True)
        for handler in handlers:
            if handler.entity_id == FIRST:
                yield from self._greeting(handler, 0, 1)

    def _for_moment(
        self, handler: Entity, rest: Sequence[Chosen], rules: Sequence[Entity]
    ) -> Iterator[Block]:
        """What the moment asks for, and one step at most: nobody comes for a pile of advice."""
        first_time = handler.entity_id == FIRST
        yield from self._greeting(handler, 0, 2 if first_time or not rest else 1)
        for chosen in rest[:1]:
            yield from self._met(chosen.entity)
            yield from self._bullets("lead-do", chosen.entity, "guidance_do", 1)
        yield from self._spoken(rules)
        if rest and not first_time:
            yield from self._greeting(handler, 1, 2)

    def _for_parents(self, rest: Sequence[Chosen], found: Found) -> Iterator[Block]:
        for chosen in rest[:1]:
            worried = found.risk.level >= Level.MILD
            yield from self._whole(chosen.entity, steps=2, flags=worried)
        if len(rest) > 1 and _adds(rest[1], rest[0]):
            yield from self._bullets("lead-beside", rest[1].entity, "guidance_do", 1)
        yield from self._spoken(found.rules)
        if rest:
            yield _speech(self._say("closing"))

    def _for_professionals(
        self, handlers: Sequence[Entity], safety: Sequence[Entity], rest: Sequence[Chosen]
    ) -> Iterator[Block]:
        clinician = next(one for one in handlers if one.entity_id == CLINICIAN)
        yield from self._greeting(clinician, 0, 1)
        near = [one.entity for one in rest[:2] if one is rest[0] or _adds(one, rest[0])]
        for entity in [*safety, *near][:2]:
            yield _speech([*self._say("lead-clinician"), line(entity, SUMMARY)])
            yield from self._bullets("lead-clinician-do", entity, "guidance_do", 3)
            yield from self._bullets("lead-clinician-flags", entity, "red_flags", 2)

    def _spoken(self, rules: Sequence[Entity]) -> Iterator[Block]:
        """One line of each rule that the message touches, such as that this is no legal advice."""
        for rule in rules[:2]:
            yield from self._greeting(rule, 0, 1)

    def _greeting(self, handler: Entity, begin: int, end: int) -> Iterator[Block]:
        """What the service itself says: some of the scripts of a handler or a rule."""
        spoken = [
            line(handler, "scripts", at) for at in range(begin, min(end, len(handler.scripts)))
        ]
        if spoken:
            yield _speech(spoken)

    def _met(self, entity: Entity) -> Iterator[Block]:
        """One of the lines that meet a parent; the same message gets the same."""
        if entity.acknowledgement:
            which = int(digest(self.message, entity.entity_id)[:8], 16)
            yield _speech([line(entity, "acknowledgement", which % len(entity.acknowledgement))])

    def _whole(self, entity: Entity, *, steps: int, flags: bool = False) -> Iterator[Block]:
        """Acknowledgement, steps, words to use and what to leave."""
        yield from self._met(entity)
        yield from self._bullets("lead-do", entity, "guidance_do", steps)
        yield from self._bullets("lead-say", entity, "scripts", 1)
        yield from self._bullets("lead-dont", entity, "guidance_dont", 1)
        if flags:
            yield from self._bullets("lead-flags", entity, "red_flags", 1)

    def _bullets(self, lead: str, entity: Entity, field: str, most: int) -> Iterator[Block]:
        count = min(most, len(entity.lines(field)))
        if count:
            yield _speech(self._say(lead))
        for at in range(count):
            yield Block(BlockKind.BULLET, (Sentence((line(entity, field, at),)),))

    def _say(self, move: str) -> Sequence[Fragment]:
        seed = int(digest(self.message)[:8], 16)
        return self.lines.fragments(self.lines.pick(move, language="en", seed=seed, count=0))


def _adds(second: Chosen, best: Chosen) -> bool:
    """Whether a second entity is nearly as good, and named or triggered in so many words."""
    explicit = any(hit.channel in ("keyword", "pattern") for hit in second.hits)
    return explicit and second.strength >= NEAR * best.strength


def _speech(fragments: Sequence[Fragment]) -> Block:
    return Block(BlockKind.SPEECH, tuple(Sentence((one,)) for one in fragments))


def safety_lines(pinned: Sequence[Entity]) -> list[Fragment]:
    """What follows the safety line of the crisis screen: what to do now, and no coaching."""
    found = []
    for entity in pinned:
        field = "scripts" if entity.entity_type is EntityType.HANDLER else "guidance_do"
        found += [line(entity, field, at) for at in range(min(2, len(entity.lines(field))))]
    return found
