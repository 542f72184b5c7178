"""Deeds that are named wherever they stand: an order need not look like one.

"What keeps you from calling her" and "a part of you is ready to call her" tell what to do as an
order does. A verb that somebody could be told to do is refused in the forms that name it as a deed.
"""

from __future__ import annotations

from collections.abc import Iterator

from handrail.rails.reply_contract.lexicon import Lexicon
from handrail.rails.reply_contract.sentences import placed_words
from handrail.rails.reply_contract.terms import Breach


def deeds_in(text: str, lexicon: Lexicon) -> Iterator[Breach]:
    """Deeds by their form alone, and bare verbs behind a word that makes them a deed."""
    before, first = "", 0
    for start, end, word in placed_words(text):
        if word in lexicon.deed_forms and before not in lexicon.under_way:
            yield Breach("action", start, end, "deed")
        elif word in lexicon.deeds and before in lexicon.doers:
            yield Breach("action", first, end, "deed")
        before, first = word, start
