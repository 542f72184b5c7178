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
from handrail.rails.reply_contract.sentences import Sentence, sentences, words
from handrail.rails.reply_contract.terms import Breach, Code, Terms

_SEPARATORS = re.compile(r"[ ,\n.?]")
_STOPS = ".?"
_BREAK = re.compile(r"[;:(–—]")


class Scene:
    """One text as it is read once: its normal form, its sentences and quotations, what is said."""

    def __init__(
        self, text: str, normal: Normal, found: Sequence[Found[Said]], lexicon: Lexicon
    ) -> None:
        self.text = text
        self.normal = normal
        self.found = found
        self.sentences: Sequence[Sentence] = sentences(text)
        self.starts: Sequence[int] = [*normal.starts]
        self.ends: Sequence[int] = [_end(normal.text, start) for start in self.starts]
        self.words: Sequence[str] = [
            normal.text[start:end] for start, end in zip(self.starts, self.ends, strict=True)
        ]
        self._quotes = quotes(text)
        self._asked = [each for each in self.sentences if each.asks]
        self._told_in_questions = [each for each in self._asked if _tells(each, text, lexicon)]

    def place(self, start: int, end: int) -> Span:
        """The place in the text of a range of the normal form."""
        return self.normal.span(start, end)

    def is_one_breath(self, hit: Found[Said]) -> bool:
        """Whether nothing parts the words that were found: a shield covers no second clause."""
        return not _BREAK.search(self.place(hit.start, hit.end).of(self.text))

    def counts(self, where: Where, at: int) -> bool:
        """Whether a place is where a rule looks."""
        if where == "asked":
            return _holds(self._asked, at)
        if where == "told":
            return not _holds(self._asked, at) or _holds(self._told_in_questions, at)
        quoted = any(start <= at < end for start, end in self._quotes)
        return where == "anywhere" or quoted == (where == "quoted")


def _holds(within: Sequence[Sentence], at: int) -> bool:
    return any(each.start <= at < each.end for each in within)


def _tells(sentence: Sentence, text: str, lexicon: Lexicon) -> bool:
    """Whether a question is told and only marked as one: "you will feel better soon?"."""
    said = [word.lower() for word in words(text[sentence.start : sentence.end])]
    return said[0] not in lexicon.asking_first and lexicon.asking.isdisjoint(said)


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

    def scene(self, text: str, language: str) -> Scene:
        """The text, read."""
        normal = self._normalise(text)
        found = self._shelf.read(self._index.open(normal.text))
        return Scene(text, normal, found, self._lexicons[language])

    def shielded(self, scene: Scene, language: str, code: Code) -> Sequence[Span]:
        """The places that shields of ``code`` lie over."""
        return [
            scene.place(hit.start, hit.end)
            for hit in scene.found
            if hit.what.role == "shield"
            and scene.is_one_breath(hit)
            and hit.what.language == language
            and code in hit.what.codes
        ]

    def breaches(self, scene: Scene, terms: Terms) -> Iterator[Breach]:
        """What is refused by its words, and asks and traps beyond their number."""
        lexicon = self._lexicons[terms.language]
        own = [hit for hit in scene.found if hit.what.language == terms.language]
        shields = [hit for hit in own if hit.what.role == "shield" and scene.is_one_breath(hit)]
        for hit in scene.found:
            if hit.what.role == "rule" and (
                hit.what.language == terms.language or hit.what.everywhere
            ):
                yield from _refused(hit, shields, scene)
        for follow in lexicon.follows:
            yield from _followed(follow, shields, scene)
        yield from _named(own, scene, terms)
        asks = [scene.place(hit.start, hit.end) for hit in own if hit.what.role == "ask"]
        yield from self._questions[terms.language].beyond(scene.sentences, scene.text, asks, terms)


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
    width, first = len(follow.after), follow.after[0]
    for at, word in enumerate(scene.words[:-width]):
        if word != first or tuple(scene.words[at : at + width]) != follow.after:
            continue
        start, last, end = scene.starts[at], scene.ends[at + width - 1], scene.ends[at + width]
        if scene.normal.text[last : last + 1] in _STOPS or scene.words[at + width] in follow.may:
            continue
        covered = any(
            follow.code in each.what.codes and each.start <= start < each.end for each in shields
        )
        span = scene.place(start, end)
        if follow.written and not span.of(scene.text).lower().startswith(follow.written):
            continue
        if not covered and scene.counts(follow.where, span.start):
            yield Breach(follow.code, span.start, span.end, f"after {' '.join(follow.after)}")


def _end(text: str, start: int) -> int:
    match = _SEPARATORS.search(text, start)
    return match.start() if match else len(text)


def _named(own: Sequence[Found[Said]], scene: Scene, terms: Terms) -> Iterator[Breach]:
    first = {hit.what.id: hit for hit in reversed(own) if hit.what.role == "trap"}
    for hit in sorted(first.values(), key=lambda each: each.start)[terms.distortions :]:
        span = scene.place(hit.start, hit.end)
        yield Breach("distortions", span.start, span.end, hit.what.id)
