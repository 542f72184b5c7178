"""Numbers in a message, and which of them rate something."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import floor

from handrail.domain.text import Span
from handrail.flows.reframe.reading.lexicon import ReadingModel
from handrail.flows.reframe.reading.model import Asked, Language, Number
from handrail.rails.crisis.folding import fold

TOP = 10
_SCALES = (5, 10, 20, 100)
_WIDEST_RANGE = 3  # "6 to 8" is a rating; "2 to 9" is none
_PERCENT = re.compile(r"\s?(%|percent\b|por ?ciento\b)")
_CLOCK = re.compile(r"\s?(:\d\d|h\b|hs\b|am\b|pm\b|a\.m|p\.m)|\.\d\d\b")
_MONEY = re.compile(r"[$€£]\s?$")
_MONEY_AFTER = re.compile(r"\s?[$€£]")
_MINUS = re.compile(r"(?:^|[\s(])-$")
_COMMA = re.compile(r",5(?!\d|\s?[,/])")  # "7,5" is a number, "7,5,6" are three
_SPLIT = re.compile(r"[,;.\n|]|\b(?:and|y|e)\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Rated:
    """A number somebody gave: its place in the flat text, and what stands against it.

    ``barred`` when it counts something else for certain, ``doubtful`` when it probably does.
    """

    start: int
    end: int
    value: float
    off: bool = False  # not on the scale
    scaled: bool = False  # "8/10"
    pointed: bool = False  # "like an 8"
    current: bool = False  # "now 6"
    former: bool = False  # "from 8"
    barred: bool = False
    doubtful: bool = False


class Flat:
    """A message folded and without apostrophes, and the way back."""

    def __init__(self, message: str) -> None:
        folded, places = fold(message)
        kept = [at for at, letter in enumerate(folded) if letter != "'"]
        self.text = "".join(folded[at] for at in kept)
        self._places = [places[at] for at in kept]

    def span(self, start: int, end: int) -> Span:
        """The place in the message of a non-empty range."""
        return Span(self._places[start], self._places[end - 1] + 1)

    def digit(self, rated: Rated) -> bool:
        """Whether it was written in digits: "one" may count nothing, as in "that one"."""
        return self.text[rated.start].isdigit()

    def number(self, rated: Rated) -> Number:
        """The rating as it is handed on; halves go up."""
        return Number(value=floor(rated.value + 0.5), span=self.span(rated.start, rated.end))


class Counting:
    """How one or both languages write numbers, and what may stand beside one."""

    def __init__(self, models: Sequence[ReadingModel]) -> None:
        self._words = {
            word: value
            for model in models
            for item in model.numbers
            for word, value in item.say.items()
        }
        names = "|".join(sorted(self._words, key=lambda word: (-len(word), word)))
        self._number = re.compile(rf"(?<!\w)(?<!\d\.)(?:\d+(?:\.\d)?|(?:{names})\b)(?![.]?\d)")
        marks = _marks(models)
        self._half = re.compile(rf"\s(?:{marks['half']})\b")
        self._range = re.compile(
            rf"\s*(?:-|(?:{marks['range'].replace(' ', '|')}))\s*(?:an?|un)?\s*"
        )
        self._scale = re.compile(rf"\s?(?:/|out of|(?:{marks['scale']}))\s?")
        self._unit = re.compile(rf"(?:st|nd|rd|th|er|ero|ra|do)?\s?-?(?:{marks['unit']})\b")
        self._before = {
            name: re.compile(rf"(?:^|\W)(?:{marks[name]})\s$")
            for name in ("above", "clock", "age", "point")
        }
        self._when = re.compile(rf"\b(?:(?P<now>{marks['now']})|(?P<then>{marks['then']}))\b")
        self.all = re.compile(rf"\b(?:{marks['all']})\b")
        self.labels: Mapping[str, re.Pattern[str]] = {
            name: re.compile(rf"\b(?:{marks[name]})s?\b")
            for name in ("truth", "anxiety", "confidence")
        }

    def read(self, text: str, asked: Asked) -> list[Rated]:
        """The numbers of a flat text, scales and ranges taken together, by start."""
        found = list(self._raw(text))
        found = self._without_scales(text, found)
        return self._without_ranges(text, found, asked)

    def _raw(self, text: str) -> Iterator[Rated]:
        for match in self._number.finditer(text):
            yield self._in_place(text, match.start(), match.end(), self._value(match.group()))

    def _value(self, written: str) -> float:
        if written in self._words:
            return self._words[written]
        return float(written) if len(written) < TOP else float(1 << 30)

    def _in_place(self, text: str, start: int, end: int, value: float) -> Rated:
        before, after = text[max(0, start - 24) : start], text[end : end + 16]
        comma = None if before.endswith(",") else _COMMA.match(after)
        if comma:
            value, end, after = value + 0.5, end + comma.end(), after[comma.end() :]
        if half := self._half.match(after):
            value, end, after = value + 0.5, end + half.end(), after[half.end() :]
        beside = {name: bool(pattern.search(before)) for name, pattern in self._before.items()}
        rated = Rated(
            start=start,
            end=end,
            value=value,
            pointed=beside["point"],
            current=self._time(before) == "now",
            former=self._time(before) == "then",
            barred=bool(
                _MONEY.search(before)
                or _MONEY_AFTER.match(after)
                or _CLOCK.match(after)
                or self._unit.match(after)
                or re.match(r"(?!ish\b|/)[^\W\d_]", after)
            ),
            doubtful=(beside["clock"] or beside["age"]) and not beside["point"],
        )
        return _measured(rated, before, after, above=beside["above"])

    def _time(self, before: str) -> str | None:
        """Whether the last word for a time in the same clause means now or then."""
        clause = re.split(r"[,;.]", before)[-1]
        times = [found.lastgroup for found in self._when.finditer(clause)]
        return times[-1] if times else None

    def _without_scales(self, text: str, found: Sequence[Rated]) -> list[Rated]:
        """``8/10`` is one number, and so is ``80 out of 100``; "0 to 10" alone is none."""
        kept: list[Rated] = []
        for rated in found:
            last = kept[-1] if kept else None
            if last and self._joins(self._scale, text, last, rated) and _is_scale(last, rated):
                value = last.value * TOP / rated.value
                kept[-1] = replace(
                    last, end=rated.end, value=value, off=value > TOP, scaled=True, barred=False
                )
            else:
                kept.append(rated)
        ends = {(one.start, other.start) for one, other in pairwise(kept) if _spans_all(one, other)}
        spoken = {start for pair in ends for start in pair}
        rest = [one for one in kept if one.start not in spoken]
        return rest if rest else kept

    def _joins(self, pattern: re.Pattern[str], text: str, one: Rated, other: Rated) -> bool:
        return pattern.fullmatch(text, one.end, other.start) is not None

    def _without_ranges(self, text: str, found: Sequence[Rated], asked: Asked) -> list[Rated]:
        """``7-8`` and "between 6 and 8" are the number in the middle, but for a set of ratings."""
        if asked is Asked.RATINGS:
            return list(found)
        kept: list[Rated] = []
        for rated in found:
            last = kept[-1] if kept else None
            if last and self._joins(self._range, text, last, rated) and _is_range(last, rated):
                kept[-1] = replace(last, end=rated.end, value=(last.value + rated.value) / 2)
            else:
                kept.append(rated)
        return kept


def _measured(rated: Rated, before: str, after: str, *, above: bool) -> Rated:
    """The number on the scale of ten, or off it."""
    if percent := _PERCENT.match(after):
        value = rated.value / TOP
        return replace(rated, end=rated.end + percent.end(), value=value, off=value > TOP)
    minus = _MINUS.search(before) is not None and rated.value > 0
    return replace(rated, off=rated.value > TOP or minus or above)


def _is_scale(one: Rated, other: Rated) -> bool:
    below = one.value <= other.value or other.value == TOP
    return not one.scaled and other.value in _SCALES and below


def _spans_all(one: Rated, other: Rated) -> bool:
    """Whether two numbers name the scale itself: "from 0 to 10"."""
    ends = one.value in (0, 1) and other.value == TOP and not one.scaled and not other.scaled
    return ends and other.start - one.end <= len(" and the ")


def _is_range(one: Rated, other: Rated) -> bool:
    fit = not (one.off or other.off or one.barred or other.barred or one.former or other.current)
    return fit and 0 < other.value - one.value <= _WIDEST_RANGE


def _marks(models: Sequence[ReadingModel]) -> dict[str, str]:
    """Alternatives by mark, of all the languages."""
    said: dict[str, list[str]] = {}
    for model in models:
        for item in model.marks:
            said.setdefault(item.mark, []).append(item.say)
    return {mark: "|".join(each) for mark, each in said.items()}


class Countings:
    """`Counting` by language; None reads both."""

    def __init__(self, models: Sequence[ReadingModel]) -> None:
        self._by_language: dict[Language | None, Counting] = {
            model.language: Counting([model]) for model in models
        }
        self._by_language[None] = Counting(models)

    def __getitem__(self, language: Language | None) -> Counting:
        return self._by_language[language]


def segments(text: str) -> Iterator[tuple[int, int]]:
    """Ranges between the marks and words that set one rating apart from the next."""
    start = 0
    for mark in _SPLIT.finditer(text):
        yield start, mark.start()
        start = mark.end()
    yield start, len(text)


class Spread:
    """Numbers by start, to be asked for by range in logarithmic time."""

    def __init__(self, found: Sequence[Rated]) -> None:
        self.found = found
        self._starts = [one.start for one in found]

    def within(self, start: int, end: int) -> Sequence[Rated]:
        """The numbers that begin in a range."""
        return self.found[bisect_left(self._starts, start) : bisect_left(self._starts, end)]
