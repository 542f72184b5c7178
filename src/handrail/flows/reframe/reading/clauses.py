"""Which clause states the thought, which the situation, and which tells another side."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from handrail.domain.text import Span
from handrail.flows.reframe.reading.cutting import Clause
from handrail.flows.reframe.reading.lexicon import ActModel, EmotionModel
from handrail.flows.reframe.reading.message import Message
from handrail.flows.reframe.reading.model import LONGEST_QUOTE, Act, Asked
from handrail.flows.reframe.reading.sayings import Words, covered

_BELIEVED = 2  # what "I think that" adds to the clause behind it
_CONDITIONS = ("if", "si")
_TRAILS = frozenset({*_CONDITIONS, "unless", "when", "because", "cuando", "porque"})
"""What may begin the rest of a thought: "she'll leave when she knows"."""
_BREATH = 60  # code points that two halves of a thought have at most, with a comma between
_LEAST = {Asked.NOTHING: 1, Asked.SITUATION: 1, Asked.WORRY: 2, Asked.EMOTION: 3}
"""What a situation has to weigh, by what was asked; nobody tells one in answer to the rest."""

_SPENT = frozenset({Act.ASKS_WHO, Act.FRUSTRATED, Act.WANTS_ADVICE, Act.WANTS_SUMMARY})
_ANSWERS = frozenset({Act.YES, Act.NO, Act.PARTLY, Act.UNSURE})
_ASIDE = frozenset({Act.GREETING, Act.THANKS, Act.UNSURE, Act.POSITIVE, Act.YES, Act.NO})


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What the clauses of a message tell."""

    thought: Span | None = None
    situation: Span | None = None
    evidence: Span | None = None
    beside: Span | None = None  # another side, told with the answer to the balanced thought
    self_attack: bool = False
    corrects: bool = False  # whether it says that we took it wrong
    turns: bool = False  # whether it leaves what was told before
    event: bool = False  # whether the thought is what happened, for want of a belief
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
    tells: bool  # something beside a feeling and a number
    loss: bool  # that somebody died

    @property
    def is_situation(self) -> bool:
        return self.situation > 0 and self.situation >= self.thought

    @property
    def is_event(self) -> bool:
        """Whether it tells what happened, and nothing that is believed or feared."""
        return self.situation > 1 and not (self.thought or self.attack)


def told(message: Message) -> Told:
    """The clauses that are worth saying back."""
    weighed = list(_weigh(message))
    attack = any(one.attack for one in weighed)
    if message.asked is Asked.EVIDENCE:
        return _other_side(message, weighed, attack=attack)
    turns = any(message.said.role("turns"))
    asked = Asked.NOTHING if turns else message.asked
    thought = _thought(asked, weighed)
    words = None if thought is None else _joined(message, weighed, thought)
    rest = [one for one in weighed if words is None or not one.clause.whole.touches(words)]
    situation = _situation(asked, rest, alone=thought is None)
    return Told(
        thought=message.span(words) if words else None,
        situation=_span(message, situation),
        beside=_span(message, _beside_answer(message, weighed) if asked is Asked.FIT else None),
        self_attack=attack,
        corrects=any(message.said.role("corrects")),
        turns=turns,
        event=thought is not None and weighed[thought].is_event,
        stated=thought is not None and weighed[thought].thought > 0,
    )


def _weigh(message: Message) -> Iterator[_Weighed]:
    said = message.said
    acts = list(said.of(ActModel))
    spent = covered(one for one in acts if one[1].act in _SPENT and not one[1].whole)
    for role in ("corrects", "turns", "doubts"):
        spent |= covered(said.role(role))
    digits = frozenset(at for at, token in enumerate(message.tokens) if token.isdigit())
    silent = message.filler | digits | covered(one for one in acts if one[1].act in _ASIDE)
    feeling = covered(said.of(EmotionModel))
    vague = silent | feeling | covered(said.role("bare"))
    vague |= frozenset(at for at, token in enumerate(message.tokens) if token.isdigit())
    attacks, lost = frozenset(_attacks(message)), covered(said.role("loss"))
    thought = said.weights("thought")
    situation = said.weights("situation")
    evidence = said.weights("evidence")
    for clause in message.clauses:
        words = frozenset(range(*clause.whole))
        if not words.isdisjoint(spent):  # it is said to us, and nothing to say back
            continue
        yield _Weighed(
            clause,
            thought=_sum(thought, words) + _BELIEVED * clause.believed,
            situation=_sum(situation, words),
            evidence=_sum(evidence, words),
            feels=not words.isdisjoint(feeling),
            attack=not words.isdisjoint(attacks),
            says=not words <= silent,
            tells=not words <= vague,
            loss=not words.isdisjoint(lost),
        )


def _sum(weights: Mapping[int, int], words: frozenset[int]) -> int:
    """What cues weigh that begin in a clause, where all weak ones together weigh 1."""
    found = [weights[at] for at in words if at in weights]
    strong = [weight for weight in found if weight > 1]
    return sum(strong) + (len(strong) < len(found))


