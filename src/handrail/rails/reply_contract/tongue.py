"""Whether a text is in the language it should be in, told by its small words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from handrail.rails.crisis.folding import fold
from handrail.rails.reply_contract.sentences import sentences, words
from handrail.rails.reply_contract.terms import Breach

_SHORT = 5  # words below which a sentence may hold no small word
_SHARE = 0.2
_WINDOW = 5
_FOREIGN = 3  # small words of another language in a window of five words


class Tongues:
    """Knows the small words of each language."""

    def __init__(self, small: Mapping[str, frozenset[str]]) -> None:
        self._small = small

    def other(self, text: str, language: str) -> Iterator[Breach]:
        """Sentences, or runs of words in them, that another language speaks."""
        own = self._small[language]
        others = frozenset[str]().union(*self._small.values()) - own
        for start, end, _ in sentences(text):
            said = [fold(word)[0].replace("'", "") for word in words(text[start:end])]
            mine = [word in own for word in said]
            foreign = [word in others for word in said]
            few = len(said) >= _SHORT and sum(mine) < _SHARE * len(said)
            if few or sum(foreign) > sum(mine) or _run(foreign):
                yield Breach("language", start, end)


def _run(foreign: list[bool]) -> bool:
    return any(sum(foreign[at : at + _WINDOW]) >= _FOREIGN for at in range(len(foreign)))
