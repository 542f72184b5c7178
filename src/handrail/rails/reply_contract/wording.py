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
from handrail.rails.reply_contract.sentences import Head, Sentence, heads, sentences
from handrail.rails.reply_contract.terms import Breach, Terms

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
        if where == "told":
            return not any(s.asks and s.start <= at < s.end for s in self.sentences)
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
        self._index = Index(engine)
        self._shelf = self._index.shelve([said for each in lexicons for said in each.said])

    def compile_all(self) -> None:
        """Compile every pattern now, so that no text pays for it later."""
        self._shelf.compile_all()

    def breaches(self, text: str, terms: Terms) -> Iterator[Breach]:
        """What is refused by its words, and asks and traps beyond their number."""
        scene = Scene(text, self._normalise)
        lexicon = self._lexicons[terms.language]
        found = self._shelf.read(self._index.open(scene.normal.text))
        own = [hit for hit in found if hit.what.language == terms.language]
        shields = [hit for hit in own if hit.what.role == "shield"]
        for hit in found:
            if hit.what.role == "rule" and (hit.what.language == terms.language or hit.what.everywhere):
                yield from _refused(hit, shields, scene)
        for follow in lexicon.follows:
            yield from _followed(follow, shields, scene)
        yield from _orders(text, lexicon)
        yield from _named(own, scene, terms)
        yield from _asked(own, scene, terms)


def _refused(
    hit: Found[Said], shields: Sequence[Found[Said]], scene: Scene
) -> Iterator[Breach]:
    span = scene.place(hit.start, hit.end)
    if scene.counts(hit.what.where, span.start) and not _shielded(hit, hit.what.codes[0], shields):
        yield Breach(hit.what.codes[0], span.start, span.end, hit.what.id)


def _shielded(hit: Found[Said], code: str, shields: Sequence[Found[Said]]) -> bool:
    return any(
        code in shield.what.codes and shield.start < hit.end and hit.start < shield.end
        for shield in shields
    )


def _followed(
    follow: Follow, shields: Sequence[Found[Said]], scene: Scene
) -> Iterator[Breach]:
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
        if said[at + width] not in follow.may and not covered and scene.counts(follow.where, span.start):
            yield Breach(follow.code, span.start, span.end, f"after {' '.join(follow.after)}")


def _end(text: str, start: int) -> int:
    match = _SEPARATORS.search(text, start)
    return match.start() if match else len(text)


def _orders(text: str, lexicon: Lexicon) -> Iterator[Breach]:
    """Sentences that begin with no word known to be harmless there, clauses that begin with orders."""
    for head in heads(text):
        rest = _passed_over(head.rest, lexicon.lead_ins)
        if head.opens and not _opens_well(head, rest, lexicon):
            yield Breach("action", head.start, head.end, "opener")
        elif rest and rest[0] in lexicon.commands and rest[0] not in lexicon.openers:
            yield Breach("action", head.start, head.end, "order")


def _opens_well(head: Head, rest: Sequence[str], lexicon: Lexicon) -> bool:
    if head.rest[0].isdigit():
        return True
    return head.rest[0] in lexicon.openers | lexicon.lead_ins and (
        not rest or rest[0] not in lexicon.commands - lexicon.openers
    )


def _passed_over(said: Sequence[str], lead_ins: frozenset[str]) -> Sequence[str]:
    at = next((at for at, word in enumerate(said) if word not in lead_ins), len(said))
    return said[at:]


def _named(own: Sequence[Found[Said]], scene: Scene, terms: Terms) -> Iterator[Breach]:
    first = {hit.what.id: hit for hit in reversed(own) if hit.what.role == "trap"}
    for hit in sorted(first.values(), key=lambda each: each.start)[terms.distortions :]:
        span = scene.place(hit.start, hit.end)
        yield Breach("distortions", span.start, span.end, hit.what.id)


def _asked(own: Sequence[Found[Said]], scene: Scene, terms: Terms) -> Iterator[Breach]:
    """Questions beyond their number: by their mark, by their words, or two in one."""
    asking = [each for each in scene.sentences if each.asks]
    asks = [Span(each.start, each.end) for each in asking]
    for hit in own:
        span = scene.place(hit.start, hit.end)
        within = any(each.start <= span.start < each.end for each in asking)
        double = hit.what.id == "asks-more" and not terms.compound
        if hit.what.role == "ask" and (double if hit.what.id == "asks-more" else not within):
            asks.append(span)
    for span in sorted(asks)[terms.questions :]:
        yield Breach("too-many-questions", span.start, span.end)
