"""Which clause states the thought, which the situation, and which tells another side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from handrail.domain.text import Span
from handrail.flows.reframe.reading.lexicon import ActModel, ClauseModel, EmotionModel, Role
from handrail.flows.reframe.reading.message import Clause, Message, Words
from handrail.flows.reframe.reading.model import LONGEST_QUOTE, Act, Asked

_BELIEVED = 2  # what "I think that" adds to the clause behind it
_CONDITIONS = ("if", "si")
_LEAST = {Asked.NOTHING: 1, Asked.SITUATION: 1, Asked.WORRY: 2, Asked.EMOTION: 3}
"""What a situation has to weigh, by what was asked; nobody tells one in answer to the rest."""

_SPENT = frozenset({Act.FRUSTRATED, Act.HOSTILE, Act.WANTS_ADVICE, Act.WANTS_SUMMARY})
_ASIDE = frozenset({Act.GREETING, Act.THANKS, Act.UNSURE, Act.POSITIVE, Act.YES, Act.NO})


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What the clauses of a message tell."""

    thought: Span | None = None
    situation: Span | None = None
    evidence: Span | None = None
    self_attack: bool = False
    stated: bool = False  # whether the thought is one by its own words


@dataclass(frozen=True, slots=True)
class _Weighed:
    clause: Clause
    thought: int
    situation: int
    evidence: int
    feels: bool
    attack: bool
    says: bool  # something beside fillers
    tells: bool  # something beside a feeling

    @property
    def is_situation(self) -> bool:
        return self.situation > 0 and self.situation >= self.thought


def told(message: Message) -> Told:
    """The clauses that are worth saying back."""
    weighed = list(_weigh(message))
    attack = any(one.attack for one in weighed)
    if message.asked is Asked.EVIDENCE:
        return _other_side(message, weighed, attack=attack)
    thought = _thought(message, weighed)
    words = None if thought is None else _joined(message, weighed, thought)
    rest = [one for one in weighed if words is None or not one.clause.whole.touches(words)]
    situation = _situation(message, rest, alone=thought is None)
    return Told(
        thought=message.span(words) if words else None,
        situation=_span(message, situation),
        self_attack=attack,
        stated=thought is not None and weighed[thought].thought > 0,
    )


def _weigh(message: Message) -> Iterator[_Weighed]:
    filler = message.filler
    aside = message.covered("aside", lambda item: isinstance(item, ActModel) and item.act in _ASIDE)
    feeling = message.covered("feeling", lambda item: isinstance(item, EmotionModel))
    bare = message.covered("bare", lambda item: _is(item, "bare"))
    spent = message.covered("spent", _is_spent)
    attacks = tuple(_attacks(message))
    for clause in message.clauses:
        words = frozenset(range(*clause.whole))
        if not words.isdisjoint(spent):  # it is said to us, and nothing to say back
            continue
        yield _Weighed(
            clause,
            thought=_weight(message, "thought", clause.whole) + _BELIEVED * clause.believed,
            situation=_weight(message, "situation", clause.whole),
            evidence=_weight(message, "evidence", clause.whole),
            feels=not words.isdisjoint(feeling),
            attack=any(attack.start in words for attack in attacks),
            says=not words <= filler | aside,
            tells=not words <= filler | aside | feeling | bare,
        )


def _weight(message: Message, role: Role, clause: Words) -> int:
    """What the cues of a role weigh in a clause, each place once, and all weak ones together 1."""
    at: dict[int, int] = {}
    for words, item in message.role(role):
        if words.start < clause.end and clause.start <= words.start:
            at[words.start] = max(item.weight, at.get(words.start, 0))
    strong = [weight for weight in at.values() if weight > 1]
    return sum(strong) + (len(strong) < len(at))


def _attacks(message: Message) -> Iterator[Words]:
    """Harsh words about oneself that are one's own, not what others are said to think."""
    reported = [words for words, _ in message.role("reported")]
    for words, _ in message.role("attack"):
        clause = next(one.whole for one in message.clauses if words.start < one.whole.end)
        if not any(clause.start <= each.start < words.start for each in reported):
            yield words


def _thought(message: Message, weighed: Sequence[_Weighed]) -> int | None:
    """The clause with the strongest belief; after the question for it, any clause that says one."""
    worry = message.asked is Asked.WORRY
    stated = [
        at
        for at, one in enumerate(weighed)
        if one.thought > 0 and (one.thought > 1 or worry or one.attack)
        if not one.is_situation or (worry and not any(w.thought > w.situation for w in weighed))
    ]
    if stated:
        return max(stated, key=lambda at: (weighed[at].thought + weighed[at].feels, -at))
    if attacks := [at for at, one in enumerate(weighed) if one.attack]:
        return attacks[0]
    return next((at for at, one in enumerate(weighed) if one.tells), None) if worry else None


def _situation(message: Message, weighed: Sequence[_Weighed], *, alone: bool) -> _Weighed | None:
    """The clause that tells most of what happens; ``alone`` when no thought was found beside it."""
    least = _LEAST.get(message.asked)
    if least is None:
        return None
    told = [one for one in weighed if one.situation >= least and one.tells]
    if told:
        return max(told, key=lambda one: one.situation + one.feels)
    open_ended = message.asked is Asked.SITUATION or (alone and message.asked is Asked.NOTHING)
    return next((one for one in weighed if one.tells), None) if open_ended else None


def _other_side(message: Message, weighed: Sequence[_Weighed], *, attack: bool) -> Told:
    """After the question for it: the clause that tells another side; harsh words are a thought."""
    kind = [one for one in weighed if one.says and not one.attack]
    best = max(kind, key=lambda one: one.evidence, default=None)
    harsh = next((one for one in weighed if one.attack), None)
    return Told(
        evidence=_span(message, best),
        thought=message.span(harsh.clause.core) if harsh else None,
        self_attack=attack,
        stated=harsh is not None,
    )


def _span(message: Message, told: _Weighed | None) -> Span | None:
    return message.span(told.clause.plain) if told else None


def _joined(message: Message, weighed: Sequence[_Weighed], at: int) -> Words:
    """A thought with its condition before it and its second half behind it, where they fit."""
    start, end = weighed[at].clause.core
    if at and not weighed[at].clause.stops and _is_condition(message, weighed[at - 1].clause):
        start = weighed[at - 1].clause.core.start
    for one, after in pairwise(weighed[at:]):
        if after.clause.breaks or not after.thought or end != one.clause.whole.end:
            break
        if _reach(message, start, after.clause.core.end) > LONGEST_QUOTE:
            break
        end = after.clause.core.end
    fits = _reach(message, start, end) <= LONGEST_QUOTE
    return Words(start, end) if fits else weighed[at].clause.core


def _is_condition(message: Message, clause: Clause) -> bool:
    return message.tokens[clause.core.start] in _CONDITIONS


def _reach(message: Message, start: int, end: int) -> int:
    return message.normal.origins[end - 1][1] - message.normal.origins[start][0]


def _is_spent(item: object) -> bool:
    return isinstance(item, ActModel) and item.act in _SPENT and not item.whole


def _is(item: object, role: Role) -> bool:
    return isinstance(item, ClauseModel) and item.role == role
