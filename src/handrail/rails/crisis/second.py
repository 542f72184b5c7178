"""The second reader: raises what the first one left low, to moderate at most, and lowers nothing.

It weighs how a message is worded and, where an embedder is at hand, how near it lies to labelled
messages. What it cannot do it records: an embedder that raises, hangs or returns garbage leaves the
wording alone to speak, and a reader that fails altogether leaves the first reader's word as it is.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import exp
from typing import TYPE_CHECKING, TypeVar

from handrail.domain.risk import Level, Risk, Signal, Subject
from handrail.domain.scores import Score, ScoreKind, Threshold
from handrail.errors import ModelFailed
from handrail.ports import Reading
from handrail.rails.crisis.exemplars import Exemplar, Exemplars
from handrail.rails.crisis.normalise import Normal
from handrail.rails.crisis.screen import CrisisScreen
from handrail.rails.crisis.windows import in_plain_words, readable, undisguised, windows
from handrail.rails.crisis.wording import Wording

if TYPE_CHECKING:
    from handrail.ports import Vector

Read = Callable[[str], Reading]
T = TypeVar("T")

RULES = "second."
UNNAMED = "unnamed"
"""The kind of a danger that the nearest exemplars do not agree about."""
PATIENCE_SECONDS = 5.0  # a query takes about 4 ms, the first one 200, on a busy machine more
WINDOW_COST = 1.0  # log-odds that a window must be clearer than a whole message
_CANDIDATES = 2  # windows that are embedded, at 4 ms each
_THIRD = "third_party"
_COMMON: Mapping[str, str] = {
    "en": " the and to of my is it that for in you im was with but have not so i ",
    "es": " que de y el la los en un una mi es por con para se lo las no pero ",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Floors:
    """From which strength a message is raised to mild, and to moderate."""

    mild: Threshold
    moderate: Threshold

    def level(self, strength: Score) -> Level:
        """The level a strength raises to; none below both floors."""
        if self.moderate.passes(strength):
            return Level.MODERATE
        return Level.MILD if self.mild.passes(strength) else Level.NONE


_NO_STRENGTH = Score(ScoreKind.PROBABILITY, 0.0)


@dataclass(frozen=True, slots=True)
class Second:
    """The risk after the second reading; ``failed`` says why a part of it did not take place.

    ``reading`` is the message's own, if the embedder read it as it stands; ``strength`` the
    probability by which the clearest part of it was judged.
    """

    risk: Risk
    failed: str | None = None
    reading: Reading | None = None
    strength: Score = _NO_STRENGTH


@dataclass(frozen=True, slots=True)
class _Part:
    """A range of the normal text with the log-odds against it and what came near."""

    start: int
    end: int
    log_odds: float
    near: tuple[Exemplar, ...] = ()


@dataclass(slots=True, kw_only=True)
class SecondReader:
    """``worded`` are the floors for wording alone, ``nearest`` those with exemplars beside it.

    ``normalise`` gives the form of a message that the first reader reads. Without ``exemplars`` and
    ``read`` the wording alone is weighed. Deterministic but for an embedder that fails; safe to
    share between threads.
    """

    version: str
    normalise: Callable[[str], Normal]
    wording: Wording
    worded: Floors
    nearest: Floors
    exemplars: Exemplars | None = None
    read: Read | None = None
    patience: float = PATIENCE_SECONDS
    _stuck: threading.Thread | None = field(default=None, init=False)

    def over(self, message: str, risk: Risk, *, least: float = -math.inf) -> Second:
        """``risk`` with what this reader adds; a danger of moderate or above is left as it is.

        Where the wording of no part has log-odds of ``least``, the embedder is not asked.
        """
        if risk.level >= Level.MODERATE:
            return Second(risk)
        try:
            normal = self.normalise(message)
            return self._over(message, normal, risk, least) if normal.starts else Second(risk)
        except Exception as error:  # noqa: BLE001  the first reader's word stands
            return Second(risk, type(error).__name__)

    def _over(self, message: str, normal: Normal, risk: Risk, least: float) -> Second:
        parts = self.worded_parts(normal)
        if max(part.log_odds for part in parts) < least:
            return Second(risk)
        floors, how, failed, reading = self.worded, "words", None, None
        if self.exemplars is not None and self.read is not None:
            try:
                parts, reading = self.near_parts(message, normal, parts)
                floors, how = self.nearest, "nearest"
            except Exception as error:  # noqa: BLE001  the wording is left
                failed = type(error).__name__
        best = max(parts, key=lambda part: (part.log_odds, -part.start, part.end))
        strength = Score(ScoreKind.PROBABILITY, probability(best.log_odds))
        raised = self._raised(risk, normal, best, strength, floors, how)
        return Second(raised, failed, reading, strength)

    def worded_parts(self, normal: Normal) -> list[_Part]:
        """The whole message, then its windows, the clearest first, each with its wording's odds."""
        whole = _Part(0, len(normal.text), self.wording.log_odds(normal.text))
        cut = [
            _Part(start, end, self.wording.log_odds(normal.text[start:end]) - WINDOW_COST)
            for start, end in windows(normal)
        ]
        return [whole, *sorted(cut, key=lambda part: (-part.log_odds, part.start))]

    def near_parts(
        self, message: str, normal: Normal, parts: Sequence[_Part]
    ) -> tuple[list[_Part], Reading | None]:
        """The whole and the clearest windows with their nearness added, and the whole's reading."""
        as_written = undisguised(message, normal)
        near, first = [], None
        for part in parts[: _CANDIDATES + 1]:
            reading = self._embedded(_text(message, normal, part, as_written=as_written))
            first = first or reading
            near.append(self._added(part, reading.vector))
        return near, first if as_written else None

    def _added(self, part: _Part, vector: Vector) -> _Part:
        assert self.exemplars is not None
        found = self.exemplars.nearness(vector)
        return _Part(part.start, part.end, part.log_odds + found.log_odds, found.nearest)

    def _embedded(self, text: str) -> Reading:
        assert self.read is not None
        read = self.read
        if self._stuck is not None and self._stuck.is_alive():
            raise ModelFailed("the embedder has not come back from an earlier message")
        reading, self._stuck = within(self.patience, lambda: read(text))
        if reading is None:
            raise ModelFailed(f"the embedder took longer than {self.patience} seconds")
        return reading

    def _raised(
        self,
        risk: Risk,
        normal: Normal,
        part: _Part,
        strength: Score,
        floors: Floors,
        how: str,
    ) -> Risk:
        level = floors.level(strength)
        if level <= risk.level:
            return risk
        language = language_of(normal.text[part.start : part.end])
        kind = _agreed(part.near)
        near = [f"near {', '.join(exemplar.id for exemplar in part.near)}"] if part.near else []
        signal = Signal(
            rule=f"{RULES}{language}.{how}",
            kind=kind,
            level=level,
            span=normal.span(part.start, part.end),
            language=language,
            subject=Subject.THIRD if kind == _THIRD else Subject.SELF,
            notes=(f"strength {strength.value:.2f}", *near, f"version {self.version}"),
        )
        return risk.raised(level, kind, signal)


