"""Orders by their place: what a sentence begins with, and what follows a break in it.

A sentence may begin only with a word that is known to be harmless there, so that no verb needs to
be known for an order to be refused. A clause may begin with anything but a known order.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from handrail.rails.reply_contract.lexicon import Lexicon
from handrail.rails.reply_contract.sentences import heads, normal, words
from handrail.rails.reply_contract.terms import Breach

_CLAUSE = re.compile(r"[^.,;:!?…()–—\n]*")


def orders_in(text: str, lexicon: Lexicon) -> Iterator[Breach]:
    """Every place where an order may begin."""
    for head in heads(text):
        rest = _passed_over(head.rest, lexicon)
        fault = _fault(rest, lexicon, opens=head.opens)
        if fault:
            yield Breach("action", head.start, head.end, fault)


def orders_behind(text: str, own: Sequence[tuple[int, int]], lexicon: Lexicon) -> Iterator[Breach]:
    """Orders right behind the person's own words, where a sentence need not have begun."""
    for _, end in own:
        clause = _CLAUSE.match(text, end)
        rest = _passed_over(words(clause[0]) if clause else (), lexicon)
        if rest and normal(rest[0]) in lexicon.commands | lexicon.deeds:
            yield Breach("action", end, end + len(clause[0]) if clause else end, "order")


def _fault(rest: Sequence[str], lexicon: Lexicon, *, opens: bool) -> str | None:
    said = [normal(word) for word in rest]
    if not said or said[0].isdigit() or said[0] in lexicon.clitics:
        return None
    if said[0] in lexicon.negation and _forbids(said, lexicon):
        return "prohibition"
    if said[0] in lexicon.openers:
        return None
    if opens:
        return None if rest[0].lower().endswith(lexicon.opener_endings) else "opener"
    return "order" if said[0] in lexicon.commands | lexicon.deeds else None


def _forbids(said: Sequence[str], lexicon: Lexicon) -> bool:
    after = (word for word in said[1:] if word not in lexicon.clitics)
    return next(after, "") in lexicon.prohibitions


def _passed_over(said: Sequence[str], lexicon: Lexicon) -> Sequence[str]:
    """The words from the first on that is no lead-in."""
    for at, word in enumerate(said):
        if normal(word) not in lexicon.lead_ins and not word.lower().endswith(
            lexicon.lead_in_endings
        ):
            return said[at:]
    return ()
