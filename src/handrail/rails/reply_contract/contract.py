"""The contract of a model-written turn, judged in one call."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from handrail.domain.risk import Level, Risk
from handrail.ports import PatternEngine
from handrail.rails.reply_contract import shape
from handrail.rails.reply_contract.characters import broken_out, contacts, odd_characters
from handrail.rails.reply_contract.deeds import deeds_in
from handrail.rails.reply_contract.lexicon import Lexicon, load_lexicons
from handrail.rails.reply_contract.orders import orders_behind, orders_in
from handrail.rails.reply_contract.own_words import beside_own, without_own, wordless
from handrail.rails.reply_contract.terms import Breach, Terms
from handrail.rails.reply_contract.tongue import Tongues
from handrail.rails.reply_contract.topic import astray
from handrail.rails.reply_contract.wording import Wording

MAX_CHARS = 8_000  # no turn of 600 words is as long, and a longer text is not read at all
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_STAND_INS = {"en": "it", "es": "eso"}

Screen = Callable[[str], Risk]


class ReplyContract:
    """Reads what a model wrote for a turn; deterministic, without state, linear in the text.

    ``screen`` reads the text for danger as well, as it stands and in the person's own voice.
    """

    def __init__(
        self, lexicons: Sequence[Lexicon], engine: PatternEngine, screen: Screen | None = None
    ) -> None:
        self._lexicons: Mapping[str, Lexicon] = {each.language: each for each in lexicons}
        self._wording = Wording(lexicons, engine)
        self._tongues = Tongues({each.language: each.small for each in lexicons})
        self._screen = screen

    @classmethod
    def packaged(cls, engine: PatternEngine, screen: Screen | None = None) -> ReplyContract:
        """The rail over every packaged language; raises `ContentInvalid` when a file is broken."""
        return cls(tuple(load_lexicons()), engine, screen)

    @property
    def versions(self) -> Mapping[str, str]:
        """The version of each language's file."""
        return {each.language: each.version for each in self._lexicons.values()}

    def compile_all(self) -> None:
        """Compile every pattern now, so that no turn pays for it later."""
        self._wording.compile_all()

    def breaches(
        self, text: str, terms: Terms, *, own_words: Sequence[str] = ()
    ) -> tuple[Breach, ...]:
        """Every reason against the text, in order; empty when it may leave.

        ``own_words`` are things that the person said: quoted word for word, they are no breach.
        A rail that fails, or does not know the language, lets nothing pass.
        """
        try:
            found = set(self._breaches(text, terms, own_words))
        except Exception:  # noqa: BLE001  a broken rail stays shut
            return (Breach("rail-broken", 0, len(text)),)
        return tuple(sorted(found, key=lambda each: (each.start, each.end, each.code, each.rule)))

    def _breaches(self, text: str, terms: Terms, own_words: Sequence[str]) -> Iterator[Breach]:
        if len(text) > MAX_CHARS:
            yield Breach("too-many-words", 0, len(text))
            return
        lexicon = self._lexicons[terms.language]
        judged, own = without_own(text, own_words, _STAND_INS[terms.language])
        yield from broken_out(text)
        yield from shape.length(text, terms)
        yield from shape.lists(judged, terms)
        yield from shape.unfinished(text)
        yield from shape.gibberish(judged, lexicon.small)
        yield from odd_characters(judged, terms.language, lexicon.chains)
        yield from contacts(judged)
        yield from self._tongues.other(judged, terms.language)
        yield from astray(judged, own, lexicon)
        yield from orders_in(judged, lexicon)
        yield from orders_behind(judged, own, lexicon)
        yield from (Breach("disguise", *span) for span in beside_own(judged, own))
        yield from (Breach("gibberish", *span) for span in wordless(text))
        scene = self._wording.scene(judged, terms.language)
        shielded = self._wording.shielded(scene, terms.language, "action")
        for deed in deeds_in(judged, lexicon):
            if not any(each.start <= deed.start and deed.end <= each.end for each in shielded):
                yield deed
        yield from self._wording.breaches(scene, terms)
        yield from self._dangers(judged, lexicon)

    def _dangers(self, text: str, lexicon: Lexicon) -> Iterator[Breach]:
        if self._screen is None:
            return
        heard = dict.fromkeys([text, *(_in_voice(text, voice) for voice in lexicon.voices)])
        if any(self._screen(each).level >= Level.MODERATE for each in heard):
            yield Breach("harm", 0, len(text), "screen")


def _in_voice(text: str, voice: Mapping[str, str]) -> str:
    """The text with its words exchanged, as if the person had said it of themselves."""
    return _WORD.sub(lambda word: voice.get(word[0].lower().replace("’", "'"), word[0]), text)
