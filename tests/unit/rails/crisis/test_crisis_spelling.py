"""A misspelt word is set right only where a known word comes of it."""

from __future__ import annotations

import pytest

from handrail.rails.crisis.spelling import Sounding, Speller, undouble, undoubled

WORDS = ("i", "want", "to", "leave", "home", "now", "letter", "bel", "no", "w", "it")
STEMS = ("hurt", "2nd")
GUARDED = ("leave", "bell", "kill", "letter", "attempt", "die", "cut")


def spell(raw: str) -> str:
    known = undoubled(WORDS).values()
    return Speller(tuple(known), STEMS, GUARDED).spell(raw)


@pytest.mark.parametrize(
    ("raw", "read"),
    [
        ("want", "want"),
        ("wannnt", "want"),
        ("letter", "leter"),
        ("don't", "dont"),
        ("hurting", "hurting"),
        ("hurrrt", "hurt"),
        ("2ndhand", "2ndhand"),
        # disguises
        ("k1ll", "kil"),
        ("be11", "bel"),
        ("be!!", "bel"),
        ("l3av3", "leave"),
        ("h0m3", "home"),
        ("hur7ing", "hurting"),
        ("x9y", "x9y"),
        # masks
        ("k*ll", "kil"),
        ("le*ve", "leave"),
        ("l***e", "leave"),
        ("x*y", "x y"),
        ("*", "*"),
        # slips
        ("atempt", "atempt"),
        ("attemt", "atempt"),
        ("ttempt", "tempt"),
        ("letta", "leta"),
        ("leter", "leter"),
        ("lettr", "leter"),
        ("dei", "die"),
        ("ide", "ide"),
        ("ctu", "cut"),
        # two changed round
        ("hmoe", "home"),
        ("hoem", "home"),
        ("ohme", "ohme"),
        ("wnat", "want"),
        ("nwo", "nwo"),
        # run together
        ("iwanttoleave", "i want to leave"),
        ("leavehome", "leave home"),
        ("wanthome", "wanthome"),
        ("dieit", "dieit"),
        ("dienow", "die now"),
        ("leavehomex", "leavehomex"),
        # marks
        ("stop!it", "stop.it"),
        ("a*b", "a b"),
        ("a$", "a"),
    ],
)
def test_a_word_is_set_right_or_left_alone(raw: str, read: str) -> None:
    assert spell(raw) == read


def test_as_few_words_as_possible_are_read() -> None:
    speller = Speller(("leave", "no", "w", "now", "x", "y", "xy", "yz", "z"), (), ("leave",))
    assert speller.spell("leavenow") == "leave now"
    assert speller.spell("leavexyz") == "leave x yz"
    assert speller.spell("leavexy") == "leave xy"


def test_only_words_of_some_length_are_taken_apart() -> None:
    assert Speller(("no",), (), ("die",)).spell("nodie") == "nodie"
    assert Speller(("now",), (), ("die",)).spell("nowdie") == "now die"
    long = "leave" * 20
    assert spell(long) == " ".join(["leave"] * 20)
    assert spell("leave" * 4_000) == "leave" * 4_000


def test_a_long_word_is_looked_for_up_to_sixteen_letters() -> None:
    sixteen, seventeen = "abcdefghijklmnop", "abcdefghijklmnopq"
    speller = Speller((sixteen, seventeen), (), ("die",))
    assert speller.spell("die" + sixteen) == "die " + sixteen
    assert speller.spell("die" + seventeen) == "die" + seventeen


def test_letters_are_made_single_and_digits_are_not() -> None:
    assert undouble("aabbcc 1122 __ éé") == "abc 1122 __ é"
    assert undoubled(["aab", "c", "ddd"]) == {"aab": "ab", "c": "c", "ddd": "d"}
    assert undoubled([]) == {}


def test_of_two_words_that_sound_the_same_the_first_stands() -> None:
    sounding = Sounding({"qu": "k", "c": "k"}, ["quasa", "casa", "kit", "ccasar"])
    assert sounding.word("kuasa") is None
    assert sounding.word("casa") == sounding.word("kasa") == "quasa"
    assert sounding.word("kit") is None  # too short to be heard
    assert sounding.word("kasar") == "casar"


def test_a_word_is_heard_in_any_language_within_its_length() -> None:
    first = Sounding({"v": "b"}, ["hover"])
    second = Sounding({"y": "i"}, ["abcdefghijklmnoy", "abcdefghijklmnopy"])
    speller = Speller(("x",), (), (), (first, second))
    assert speller.spell("hober") == "hover"
    assert speller.spell("abcdefghijklmnoi") == "abcdefghijklmnoy"
    assert speller.spell("abcdefghijklmnopi") == "abcdefghijklmnopi"
