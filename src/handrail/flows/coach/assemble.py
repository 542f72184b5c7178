"""From a choice to a draft: reviewed lines, the person's words and verbatim quotes (C34-C37).

Which of several reviewed lines is used depends on the message alone, so that the same message gets
the same bytes and different ones do not all sound alike.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from handrail.content import Bridge, CoachContent, Frame, Step
from handrail.domain.reply import (
    Block,
    BlockKind,
    Draft,
    Echo,
    EvidenceBundle,
    Fragment,
    Quoted,
    Sentence,
    Snippet,
    Vetted,
)
from handrail.domain.text import digest
from handrail.flows.coach.decider import DeciderOutput, LabelChoice, QuoteRef
from handrail.flows.coach.feelings import GENERAL, Feelings

ItemT = TypeVar("ItemT")


def selected(choice: DeciderOutput, bundle: EvidenceBundle) -> tuple[Snippet, ...]:
    """The snippets that the decision points at, each once."""
    refs = [ref for skill in choice.skills for ref in skill.quote_refs]
    refs += [ref for c in (*choice.coping_suggestions, *choice.goals) for ref in c.quote_refs]
    found = (bundle.find(*ref.key) for ref in refs)
    return tuple(dict.fromkeys(snippet for snippet in found if snippet))


def _comfort(choice: DeciderOutput) -> list[QuoteRef]:
    """References of the skills that no suggestion or goal needs as its reason."""
    reasons = {ref for c in (*choice.coping_suggestions, *choice.goals) for ref in c.quote_refs}
    refs = (ref for skill in choice.skills for ref in skill.quote_refs)
    return [ref for ref in refs if ref not in reasons]


@dataclass(slots=True)
class Assembler:
    """Builds one draft; keeps account of lines and quotes so that none is used twice."""

    content: CoachContent
    bundle: EvidenceBundle
    message: str
    feelings: Feelings
    _used: set[str] = field(default_factory=set)

    def draft(self, choice: DeciderOutput, *, mild: bool) -> Draft:
        """The blocks in reading order; evidence that was cited already is not repeated."""
        skills = {skill.name for skill in choice.skills}
        blocks: list[Block] = []
        if mild:
            blocks.append(Block(BlockKind.NOTICE, (self._notice("mild-checkin"),)))
        blocks.append(Block(BlockKind.VALIDATION, (self._validation(),)))
        if "reflection" in skills:
            blocks += self._reflection()
        blocks += self._evidence(_comfort(choice))
        for suggestion in choice.coping_suggestions:
            blocks += self._advice(BlockKind.STEP, suggestion, self.content.steps)
        for goal in choice.goals:
            blocks += self._advice(BlockKind.GOAL, goal, self.content.goals)
        return Draft(tuple(blocks))

    def _pick(self, items: Sequence[ItemT], salt: str) -> ItemT:
        """One of ``items``, by the hash of the message; unused ones first."""
        fresh = [item for item in items if getattr(item, "id", "") not in self._used]
        pool = fresh or list(items)
        item = pool[int(digest(salt, self.message)[:8], 16) % len(pool)]
        self._used.add(getattr(item, "id", ""))
        return item

    def _notice(self, name: str) -> Sentence:
        notice = self.content.notice(name)
        return Sentence((Fragment(notice.text, Vetted(item_id=f"{notice.id}.en")),))

    def _glue(self, name: str) -> Fragment:
        return self._notice(name).fragments[0]

    def _validation(self) -> Sentence:
        lines = [line for line in self.content.validation if line.family == self.feelings.family]
        lines = lines or [line for line in self.content.validation if line.family == GENERAL]
        line = self._pick(lines, "validation")
        return Sentence((Fragment(line.text, Vetted(item_id=line.id)),))

    def _reflection(self) -> Iterator[Block]:
        fitting = [frame for frame in self.content.frames if self._can_fill(frame)]
        if fitting:
            frame = self._pick(fitting, "reflection")
            yield Block(BlockKind.REFLECTION, (Sentence(tuple(self._filled(frame))),))

    def _can_fill(self, frame: Frame) -> bool:
        """Whether its slots can be filled, without naming a feeling that the echo names too."""
        echo, named = self.feelings.echo, self.feelings.named
        if "echo" in frame.needs and echo is None:
            return False
        if "feelings" in frame.needs and not named:
            return False
        both = echo is not None and len(frame.needs) > 1
        return not (both and self.feelings.echo_names_feeling)

    def _filled(self, frame: Frame) -> Iterator[Fragment]:
        for at, piece in enumerate(frame.pieces):
            if piece:
                yield Fragment(piece, Vetted(item_id=frame.id, piece=at))
            if at < len(frame.slots):
                yield from self._slot(frame.slots[at])

    def _slot(self, name: str) -> Iterator[Fragment]:
        if name == "echo" and self.feelings.echo:
            span = self.feelings.echo
            yield Fragment(span.of(self.message), Echo(span=span))
            return
        words = self.feelings.named
        for at, word in enumerate(words):
            if at:
                yield self._glue("glue-and" if at == len(words) - 1 else "glue-comma")
            yield Fragment(word.feeling or "", Vetted(item_id=word.id))

    def _evidence(self, refs: Sequence[QuoteRef]) -> Iterator[Block]:
        snippet = next(filter(None, map(self._unused, refs)), None)
        if snippet:
            bridge = self._pick(self._bridges("opening"), "opening")
            yield Block(BlockKind.EVIDENCE, (self._quote(bridge, snippet),))

    def _advice(
        self, kind: BlockKind, choice: LabelChoice, steps: Sequence[Step]
    ) -> Iterator[Block]:
        step = next((step for step in steps if step.label == choice.label), None)
        snippet = next(filter(None, map(self._unused, choice.quote_refs)), None)
        if step is None or snippet is None or step.id in self._used:
            return
        self._used.add(step.id)
        bridge = self._pick(self._bridges("why"), kind.value)
        line = Sentence((Fragment(step.text, Vetted(item_id=step.id)),))
        yield Block(kind, (line, self._quote(bridge, snippet)))

    def _bridges(self, kind: str) -> list[Bridge]:
        return [bridge for bridge in self.content.bridges if bridge.kind == kind]

    def _unused(self, ref: QuoteRef) -> Snippet | None:
        snippet = self.bundle.find(*ref.key)
        if snippet is None or snippet.text in self._used:
            return None
        return snippet

    def _quote(self, bridge: Bridge, snippet: Snippet) -> Sentence:
        self._used.add(snippet.text)
        quoted = Quoted(case_id=snippet.case_id, sent_id=snippet.sent_id, span=snippet.span)
        return Sentence(
            (
                Fragment(bridge.text, Vetted(item_id=bridge.id)),
                self._glue("quote-open"),
                Fragment(snippet.text, quoted),
                self._glue("quote-close"),
            )
        )
