"""The one thing that a message does."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from handrail.flows.reframe.reading.clauses import Told
from handrail.flows.reframe.reading.lexicon import ActModel, TopicModel
from handrail.flows.reframe.reading.message import Message
from handrail.flows.reframe.reading.model import Act, Asked, Language, Topic
from handrail.flows.reframe.reading.ratings import Figures
from handrail.flows.reframe.reading.sayings import Words, covered

_SHORT = 40  # words; a longer message tells something, whatever else it does
_STRAY = 2  # words that a short request may have beside it
_LOW, _HIGH = 3, 7  # a balanced thought rated so low does not fit, so high it does
_ANSWERS = frozenset({Act.YES, Act.NO, Act.PARTLY})
_PLAIN = frozenset({"yes", "no", "si"})
_GOES_ON = frozenset({"and", "but", "y", "pero"})
_COURTESY = (Act.GREETING, Act.THANKS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """What a message does, and what about."""

    act: Act
    topic: Topic = Topic.NONE
    trap: str | None = None
    language: Language | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """Everything that the act of a message depends on."""

    message: Message
    told: Told
    figures: Figures
    feels: bool

    @property
    def asked(self) -> Asked:
        return self.message.asked

    @property
    def states(self) -> bool:
        """Whether it tells a thought or names a feeling."""
        return self.feels or self.told.stated

    @property
    def has_number(self) -> bool:
        ratings = self.figures.ratings
        labelled = ratings.truth or ratings.anxiety or ratings.confidence
        return bool(
            self.figures.intensity or labelled or ratings.unlabelled or self.figures.out_of_range
        )


def done(heard: Heard) -> Done:
    """The first that applies of what a message can do; content is what is left."""
    if not any(map(str.isalnum, heard.message.text)):
        return Done(act=Act.SILENCE)
    rules = _RULES if len(heard.message.tokens) <= _SHORT else _LONG_RULES
    return next(filter(None, (rule(heard) for rule in rules)), Done(act=Act.CONTENT))


def denies(message: Message) -> bool:
    """Whether a no opens the message and stands for itself, whatever goes on behind it."""
    opening = _opening(message) if message.tokens else 0
    return any(
        item.act is Act.NO
        and item.whole
        and words.start in (0, opening)
        and message.ends(words.end - 1)
        for words, item in message.said.of(ActModel)
    )


def _language(heard: Heard) -> Done | None:
    asked = [item for item in _items(heard, Act.OTHER_LANGUAGE_REQUEST) if item.language]
    return Done(act=asked[0].act, language=asked[0].language) if asked else None


def _hostile(heard: Heard) -> Done | None:
    """Insults at us open their sentence and are nobody's words but the writer's."""
    message = heard.message
    for words, item in message.said.of(ActModel):
        if item.act is not Act.HOSTILE or message.quoted(words):
            continue
        begin = message.clause(words.start).whole.start
        if all(at in message.filler for at in range(begin, words.start)):
            return Done(act=Act.HOSTILE)
    return None


def _number(heard: Heard) -> Done | None:
    asks = heard.asked in (Asked.INTENSITY, Asked.RATINGS)
    return Done(act=Act.CONTENT) if asks and heard.has_number else None


def _fit_number(heard: Heard) -> Done | None:
    truth = heard.figures.ratings.truth if heard.asked is Asked.FIT else None
    if truth is None:
        return None
    if truth.value <= _LOW:
        return Done(act=Act.NO)
    return Done(act=Act.YES if truth.value >= _HIGH else Act.PARTLY)


def _whole(act: Act) -> Callable[[Heard], Done | None]:
    """The rule for an act that is all that a message does."""

    def rule(heard: Heard) -> Done | None:
        own = covered(_said(heard, act))
        if own and _rest(heard, own):
            own |= _loosely(heard, act)
        return Done(act=act) if own and not _rest(heard, own) else None

    return rule


def _loosely(heard: Heard, act: Act) -> frozenset[int]:
    """What follows loose words of an act in their clause, unless it states a thought."""
    if heard.told.stated:
        return frozenset()
    loose = [words.start for words, item in _said(heard, act) if item.loose]
    ends = [heard.message.clause(start).whole.end for start in loose]
    return frozenset(at for span in zip(loose, ends, strict=True) for at in range(*span))


def _request(act: Act) -> Callable[[Heard], Done | None]:
    """The rule for a short request, with a stray word or two beside it."""

    def rule(heard: Heard) -> Done | None:
        own = covered(one for one in _said(heard, act) if not one[1].whole)
        if own and len(_rest(heard, own)) <= _STRAY:
            return Done(act=act)
        return _whole(act)(heard)

    return rule


def _open(act: Act) -> Callable[[Heard], Done | None]:
    """The rule for an act that a short message does wherever it says so."""

    def rule(heard: Heard) -> Done | None:
        items = [item for item in _items(heard, act) if not item.whole]
        return Done(act=act, topic=items[0].topic) if items else _whole(act)(heard)

    return rule


def _offtopic(heard: Heard) -> Done | None:
    return None if heard.states else _open(Act.OFFTOPIC)(heard)


def _about(heard: Heard) -> Done | None:
    """A question about a subject that we have words for."""
    followup = heard.asked is Asked.FOLLOWUP
    marked = "?" in heard.message.text
    if not (followup or marked or (heard.message.asks and not heard.told.stated)):
        return None
    for _, item in sorted(
        heard.message.said.of(TopicModel), key=lambda one: one[1].topic is Topic.NONE
    ):
        if item.topic is Topic.NOT_BELIEVING and not followup:
            continue
        if item.topic is Topic.NONE and heard.states:
            continue
        return Done(act=Act.ASKS, topic=item.topic, trap=item.trap)
    return None


def _topics(heard: Heard) -> Sequence[TopicModel]:
    """The subjects of a message, those without a name last."""
    items = [item for _, item in heard.message.said.of(TopicModel)]
    return sorted(items, key=lambda item: item.topic is Topic.NONE)


def _question(heard: Heard) -> Done | None:
    """Any other question that tells nothing."""
    told = heard.told.thought or (heard.told.situation and heard.asked is not Asked.NOTHING)
    asks = "?" in heard.message.text and heard.message.asks
    wanted = heard.asked in (Asked.FOLLOWUP, Asked.FIT, Asked.RATINGS, Asked.INTENSITY)
    return Done(act=Act.ASKS) if asks and wanted and not told else None


def _fit_partly(heard: Heard) -> Done | None:
    first = [item for item in _items(heard, Act.PARTLY) if item.first]
    return Done(act=Act.PARTLY) if first else None


def _fit_opening(heard: Heard) -> Done | None:
    """A yes or no that opens the answer is the answer."""
    if heard.asked is not Asked.FIT or not heard.message.clauses:
        return None
    opening = _opening(heard.message)
    if heard.message.tokens[opening] == "si" and heard.told.stated:
        return None  # "si" without its accent is "if" as well
    answers = [
        (words.end, item)
        for words, item in heard.message.said.of(ActModel)
        if item.act in _ANSWERS and words.start in (0, opening)
        if heard.message.tokens[words.end - 1 : words.end + 1] != ["no", "one"]
    ]
    if not any(item.whole for _, item in answers):
        return None
    return Done(act=max(answers, key=lambda one: one[0])[1].act)


def _fit_both(heard: Heard) -> Done | None:
    """A yes and a no, each at the end of its clause: "the second part yes, the first part no"."""
    if heard.asked is not Asked.FIT:
        return None
    closing = {
        item.act
        for words, item in heard.message.said.of(ActModel)
        if item.act in (Act.YES, Act.NO)
        and heard.message.tokens[words.start] in _PLAIN
        and heard.message.ends(words.start)
    }
    return Done(act=Act.PARTLY) if len(closing) > 1 else None


def _opening(message: Message) -> int:
    """The first word that is no filler; what begins with "but" goes on and is no answer."""
    for at, token in enumerate(message.tokens):
        if token in _GOES_ON:
            return 0
        if at not in message.filler:
            return at
    return 0


def _fit_open(act: Act) -> Callable[[Heard], Done | None]:
    def rule(heard: Heard) -> Done | None:
        if heard.asked is not Asked.FIT:
            return None
        found = any(not item.whole for item in _items(heard, act))
        return Done(act=act) if found else None

    return rule


def _said(heard: Heard, act: Act) -> Iterator[tuple[Words, ActModel]]:
    return (one for one in heard.message.said.of(ActModel) if one[1].act is act)


def _items(heard: Heard, act: Act) -> Iterator[ActModel]:
    return (item for _, item in _said(heard, act))


def _rest(heard: Heard, own: frozenset[int]) -> frozenset[int]:
    """The words that say something else, courtesies aside."""
    polite = covered(one for act in _COURTESY for one in _said(heard, act))
    return frozenset(range(len(heard.message.tokens))) - own - polite - heard.message.filler


_RULES: Sequence[Callable[[Heard], Done | None]] = (
    _language,
    _hostile,
    _number,
    _whole(Act.WANTS_END),
    _open(Act.FRUSTRATED),
    _request(Act.WANTS_SUMMARY),
    _open(Act.WANTS_ADVICE),
    _open(Act.ASKS_WHO),
    _about,
    _offtopic,
    _request(Act.REFUSES),
    _fit_number,
    _fit_partly,
    _whole(Act.UNSURE),
    _fit_both,
    _fit_opening,
    _fit_open(Act.NO),
    _whole(Act.PARTLY),
    _fit_open(Act.PARTLY),
    _fit_open(Act.YES),
    _whole(Act.GREETING),
    _whole(Act.POSITIVE),
    _whole(Act.NO),
    _whole(Act.YES),
    _whole(Act.THANKS),
    _question,
)

_LONG_RULES = (_number, _fit_number, _fit_partly, _fit_opening)
