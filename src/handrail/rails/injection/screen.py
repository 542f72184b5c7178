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
from handrail.rails.injection.payload import Payload, Payloads
from handrail.rails.injection.reading import Reader, Reading

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
        rules = [(rule, each.language) for each in self.lexicons for rule in each.rules]
        shields = [shield for each in self.lexicons for shield in each.shields]
        if not rules:
            raise ContentInvalid("The injection screen has no rules; it cannot screen.")
        self._reasons = [shield.reason for shield in shields]
        alone = [pair for pair in rules if pair[0].weight >= ATTACK.minimum]
        faint = [pair for pair in rules if pair[0].weight < ATTACK.minimum]
        self._tiers = [_Tier(alone, engine), _Tier(faint, engine)]
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
        """The verdict on one text, hidden texts inside it included.

        Faint signs, and then hidden texts, are looked for only where what was found so far does not
        decide; ``signals`` are those that made the verdict.
        """
        found = _Found([], [])
        if (seen := self._plain(text, found)).attack:
            return seen
        for hidden in self._payloads.of(text):
            if self._plain(hidden.text, _Found([], [])).attack:
                found.signals.append(_hidden(hidden))
        return _weighed(found)

    def _plain(self, text: str, found: _Found) -> Injection:
        """The verdict on what stands there plainly; the signs are added to ``found``."""
        readings = list(self._reader.read(text))
        seen = Injection()
        for tier in self._tiers:
            for reading in readings:
                self._look(tier, reading, found)
            if (seen := _weighed(found)).attack:
                break
        return seen

    def _look(self, tier: _Tier, reading: Reading, found: _Found) -> None:
        hits = tier.patterns.scan(reading.text)
        covered = _Covered(self._shields.scan(reading.text) if hits else ())
        for hit in hits:
            rule, language = tier.rules[hit.pattern]
            start, end = hit.start, hit.end
            if rule.phrase:
                start, end = _trimmed(reading.text, start, end)
            span = reading.span(start, end)
            shield = covered.by(start, end)
            if shield is None:
                found.signals.append(_signal(rule, language, span))
            else:
                reason = self._reasons[shield]
                found.dismissed.append(
                    Dismissal(rule=rule.id, kind=rule.kind, span=span, reason=reason)
                )


class _Tier:
    """Rules that are looked for together, with their languages."""

    def __init__(self, rules: Sequence[tuple[Rule, str]], engine: PatternEngine) -> None:
        self.rules = rules
        self.patterns = engine.compile([rule.pattern for rule, _ in rules])


@dataclass(frozen=True, slots=True)
class _Found:
    """What a text was seen to hold so far."""

    signals: list[InjectionSignal]
    dismissed: list[Dismissal]


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


def _hidden(payload: Payload) -> InjectionSignal:
    return InjectionSignal(
        rule=f"hidden-{payload.how}",
        kind="encoded",
        weight=_PAYLOAD_WEIGHT,
        span=payload.span,
        language="zxx",
    )


def _weighed(found: _Found) -> Injection:
    """The verdict: the strongest evidence that stands within `NEAR` characters."""
    best: tuple[float, tuple[InjectionSignal, ...]] = (0.0, ())
    for near in _windows(sorted(found.signals, key=lambda s: (s.span, s.rule))):
        if _evidence(near) > best[0]:  # words that count twice can only raise it
            apart = _apart(near)
            best = max(best, (_evidence(apart), apart), key=lambda found: found[0])
    strength = Score(ScoreKind.EVIDENCE, best[0])
    return Injection(
        attack=ATTACK.passes(strength),
        strength=strength,
        signals=best[1],
        dismissed=tuple(found.dismissed),
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
