"""A message as the screen reads it, and the way back."""

from __future__ import annotations

import pytest

from handrail.rails.crisis.folding import fold
from handrail.rails.crisis.normalise import Normaliser
from handrail.rails.crisis.spelling import Sounding, Speller

KNOWN = ("i", "want", "to", "die", "kill", "myself", "really", "tired", "morir", "dont", "si", "o")


@pytest.fixture(scope="module")
def normalise() -> Normaliser:
    speller = Speller({"kil" if w == "kill" else w for w in KNOWN}, (), ("kill", "die", "myself"))
    return Normaliser(speller)


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ("I WANT to", "i want to"),
        ("don't don’t don`t dont", "dont dont dont dont"),
        ("k\u200bi\u2060ll", "kil"),
        ("кіll mуsеlf", "kil myself"),
        ("\uff4b\uff49\uff4c\uff4c", "kil"),
        ("𝓀𝒾𝓁𝓁 🅺🅸🅻🅻", "kil kil"),
        ("k1ll myse1f", "kil myself"),
        ("k*ll d*e", "kil die"),
        ("kiiiiillll", "kil"),
        ("k i l l  m y s e l f", "kil myself"),
        ("k.i.l.l m-y-s-e-l-f", "kil myself"),
        ("iwanttodie", "i want to die"),
        ("klil mysefl", "kil myself"),
        ("mi mañana, Pingüino", "mi manana,pinguino"),
        ("die 💀", "die die"),
        ("a   b\t c", "a b c"),
        ("one\ntwo", "one\ntwo"),
        ("one\n\ntwo", "one.two"),
        ("one... two… ten", "one,two,ten"),
        ("¿one? ¡two!", "one?two"),
        ("one — two - ten-four", "one.two,ten four"),
        ("stop!now", "stop.now"),
    ],
)
def test_a_message_is_brought_to_plain_words(normalise: Normaliser, said: str, read: str) -> None:
    assert normalise(said).text == read


@pytest.mark.parametrize("said", ["therapist", "soldier", "10mg", "b12", "covid19", "3rd", "2day"])
def test_an_ordinary_word_is_left_as_it_is(normalise: Normaliser, said: str) -> None:
    assert normalise(said).text == said


def test_a_place_in_the_normal_text_leads_back_to_the_original(normalise: Normaliser) -> None:
    said = "  So, I WАNT\u200b … tö d i e!!"
    normal = normalise(said)
    start = normal.text.index("want")
    assert normal.span(start, start + len("want,to")).of(said) == "WАNT\u200b … tö"


def test_quotation_marks_are_kept_as_places(normalise: Normaliser) -> None:
    normal = normalise("she said “i want to die” and «kill»")
    inside = normal.text.index("want")
    opened, closed = normal.quotation(inside)
    assert normal.text[opened:closed].strip(" ,") == "i want to die"
    assert normal.quotation(0) == (0, 0)


def test_an_open_quotation_holds_nothing(normalise: Normaliser) -> None:
    normal = normalise('i want "to die')
    assert normal.quotation(normal.text.index("die"))[0] == normal.text.index("die")


def test_fold_keeps_the_place_of_every_character() -> None:
    folded, places = fold("ﬁne ß x")
    assert folded == "fine ss x"
    assert list(places) == [0, 0, 1, 2, 3, 4, 4, 5, 6]


def test_invisible_signs_and_lone_surrogates_vanish() -> None:
    folded, places = fold("a\u200b\ud800\u202eb\x00c")
    assert (folded, list(places)) == ("abc", [0, 4, 6])


def test_a_word_written_by_ear_is_the_known_word_that_sounds_so() -> None:
    sounding = Sounding({"qu": "k", "h": "", "v": "b"}, ["quebrar", "hover", "habla"])
    speller = Speller({"obeys"}, sounding=[sounding])
    assert [speller.spell(word) for word in ("kebrar", "ober", "hoverr")] == [
        "quebrar",
        "hover",
        "hover",
    ]
    assert speller.spell("obeys") == "obeys"
    assert speller.spell("abl") == "abl"
