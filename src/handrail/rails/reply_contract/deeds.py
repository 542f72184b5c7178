"""Deeds that are named wherever they stand: an order need not look like one.

"What keeps you from calling her" and "a part of you is ready to call her" tell what to do as an
order does. A verb that somebody could be told to do is refused in the forms that name it as a deed,
and so is every word of such a form that is not known to name none.
"""

from __future__ import annotations

from collections.abc import Iterator

from handrail.rails.reply_contract.lexicon import Lexicon
from handrail.rails.reply_contract.sentences import placed_words
from handrail.rails.reply_contract.terms import Breach

_SHORTEST = 5  # letters of a form that is looked at by its ending


def deeds_in(text: str, lexicon: Lexicon) -> Iterator[Breach]:
    """Deeds by their form alone, and bare verbs behind a word that makes them a deed."""
    before, first = "", 0
    for start, end, word in placed_words(text):
        if word in lexicon.deed_forms and before not in lexicon.under_way:
            yield Breach("action", start, end, "deed")
        elif word in lexicon.deeds and before in lexicon.doers:
            yield Breach("action", first, end, "deed")
        elif _is_no_aim(text[first:end], word, lexicon):
            yield Breach("action", first, end, "aim")
        elif _names_a_deed(word, lexicon) and before not in lexicon.under_way:
            yield Breach("action", start, end, "unknown-deed")
        before, first = word, start


def _names_a_deed(word: str, lexicon: Lexicon) -> bool:
    long_enough = len(word) >= _SHORTEST
    return long_enough and word.endswith(lexicon.deed_endings) and word not in lexicon.no_deeds


def _is_no_aim(pair: str, word: str, lexicon: Lexicon) -> bool:
    """Whether a word behind "to" is no known aim; read as written, for "too" is as normal."""
    goal = pair.lower().split()[:1]
    known = word in lexicon.aims or word.isdigit()
    return not known and bool(goal) and goal[0] in lexicon.goals
