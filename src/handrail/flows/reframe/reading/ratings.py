"""How strong it is, and the set of ratings at the end: which number answers which question."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from handrail.flows.reframe.reading.lexicon import EmotionModel, IntensityModel, TopicModel
from handrail.flows.reframe.reading.message import Message
from handrail.flows.reframe.reading.model import Asked, Number, Ratings, Topic
from handrail.flows.reframe.reading.numbers import Counting, Flat, Rated, Spread, segments
from handrail.flows.reframe.reading.sayings import Words, covered

_ORDER = ("truth", "anxiety", "confidence")
_BESIDE = 3  # words in the clause of a word for strength that are about something else
_TELLING = (Asked.NOTHING, Asked.WORRY, Asked.EMOTION, Asked.SITUATION)


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """What the numbers of a message say."""

    intensity: Number | None = None
    ratings: Ratings = field(default_factory=Ratings)
    out_of_range: bool = False


def figures(message: Message, counting: Counting, *, feels: bool) -> Figures:
    """The numbers that answer what was asked; ``feels`` when the message names a feeling."""
    flat = Flat(message.text)
    found = counting.read(flat.text, message.asked)
    if any(item.topic is Topic.SCALE for _, item in message.said.of(TopicModel)):
        return Figures()  # "what does 10 mean?"
    if message.asked is Asked.INTENSITY:
        return _intensity(message, flat, found)
    if message.asked is Asked.RATINGS:
        return _rated(flat, found, counting)
    if message.asked is Asked.FIT:
        sure = [one for one in found if not (one.barred or one.doubtful or one.off)]
        sound = [one for one in sure if one.value > 1 or one.scaled or flat.digit(one)]
        return Figures(ratings=Ratings(truth=flat.number(sound[0])) if sound else Ratings())
    if message.asked in _TELLING:
        return Figures(intensity=_in_passing(message, flat, found, feels=feels))
    return Figures()


def _intensity(message: Message, flat: Flat, found: Sequence[Rated]) -> Figures:
    sound = [one for one in found if not (one.barred or one.doubtful)]
    fit = [one for one in sound if not one.off]
    if fit:
        now = [one for one in fit if one.current and not one.former]
        return Figures(intensity=flat.number((now or fit)[0]))
    if any(one.off for one in sound):
        return Figures(out_of_range=True)
    if word := _word(message):
        return Figures(intensity=word)
    rest = [one for one in found if one.doubtful and not (one.barred or one.off)]
    return Figures(intensity=flat.number(rest[0]) if len(found) == len(rest) == 1 else None)


def _word(message: Message) -> Number | None:
    """The intensity that words name; the longest words that do, the first of those."""
    said = [one for one in message.said.of(IntensityModel) if _bare(message, *one)]
    if not said:
        return None
    words, item = max(said, key=lambda one: (one[0].end - one[0].start, -one[0].start))
    span = message.span(words)
    return Number(value=item.value, span=span) if span else None


def _bare(message: Message, words: Words, item: IntensityModel) -> bool:
    """Whether the clause around says little else: not the "nothing" of "and I said nothing"."""
    silent = message.filler | covered(message.said.role("bare"))
    known = (
        silent | covered(message.said.of(IntensityModel)) | covered(message.said.of(EmotionModel))
    )
    around = message.clause(words.start).whole
    return len(frozenset(range(*around)) - known) < (_BESIDE if item.value > 1 else 1)


def _in_passing(
    message: Message, flat: Flat, found: Sequence[Rated], *, feels: bool
) -> Number | None:
    """A number that nobody asked for counts only where it can be nothing else."""
    named = message.asked is Asked.EMOTION
    alone = named and len(message.tokens) - len(message.filler) == 1
    fit = [
        one
        for one in found
        if not (one.off or one.barred)
        and ((one.scaled and feels) or (named and (one.pointed or alone) and not one.doubtful))
    ]
    return flat.number(fit[0]) if fit else None


def _rated(flat: Flat, found: Sequence[Rated], counting: Counting) -> Figures:
    found = [one for one in found if not one.barred]
    off = any(one.off for one in found)
    labels = sorted(_labels(flat.text, counting))
    placed = _placed(flat.text, found, labels)
    taken = {one.start for one in placed.values()}
    free = [one for one in found if one.start not in taken and not one.former]
    if not placed and len(free) == 1 and counting.all.search(flat.text):
        placed = dict.fromkeys(_ORDER, free.pop())
    elif not placed and len(free) in (2, len(_ORDER)):
        placed = dict(zip(_ORDER[-len(free) :], free, strict=True))
        free = []
    left = [name for name in _ORDER if name not in placed]
    if len(free) == len(left) == 1:
        placed, free = {**placed, left[0]: free[0]}, []
    numbers = {name: flat.number(one) for name, one in placed.items() if not one.off}
    unlabelled = tuple(flat.number(one) for one in free if not one.off)
    return Figures(ratings=Ratings(**numbers, unlabelled=unlabelled), out_of_range=off)


def _labels(text: str, counting: Counting) -> Iterator[tuple[int, str]]:
    """Where each rating is named first."""
    for name, pattern in counting.labels.items():
        if match := pattern.search(text):
            yield match.start(), name


def _placed(
    text: str, found: Sequence[Rated], labels: Sequence[tuple[int, str]]
) -> Mapping[str, Rated]:
    """Numbers by the name beside them; a name and a number apart are paired where all can be."""
    placed: dict[str, Rated] = {}
    spread = Spread(found)
    for start, end in segments(text) if labels else ():
        named = [label for label in labels if start <= label[0] < end]
        placed.update(_paired(named, spread.within(start, end)))
    taken = {one.start for one in placed.values()}
    rest = [one for one in found if one.start not in taken and not one.former]
    names = [name for _, name in labels if name not in placed]
    if len(names) == len(rest):
        placed.update(zip(names, rest, strict=True))
    return placed


def _paired(
    labels: Sequence[tuple[int, str]], found: Sequence[Rated]
) -> Iterator[tuple[str, Rated]]:
    """Each name with the number behind it, or before it where a number comes first.

    Of several numbers behind a name the last counts: "from 8 to 5".
    """
    if not labels or not found:
        return
    spread = Spread(found)
    if len(labels) == 1:
        yield labels[0][1], found[-1]
    elif labels[0][0] < found[0].start:
        ends = [start for start, _ in labels[1:]] + [1 << 62]
        for (start, name), end in zip(labels, ends, strict=True):
            if behind := spread.within(start, end):
                yield name, behind[-1]
    else:
        starts = [0, *(start for start, _ in labels)]
        for (end, name), start in zip(labels, starts, strict=False):
            if before := spread.within(start, end):
                yield name, before[-1]