def _attacks(message: Message) -> Iterator[int]:
    """Where harsh words about oneself begin that are one's own, not what others may think."""
    reported = sorted(message.said.begin("reported"))
    for words, _ in message.said.role("attack"):
        before = bisect_left(reported, words.start)
        said_by = reported[before - 1] if before else -1
        if said_by < message.clause(words.start).whole.start:
            yield words.start


def _thought(asked: Asked, weighed: Sequence[_Weighed]) -> int | None:
    """The clause with the strongest belief; after the question for it, any clause that says one."""
    worry = asked is Asked.WORRY
    clear = [at for at, one in enumerate(weighed) if _is_thought(one)]
    faint = [at for at, one in enumerate(weighed) if one.thought > 0] if worry else []
    harsh = [at for at, one in enumerate(weighed) if one.attack]
    if stated := clear or faint or harsh:
        return max(stated, key=lambda at: (weighed[at].thought + weighed[at].feels, -at))
    told = [at for at, one in enumerate(weighed) if one.tells] if worry else []
    return max(told, key=lambda at: _length(weighed[at]), default=None)


def _is_thought(one: _Weighed) -> bool:
    """Whether a clause states a belief more than an event, and more than a feeling."""
    firm = one.thought > 1 and not one.is_situation and (one.tells or one.thought > _BELIEVED)
    return firm or (one.attack and one.thought > 0 and not one.is_situation)


def _situation(asked: Asked, weighed: Sequence[_Weighed], *, alone: bool) -> _Weighed | None:
    """The clause that tells most of what happens, a death before all else.

    ``alone`` when no thought was found beside it.
    """
    least = _LEAST.get(asked)
    if least is None:
        return None
    if lost := next((one for one in weighed if one.loss), None):
        return lost
    told = [one for one in weighed if one.situation >= least and one.tells]
    if told:
        return max(told, key=lambda one: one.situation + one.feels)
    open_ended = asked is Asked.SITUATION or (alone and asked is Asked.NOTHING)
    return (
        max((one for one in weighed if one.tells), key=_length, default=None)
        if open_ended
        else None
    )


def _length(one: _Weighed) -> int:
    return one.clause.core.end - one.clause.core.start


def _other_side(message: Message, weighed: Sequence[_Weighed], *, attack: bool) -> Told:
    """After the question for it: the clause that tells another side; harsh words are a thought."""
    kind = [one for one in weighed if one.says and not one.attack]
    best = max(kind, key=lambda one: one.evidence, default=None)
    harsh = next((one for one in weighed if one.attack), None)
    return Told(
        evidence=message.span(best.clause.core) if best else None,
        thought=message.span(harsh.clause.core) if harsh else None,
        self_attack=attack,
        stated=harsh is not None,
    )


def _beside_answer(message: Message, weighed: Sequence[_Weighed]) -> _Weighed | None:
    """What tells another side where it was asked how the balanced thought sits."""
    answers = covered(one for one in message.said.of(ActModel) if one[1].act in _ANSWERS)
    kind = [
        one
        for one in weighed
        if one.says and one.evidence > max(1, one.thought) and not one.attack
        if answers.isdisjoint(range(*one.clause.core))
    ]
    return max(kind, key=lambda one: one.evidence, default=None)


def _span(message: Message, told: _Weighed | None) -> Span | None:
    return message.span(told.clause.plain) if told else None


def _joined(message: Message, weighed: Sequence[_Weighed], at: int) -> Words:
    """A thought with its condition and its other halves around it, where they fit."""
    first = last = at
    while first and _goes_on(message, weighed[first - 1], weighed[first], weighed[last]):
        first -= 1
    for after in weighed[at + 1 :]:
        if not _goes_on(message, weighed[last], after, weighed[first]):
            break
        last += 1
    return Words(weighed[first].clause.core.start, weighed[last].clause.core.end)


def _goes_on(message: Message, one: _Weighed, after: _Weighed, far: _Weighed) -> bool:
    """Whether two clauses side by side are one thought, and short enough with the ``far`` end."""
    edges = [*one.clause.core, *after.clause.core, *far.clause.core]
    whole = one.clause.core.end == one.clause.whole.end == after.clause.whole.start
    if after.clause.stops or not whole or message.reach(min(edges), max(edges)) > LONGEST_QUOTE:
        return False
    if _is_condition(message, one.clause):
        return True
    if _trails(message, after.clause):
        return True
    long = message.reach(min(edges), max(edges)) > _BREATH
    anew = after.clause.believed or (after.clause.breaks and long)
    return not anew and one.thought > 0 and after.thought > 0


def _trails(message: Message, clause: Clause) -> bool:
    """Whether the clause is the rest of a thought, where the situation was told before."""
    told = message.asked is Asked.WORRY and not clause.breaks
    return told and message.tokens[clause.whole.start] in _TRAILS


def _is_condition(message: Message, clause: Clause) -> bool:
    start, end = clause.core
    return end - start > 1 and message.tokens[start] in _CONDITIONS