@dataclass(frozen=True, slots=True)
class TwoReaders:
    """The screen with the second reader behind it; what the first one raises goes through."""

    first: CrisisScreen
    second: SecondReader

    def check(self, text: str) -> Risk:
        """The verdict of both; never lower than the first one's."""
        return self.read(text).risk

    def read(self, text: str) -> Second:
        """The verdict of both, with what failed on the way."""
        return self.second.over(text, self.first.check(text))


def of_second(signal: Signal) -> bool:
    """Whether the second reader spoke; its signals cover sentences, not the words of a danger."""
    return signal.rule.startswith(RULES)


def _text(message: str, normal: Normal, part: _Part, *, as_written: bool) -> str:
    """The part for the embedder; the whole of a message with whatever stands around its words."""
    if (part.start, part.end) == (0, len(normal.text)):
        return message if as_written else in_plain_words(message, normal)
    if as_written:
        return normal.span(part.start, part.end).of(message)
    return readable(normal.text[part.start : part.end])


def within(seconds: float, work: Callable[[], T]) -> tuple[T | None, threading.Thread | None]:
    """What ``work`` gives or raises; None after ``seconds``, with the thread still at it."""
    found: list[T] = []
    raised: list[BaseException] = []

    def run() -> None:
        try:
            found.append(work())
        except BaseException as error:  # noqa: BLE001  raised again where it is waited for
            raised.append(error)

    thread = threading.Thread(target=run, daemon=True, name="second-reader")
    thread.start()
    thread.join(seconds)
    if raised:
        raise raised[0]
    return (found[0], None) if found else (None, thread)


def probability(log_odds: float) -> float:
    """The logistic function, never quite 0."""
    return 1.0 / (1.0 + exp(-max(-30.0, min(30.0, log_odds))))


def language_of(text: str) -> str:
    """The language whose most common words a text has most of; English where none leads."""
    words = [f" {word} " for word in text.replace(",", " ").split()]
    return max(_COMMON, key=lambda language: sum(word in _COMMON[language] for word in words))


def _agreed(near: Sequence[Exemplar]) -> str:
    """The kind of danger of all the nearest exemplars, or `UNNAMED`."""
    kinds = {exemplar.kind for exemplar in near}
    return kinds.pop() if len(kinds) == 1 else UNNAMED
