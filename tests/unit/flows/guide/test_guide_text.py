"""The normal text of a message: as long as the message, so that places in it are places there."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handrail.flows.guide.text import normal, words

ODD = "İ ß ẞ ﬁ Σς 👩‍👧 \x00 \ud800 é e\u0301 \u200b ’ ‘ ` ´ – — ‑ _ / \t\r\n\u2028\u00a0 ＇"


@given(st.text(alphabet=st.characters(), max_size=60) | st.sampled_from([ODD, ODD * 3]))
def test_h34_a_normal_text_is_as_long_as_the_text(text: str) -> None:
    assert len(normal(text)) == len(text)
    assert normal(normal(text)) == normal(text)


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("I DON\u2019T", "i don't"),
        ("don\u02bct don\u00b4t don`t don\uff07t", "don't don't don't don't"),
        ("\u201cnever\u201d", '"never"'),
        ("pick-up pick\u2011up pick_up pick/up", "pick up pick up pick up pick up"),
        ("one\u00a0two\tthree\u2028four\nfive", "one two three four\nfive"),
        ("İSTANBUL", "istanbul"),  # whose small letters are longer than it
        ("Fiancée ｓｎａｐ 𝐬𝐧𝐚𝐩", "fiancee snap snap"),
        ("ﬁne ½ ² Ж ſ", "ﬁne ½ ² ж s"),
        ("STRAßE", "straße"),
    ],
)
def test_h34_h35_signs_that_mean_the_same_are_one(written: str, read: str) -> None:
    assert normal(written) == read


def test_h34_words_know_where_they_stand_in_the_original() -> None:
    text = f"{ODD} Don\u2019t 🪨 GRAY-rock"
    found = words(normal(text), {"gray": "grey"})
    assert [word.text for word in found[-3:]] == ["dont", "grey", "rock"]
    assert [text[word.start : word.end] for word in found[-3:]] == ["Don\u2019t", "GRAY", "rock"]


@given(st.text(alphabet=st.characters(), max_size=60))
def test_h34_words_stand_in_order_and_do_not_overlap(text: str) -> None:
    found = words(normal(text), {})
    edges = [edge for word in found for edge in (word.start, word.end)]
    assert edges == sorted(edges)
    assert all(word.text and word.start < word.end for word in found)
