"""The reader of thinking traps: one thought in, the traps that its words show out.

Every cue has a weight, and cues of one trap add up as independent evidence does:
``1 - (1 - w1)(1 - w2) ...``, each cue once. Words are all it reads: a trap that shows only against
the facts of a life is not seen, and a thought that is true may still be worded as a trap.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from handrail.domain.scores import Score, ScoreKind, Threshold
from handrail.domain.text import Span
from handrail.flows.reframe.distortions.kinds import Distortion
from handrail.flows.reframe.distortions.lexicon import Lexicon, Sign, lexicon_of, load_models
from handrail.ports import PatternEngine
from handrail.rails.crisis.normalise import Normal, Normaliser
from handrail.rails.crisis.reading import Found as Said
from handrail.rails.crisis.reading import Index
from handrail.rails.crisis.spelling import Speller, undoubled

SHOWN = Threshold(ScoreKind.EVIDENCE, 0.5)
"""As likely as not, were weights probabilities."""

MOST_NAMED = 2  # a reply names at most two traps (A25)


@dataclass(frozen=True, slots=True, order=True)
class Cue:
    """One cue by its id; ``span`` counts code points of the text that was read."""

    rule: str
    span: Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A trap, the evidence for it, and the cues that gave it, by place.

    ``named`` is true of those that a reply may name.
    """

    distortion: Distortion
    score: Score
    cues: tuple[Cue, ...]
    named: bool


class DistortionReader:
    """Deterministic, without state between texts, linear in the text; never raises."""

    def __init__(self, lexicons: Iterable[Lexicon], engine: PatternEngine) -> None:
        self._readings = {each.language: _Reading(each, engine) for each in lexicons}
        self.versions: Mapping[str, str] = {
            name: reading.version for name, reading in self._readings.items()
        }

    @classmethod
    def packaged(cls, engine: PatternEngine) -> DistortionReader:
        """The reader over every packaged file; raises `ContentInvalid` when one is broken."""
        return cls(map(lexicon_of, load_models()), engine)

    def read(self, text: str, language: str, *, context: str = "") -> tuple[Found, ...]:
        """The traps that ``text`` shows, best first; ties fall to the order of `Distortion`.

        ``language`` may bear a region, as es-MX does. In a language without a file nothing shows.
        ``context`` is the situation that the thought is about: no trap is looked for in it, but it
        tells the setting that some cues need.
        """
        reading = self._readings.get(language.replace("_", "-").partition("-")[0].lower())
        return tuple(_ranked(reading.weighed(text, context))) if reading else ()


class _Reading:
    """One language: how its texts are made plain, and where its signs are looked up."""

    def __init__(self, lexicon: Lexicon, engine: PatternEngine) -> None:
        self.version = lexicon.version
        self._normalise = Normaliser(Speller(words=undoubled(lexicon.words).values()))
        self._index = Index(engine)
        self._shelf = self._index.shelve(lexicon.signs)
        self._shelf.compile_all()

    def weighed(self, text: str, context: str) -> Mapping[Distortion, list[tuple[float, Cue]]]:
        """The cues that count, by trap and by place, with their weights; each cue once."""
        normal = self._normalise(text)
        said, starts = self._said(normal)
        around = self._said(self._normalise(context))[0] if context else ()
        there = {each.what.id for each in (*said, *around)}
        found: defaultdict[Distortion, list[tuple[float, Cue]]] = defaultdict(list)
        met: set[str] = set()
        for start, end, sign in _unexcused(said, starts):
            if sign.distortion is None or sign.id in met or not there.issuperset(sign.needs):
                continue
            met.add(sign.id)
            found[sign.distortion].append((sign.weight, Cue(sign.id, normal.span(start, end))))
        return found

    def _said(self, normal: Normal) -> tuple[Sequence[Said[Sign]], Sequence[int]]:
        """All signs in a text, and where its sentences start; a trap may span a pause."""
        sentences = self._index.open(normal.text.replace(",", " "))
        return self._shelf.read(sentences), [sentence.start for sentence in sentences]


def _unexcused(said: Sequence[Said[Sign]], starts: Sequence[int]) -> Iterator[Said[Sign]]:
    """What is said in no sentence that excuses it."""
    excused: defaultdict[int, set[str]] = defaultdict(set)
    for each in said:
        excused[bisect_right(starts, each.start)] |= each.what.excuses
    for each in said:
        if each.what.id not in excused[bisect_right(starts, each.start)]:
            yield each


def _ranked(weighed: Mapping[Distortion, list[tuple[float, Cue]]]) -> Iterator[Found]:
    scored = [(_evidence(weighed[each]), each) for each in Distortion if each in weighed]
    shown = [(score, each) for score, each in scored if SHOWN.passes(score)]
    shown.sort(key=lambda pair: -pair[0].value)  # stable: ties keep the order of the traps
    for place, (score, each) in enumerate(shown):
        cues = tuple(cue for _, cue in weighed[each])
        yield Found(distortion=each, score=score, cues=cues, named=place < MOST_NAMED)


def _evidence(cues: Sequence[tuple[float, Cue]]) -> Score:
    doubt = math.prod(1 - weight for weight, _ in cues)
    return Score(ScoreKind.EVIDENCE, round(1 - doubt, 6))  # rounded, so that ties are ties
