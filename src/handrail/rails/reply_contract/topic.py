"""Whether each sentence speaks of what such a turn is for: a thought, a feeling, what was said.

Oblique advice and news about other people are told in words that no list forbids. What they lack is
any word of the inner life, and a sentence without one does not pass.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from handrail.rails.crisis.folding import fold
from handrail.rails.reply_contract.lexicon import Lexicon
from handrail.rails.reply_contract.sentences import sentences, words
from handrail.rails.reply_contract.terms import Breach

_SHORT = 3  # words below which a sentence needs none


def astray(text: str, own: Sequence[tuple[int, int]], lexicon: Lexicon) -> Iterator[Breach]:
    """The sentences, questions aside, in which no word of ``anchors`` stands.

    ``own`` are the places of the person's own words: a sentence that quotes them needs no other.
    """
    for start, end, asks in sentences(text):
        said = [fold(word)[0].replace("'", "") for word in words(text[start:end])]
        leads_to_question = text[start:end].rstrip().endswith(",") and text[end : end + 1] == "¿"
        quotes = any(start <= first < end for first, _ in own)
        if asks or leads_to_question or quotes or len(said) < _SHORT:
            continue
        if said[0] in lexicon.anchor_openers or any(word.isdigit() for word in said):
            continue
        if not any(_anchors(word, lexicon) for word in said):
            yield Breach("astray", start, end)


def _anchors(word: str, lexicon: Lexicon) -> bool:
    return word in lexicon.anchors or word.startswith(lexicon.anchor_stems)
