"""A reply from the chosen entities' own lines: short, one step at a time, each line cited."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from handrail.domain.entity import Entity, EntityType
from handrail.domain.reply import Block, BlockKind, Draft, Fragment, Sentence
from handrail.domain.text import digest
from handrail.flows.guide.found import Chosen, Found
from handrail.flows.guide.lines import SUMMARY, GuideLines, line

FIRST = "handler_first_conversation"
CLINICIAN = "handler_clinician_mode"
NEAR = 0.5  # of the first one's score, from which a second entity adds a line of its own


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
            return Draft(tuple(self._for_professionals(handlers, safety, rest)))
        return Draft(tuple(self._for_parents(handlers, safety, rest)))

    def _for_parents(
        self, handlers: Sequence[Entity], safety: Sequence[Entity], rest: Sequence[Chosen]
    ) -> Iterator[Block]:
        first_time = any(one.entity_id == FIRST for one in handlers)
        # What a state calls for waits where danger is near, but not whom a person talks with.
        for handler in handlers[:1] if first_time or not safety else ():
            yield from self._greeting(handler, 2)
        for entity in safety:
            yield from self._whole(entity, steps=3, flags=True)
        if safety:
            return
        for chosen in rest[:1]:
            yield from self._whole(chosen.entity, steps=1 if first_time else 2)
        if not first_time and len(rest) > 1 and rest[1].score >= NEAR * rest[0].score:
            yield from self._bullets("lead-beside", rest[1].entity, "guidance_do", 1)
        if rest and not handlers:
            yield _speech(self._say("closing"))

    def _for_professionals(
        self, handlers: Sequence[Entity], safety: Sequence[Entity], rest: Sequence[Chosen]
    ) -> Iterator[Block]:
        yield from self._greeting(next(one for one in handlers if one.entity_id == CLINICIAN), 1)
        near = [one.entity for one in rest[:2] if one.score >= NEAR * rest[0].score]
        for entity in [*safety, *near][:2]:
            yield _speech([*self._say("lead-clinician"), line(entity, SUMMARY)])
            yield from self._bullets("lead-clinician-do", entity, "guidance_do", 3)
            yield from self._bullets("lead-clinician-flags", entity, "red_flags", 2)

    def _greeting(self, handler: Entity, most: int) -> Iterator[Block]:
        spoken = [line(handler, "scripts", at) for at in range(min(most, len(handler.scripts)))]
        if spoken:
            yield _speech(spoken)

    def _whole(self, entity: Entity, *, steps: int, flags: bool = False) -> Iterator[Block]:
        """Acknowledgement, steps, words to use and what to leave."""
        if entity.acknowledgement:
            which = int(digest(self.message, entity.entity_id)[:8], 16)
            yield _speech([line(entity, "acknowledgement", which % len(entity.acknowledgement))])
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


def _speech(fragments: Sequence[Fragment]) -> Block:
    return Block(BlockKind.SPEECH, tuple(Sentence((one,)) for one in fragments))


def safety_lines(pinned: Sequence[Entity]) -> list[Fragment]:
    """What follows the safety line of the crisis screen: what to do now, and no coaching."""
    found = []
    for entity in pinned:
        field = "scripts" if entity.entity_type is EntityType.HANDLER else "guidance_do"
        found += [line(entity, field, at) for at in range(min(2, len(entity.lines(field))))]
    return found
