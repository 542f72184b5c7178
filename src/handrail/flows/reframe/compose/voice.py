"""From a plan to a draft: wordings by counting, the person's words in their slots, room for both.

Every fragment has its proof: a reviewed line, or words of the person by message and place.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from handrail.domain.reply import Block, BlockKind, Draft, Echo, Fragment, Sentence
from handrail.flows.reframe.compose.lines import ReframeLines, move_of
from handrail.flows.reframe.compose.plan import Filling, Keep, Paragraph, Plan, Say
from handrail.flows.reframe.state import Kept, Memory

_WORD = re.compile(r"\w+(?:[’'\-]\w+)*")


def count_words(text: str) -> int:
    """Words as a reader counts them: runs of letters and digits, apostrophes and hyphens inside."""
    return len(_WORD.findall(text))


def first_words(text: str, number: int) -> str:
    """As much of ``text`` as has ``number`` words at most."""
    ends = [found.end() for found in _WORD.finditer(text)]
    return text if len(ends) <= number else text[: ends[number - 1]]


@dataclass(frozen=True, slots=True)
class Voiced:
    """A draft, the ids of its lines in order, and what a session remembers of them."""

    draft: Draft
    lines: tuple[str, ...]
    said: tuple[tuple[str, int], ...]

    @property
    def balanced(self) -> str:
        """The id of the balanced thought in it, or an empty string."""
        found = [line for line in self.lines if move_of(line).startswith("balanced-")]
        return found[-1] if found else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Voice:
    """Speaks in one language; ``seed`` is the session's."""

    lines: ReframeLines
    language: str
    seed: int

    def voiced(self, plan: Plan, memory: Memory, *, number: int, words: int) -> Voiced:
        """The plan in words, at most ``words`` of them where dispensable and short moves allow.

        ``number`` is that of the message answered.
        """
        for shorter in _ever_shorter(plan):
            voiced = self._voiced(shorter, memory, number)
            if _length(voiced.draft) <= words:
                break
        return voiced

    def _voiced(self, plan: Plan, memory: Memory, number: int) -> Voiced:
        counts = Counter(dict(memory.said))
        spoken: list[str] = []
        blocks = [self._block(p, counts, spoken, number) for p in plan.paragraphs]
        return Voiced(Draft(tuple(blocks)), tuple(spoken), tuple(sorted(counts.items())))

    def _block(
        self, paragraph: Paragraph, counts: Counter[str], spoken: list[str], number: int
    ) -> Block:
        sentences = []
        for say in paragraph.moves:
            line = say.line or self._pick(say.move, counts)
            spoken.append(line)
            slots = {name: self._filled(filling, number) for name, filling in say.slots.items()}
            sentences.append(Sentence(self.lines.fragments(line, slots)))
        kind = BlockKind.BULLET if paragraph.bullet else BlockKind.SPEECH
        return Block(kind, tuple(sentences))

    def _pick(self, move: str, counts: Counter[str]) -> str:
        line = self.lines.pick(move, language=self.language, seed=self.seed, count=counts[move])
        counts[move] += 1
        return line

    def _filled(self, filling: Filling, number: int) -> tuple[Fragment, ...]:
        if isinstance(filling, str):
            line = self.lines.pick(filling, language=self.language, seed=self.seed, count=0)
            return self.lines.fragments(line)
        return (echo(filling, number),)


def echo(kept: Kept, number: int) -> Fragment:
    """Words of the person as a reply to message ``number`` holds them."""
    of = None if kept.number == number else kept.number
    return Fragment(kept.text, Echo(span=kept.span, number=of))


def _ever_shorter(plan: Plan) -> Iterator[Plan]:
    """The plan, then without what may go, then with one more of the short moves, first to last."""
    yield plan
    for spare in (Keep.IF_ROOM, Keep.RATHER):
        plan = _without(plan, spare)
        yield plan
    for at, paragraph in enumerate(plan.paragraphs):
        for say in paragraph.moves:
            if say.short is not None:
                plan = _shortened(plan, at, say, say.short)
                yield plan


def _shortened(plan: Plan, at: int, long: Say, short: Say) -> Plan:
    paragraphs = list(plan.paragraphs)
    moves = tuple(short if say is long else say for say in paragraphs[at].moves)
    paragraphs[at] = replace(paragraphs[at], moves=moves)
    return replace(plan, paragraphs=tuple(paragraphs))


def _without(plan: Plan, spare: Keep) -> Plan:
    """The plan without the moves that may go first."""
    kept = [
        replace(p, moves=tuple(say for say in p.moves if say.keep < spare)) for p in plan.paragraphs
    ]
    return replace(plan, paragraphs=tuple(p for p in kept if p.moves))


def _length(draft: Draft) -> int:
    return sum(count_words(sentence.text) for sentence in draft.sentences())
