"""The sieve lets through exactly the phrases that a plain look at the words lets through."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from handrail.rails.crisis.sieve import Sieve

WORDS = st.frozensets(st.sampled_from("abcdef"), min_size=1, max_size=3)
ITEMS = st.lists(WORDS, max_size=3)


@given(st.lists(ITEMS, max_size=70), st.frozensets(st.sampled_from("abcdefg")), st.data())
def test_what_is_sifted_is_what_has_all_its_items(
    phrases: list[list[frozenset[str]]], words: frozenset[str], data: st.DataObject
) -> None:
    sieve = Sieve()
    for number, items in enumerate(phrases):
        sieve.require(number, items)
    called = data.draw(
        st.frozensets(st.sampled_from(range(len(phrases)))) if phrases else st.none()
    )
    wanted = [n for n in sorted(called or ()) if all(item & words for item in phrases[n])]
    assert sieve.sift(sorted(called or ()), words) == wanted


def test_a_phrase_that_has_told_nothing_is_let_through() -> None:
    sieve = Sieve()
    sieve.require(0, [frozenset("a")])
    assert sieve.sift([0, 1], {"b"}) == [1]
