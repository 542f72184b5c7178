"""The injection screen: a text in, an `Injection` out, before any model has seen the text.

Every sign has a weight between 0 and 1, and signs near each other add up as independent evidence
does: ``1 - (1 - w1)(1 - w2) ...``, each rule once. The guarantee does not rest on this screen: what
leaves is checked at the door, whatever a model was told.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from handrail.domain.risk import Dismissal
from handrail.domain.scores import Score, ScoreKind, Threshold
from handrail.domain.text import Span
from handrail.errors import ContentInvalid
from handrail.ports import PatternEngine, PatternHit
from handrail.rails.injection.lexicon import Lexicon, Rule, load_lexicons
from handrail.rails.injection.payload import Payloads
from handrail.rails.injection.reading import Reader

ATTACK = Threshold(ScoreKind.EVIDENCE, 0.5)
"""As likely as not, were weights probabilities; one strong sign passes it, two weak ones do."""

NEAR = 400  # characters within which signs add up: about a paragraph
NOTHING = Score(ScoreKind.EVIDENCE, 0.0)
_PAYLOAD_WEIGHT = 0.8  # nobody hides an order by accident
_EDGES = " \n\t\r,:\"'*()[]<>/|_-.!?;"


@dataclass(frozen=True, slots=True, kw_only=True)
class InjectionSignal:
    """One rule that fired; ``span`` counts code points of the original text."""

    rule: str
    kind: str
    weight: float
    span: Span
    language: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Injection:
    """The verdict: the strongest evidence within one stretch of the text, and its signs."""

    attack: bool = False
    strength: Score = NOTHING
    signals: tuple[InjectionSignal, ...] = ()
    dismissed: tuple[Dismissal, ...] = ()


class InjectionScreen:
    """Deterministic, without state between texts, linear in the length of the text.

    Raises `ContentInvalid` when there is no rule: a screen that knows nothing must not pass all.
    """

    def __init__(self, lexicons: Iterable[Lexicon], engine: PatternEngine) -> None:
        self.lexicons = tuple(lexicons)
        self._rules = [(rule, each.language) for each in self.lexicons for rule in each.rules]
        shields = [shield for each in self.lexicons for shield in each.shields]
        if not self._rules:
            raise ContentInvalid("The injection screen has no rules; it cannot screen.")
        self._reasons = [shield.reason for shield in shields]
        self._patterns = engine.compile([rule.pattern for rule, _ in self._rules])
        self._shields = engine.compile([shield.pattern for shield in shields])
        self._reader = Reader(
            frozenset().union(*(each.words for each in self.lexicons)),
            frozenset().union(*(each.guarded for each in self.lexicons)),
            engine,
        )
        self._payloads = Payloads(engine)

    @classmethod
    def packaged(cls, engine: PatternEngine) -> InjectionScreen:
        """The screen over every packaged file; raises `ContentInvalid` when one is broken."""
        return cls(load_lexicons(), engine)

    @property
    def versions(self) -> Mapping[str, str]:
        """The version of each file by its language."""
        return {each.language: each.version for each in self.lexicons}

    def check(self, text: str) -> Injection:
        """The verdict on one text, hidden texts inside it included."""
        found = self._plain(text)
        for hidden in self._payloads.of(text):
            if _weighed(*self._plain(hidden.text)).attack:
                found[0].append(
                    InjectionSignal(
                        rule=f"hidden-{hidden.how}",
                        kind="encoded",
                        weight=_PAYLOAD_WEIGHT,
                        span=hidden.span,
                        language="zxx",
                    )
                )
        return _weighed(*found)

    def _plain(self, text: str) -> tuple[list[InjectionSignal], list[Dismissal]]:
        signals: list[InjectionSignal] = []
        dismissed: list[Dismissal] = []
        for reading in self._reader.read(text):
            hits = self._patterns.scan(reading.text)
            if not hits:
                continue
            covered = _Covered(self._shields.scan(reading.text))
            for hit in hits:
                rule, language = self._rules[hit.pattern]
                start, end = hit.start, hit.end
                if rule.phrase:
                    start, end = _trimmed(reading.text, start, end)
                shield = covered.by(start, end)
                if shield is None:
                    signals.append(_signal(rule, language, reading.span(start, end)))
                else:
                    dismissed.append(
                        Dismissal(
                            rule=rule.id,
                            kind=rule.kind,
                            span=reading.span(start, end),
                            reason=self._reasons[shield],
                        )
                    )
        return signals, dismissed


class _Covered:
    """Ranges that shields cover."""

    def __init__(self, hits: Sequence[PatternHit]) -> None:
        self._starts = [hit.start for hit in hits]
        furthest: list[PatternHit] = []
        for hit in hits:
            furthest.append(hit if not furthest or hit.end > furthest[-1].end else furthest[-1])
        self._furthest = furthest

    def by(self, start: int, end: int) -> int | None:
        """The number of a shield that overlaps ``[start, end)``, or None."""
        at = bisect_left(self._starts, end) - 1
        if at < 0 or self._furthest[at].end <= start:
            return None
        return self._furthest[at].pattern


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """A match without the marks and spaces at its edges; it holds at least one word."""
    matched = text[start:end]
    left = len(matched) - len(matched.lstrip(_EDGES))
    return start + left, end - (len(matched) - len(matched.rstrip(_EDGES)))


def _signal(rule: Rule, language: str, span: Span) -> InjectionSignal:
    return InjectionSignal(
        rule=rule.id, kind=rule.kind, weight=rule.weight, span=span, language=language
    )


def _weighed(signals: Sequence[InjectionSignal], dismissed: Sequence[Dismissal]) -> Injection:
    """The verdict: the strongest evidence that stands within `NEAR` characters."""
    best: tuple[float, tuple[InjectionSignal, ...]] = (0.0, ())
    for near in _windows(sorted(signals, key=lambda s: (s.span, s.rule))):
        if _evidence(near) > best[0]:  # words that count twice can only raise it
            apart = _apart(near)
            best = max(best, (_evidence(apart), apart), key=lambda found: found[0])
    strength = Score(ScoreKind.EVIDENCE, best[0])
    return Injection(
        attack=ATTACK.passes(strength),
        strength=strength,
        signals=best[1],
        dismissed=tuple(dismissed),
    )


def _evidence(signals: Iterable[InjectionSignal]) -> float:
    return 1 - math.prod(1 - signal.weight for signal in signals)


def _apart(signals: Collection[InjectionSignal]) -> tuple[InjectionSignal, ...]:
    """The strongest signs of which no two share words: the same words count once."""
    kept: list[InjectionSignal] = []
    for signal in sorted(signals, key=lambda s: (-s.weight, s.span, s.rule)):
        start, end = signal.span.start, signal.span.end
        if all(end <= other.span.start or other.span.end <= start for other in kept):
            kept.append(signal)
    return tuple(sorted(kept, key=lambda s: s.span))


def _windows(signals: Sequence[InjectionSignal]) -> Iterator[Collection[InjectionSignal]]:
    """For each sign, the latest sign of each rule that ends no more than `NEAR` before it."""
    latest: dict[str, InjectionSignal] = {}
    for signal in signals:
        latest = {
            rule: seen
            for rule, seen in latest.items()
            if seen.span.end + NEAR >= signal.span.start and rule != signal.rule
        }
        latest[signal.rule] = signal
        yield latest.values()
