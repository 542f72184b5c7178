"""What is said: phrases that are refused, and the few words that may stand in certain places."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from handrail.domain.text import Span
from handrail.ports import PatternEngine
from handrail.rails.crisis.normalise import Normal, Normaliser
from handrail.rails.crisis.reading import Found, Index
from handrail.rails.crisis.spelling import Speller
from handrail.rails.reply_contract.lexicon import Follow, Lexicon, Said, Where
from handrail.rails.reply_contract.own_words import quotes
from handrail.rails.reply_contract.questions import Questions
from handrail.rails.reply_contract.sentences import Sentence, sentences
from handrail.rails.reply_contract.terms import Breach, Code, Terms

_SEPARATORS = re.compile(r"[ ,\n.?]")
_STOPS = ".?"


class Scene:
    """One text as it is read: its normal form, its sentences and its quotations."""

    def __init__(self, text: str, normalise: Normaliser) -> None:
        self.text = text
        self.normal: Normal = normalise(text)
        self.sentences: Sequence[Sentence] = sentences(text)
        self._quotes = quotes(text)

    def place(self, start: int, end: int) -> Span:
        """The place in the text of a range of the normal form."""
        return self.normal.span(start, end)

    def counts(self, where: Where, at: int) -> bool:
        """Whether a place is where a rule looks."""
        if where in ("told", "asked"):
            asked = any(s.asks and s.start <= at < s.end for s in self.sentences)
            return asked == (where == "asked")
        quoted = any(start <= at < end for start, end in self._quotes)
        return where == "anywhere" or quoted == (where == "quoted")


class Wording:
    """Reads a text by the lexicons of every language; without state between texts."""

    def __init__(self, lexicons: Sequence[Lexicon], engine: PatternEngine) -> None:
        self._lexicons: Mapping[str, Lexicon] = {each.language: each for each in lexicons}
        self._normalise = Normaliser(
            Speller(
                words=frozenset[str]().union(*(each.words for each in lexicons)),
                guarded=frozenset[str]().union(*(each.guarded for each in lexicons)),
            )
        )
        self._questions = {each.language: Questions(each, engine) for each in lexicons}
        self._index = Index(engine)
        self._shelf = self._index.shelve([said for each in lexicons for said in each.said])

    def compile_all(self) -> None:
        """Compile every pattern now, so that no text pays for it later."""
        self._shelf.compile_all()

    def shielded(self, text: str, language: str, code: Code) -> Sequence[Span]:
        """The places that shields of ``code`` lie over."""
        normal = self._normalise(text)
        return [
            normal.span(hit.start, hit.end)
            for hit in self._shelf.read(self._index.open(normal.text))
            if hit.what.role == "shield"
            and hit.what.language == language
            and code in hit.what.codes
        ]

    def breaches(self, text: str, terms: Terms) -> Iterator[Breach]:
        """What is refused by its words, and asks and traps beyond their number."""
        scene = Scene(text, self._normalise)
        lexicon = self._lexicons[terms.language]
        found = self._shelf.read(self._index.open(scene.normal.text))
        own = [hit for hit in found if hit.what.language == terms.language]
        shields = [hit for hit in own if hit.what.role == "shield"]
        for hit in found:
            if hit.what.role == "rule" and (
                hit.what.language == terms.language or hit.what.everywhere
            ):
                yield from _refused(hit, shields, scene)
        for follow in lexicon.follows:
            yield from _followed(follow, shields, scene)
        yield from _named(own, scene, terms)
        asks = [scene.place(hit.start, hit.end) for hit in own if hit.what.role == "ask"]
        yield from self._questions[terms.language].beyond(scene.sentences, text, asks, terms)


def _refused(hit: Found[Said], shields: Sequence[Found[Said]], scene: Scene) -> Iterator[Breach]:
    span = scene.place(hit.start, hit.end)
    if scene.counts(hit.what.where, span.start) and not _shielded(hit, hit.what.codes[0], shields):
        yield Breach(hit.what.codes[0], span.start, span.end, hit.what.id)


def _shielded(hit: Found[Said], code: str, shields: Sequence[Found[Said]]) -> bool:
    return any(
        code in shield.what.codes and shield.start <= hit.start and hit.end <= shield.end
        for shield in shields
    )


def _followed(follow: Follow, shields: Sequence[Found[Said]], scene: Scene) -> Iterator[Breach]:
    """Where the words of ``follow`` are followed by one that may not."""
    text, starts = scene.normal.text, [*scene.normal.starts]
    width = len(follow.after)
    said = [text[start : _end(text, start)] for start in starts]
    for at in range(len(said) - width):
        last = _end(text, starts[at + width - 1])
        if tuple(said[at : at + width]) != follow.after or text[last : last + 1] in _STOPS:
            continue
        end = _end(text, starts[at + width])
        covered = any(
            follow.code in each.what.codes and each.start <= starts[at] < each.end
            for each in shields
        )
        span = scene.place(starts[at], end)
        if follow.written and not span.of(scene.text).lower().startswith(follow.written):
            continue
        if (
            said[at + width] not in follow.may
            and not covered
            and scene.counts(follow.where, span.start)
        ):
            yield Breach(follow.code, span.start, span.end, f"after {' '.join(follow.after)}")


def _end(text: str, start: int) -> int:
    match = _SEPARATORS.search(text, start)
    return match.start() if match else len(text)


def _named(own: Sequence[Found[Said]], scene: Scene, terms: Terms) -> Iterator[Breach]:
    first = {hit.what.id: hit for hit in reversed(own) if hit.what.role == "trap"}
    for hit in sorted(first.values(), key=lambda each: each.start)[terms.distortions :]:
        span = scene.place(hit.start, hit.end)
        yield Breach("distortions", span.start, span.end, hit.what.id)
