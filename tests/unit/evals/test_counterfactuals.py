"""Each family changes what a sentence says, in its own way; the same seed gives the same change."""

from __future__ import annotations

import unicodedata
from functools import cache

import pytest

from handrail.evals.counterfactuals import FAMILIES, Rules, counterfactual
from handrail.evals.rewordings import reworded
from handrail.rails.agreement import Agreement, load_words
from handrail.rails.overlap import tokens

OTHER = "Planning the evening before leaves more room for a quiet start into the day."
PLAIN = "Gentle stretching loosens tight shoulders."  # nothing to swap in it
SEEDS = [str(seed) for seed in range(12)]


@cache
def rules() -> Rules:
    return Rules.packaged()


def made(family: str, text: str, *, seed: str = "1", other: str = OTHER) -> str | None:
    return counterfactual(family, text, other=other, rules=rules(), seed=seed)


def every(family: str, text: str) -> set[str | None]:
    return {made(family, text, seed=seed) for seed in SEEDS}


def test_there_are_thirteen_families() -> None:
    assert list(FAMILIES) == [
        "negation",
        "antonym",
        "number",
        "modality",
        "quantifier",
        "subject",
        "time",
        "appended_advice",
        "truncation",
        "cross_case_splice",
        "homoglyph",
        "wrong_document",
        "reported_speech",
    ]


@pytest.mark.parametrize(
    ("family", "text", "expected"),
    [
        ("negation", "Rest is part of it.", {"Rest is not part of it."}),
        ("negation", "Don't hurry.", {"Do hurry."}),
        ("negation", "It never rains.", {"It rains."}),
        ("negation", "Rest comes first.", {"It is not true that rest comes first."}),
        ("antonym", "The moment feels safe.", {"The moment feels dangerous."}),
        ("number", "Breathe for 4 counts.", {"Breathe for 5 counts.", "Breathe for 45 counts."}),
        ("modality", "They may leave.", {"They must leave.", "They will leave."}),
        (
            "quantifier",
            "Some plans fail.",
            {"All plans fail.", "No plans fail.", "Most plans fail."},
        ),
        ("subject", "Ask the landlord.", {"Ask the tenant."}),
        ("time", "Rest before noon.", {"Rest after noon.", "Rest during noon."}),
        ("truncation", "Rest well and often if it rains.", {"Rest well and often.", "Rest well."}),
        ("wrong_document", PLAIN, {PLAIN}),
        ("reported_speech", "I believe that rest helps.", {"Rest helps."}),
    ],
)
def test_a_family_makes_what_its_name_says(family: str, text: str, expected: set[str]) -> None:
    found = every(family, text)
    assert found <= expected
    if len(expected) < 3:
        assert found & expected
    else:
        assert len(found) > 1


def test_a_sentence_that_a_family_cannot_change_is_none() -> None:
    swaps = ("antonym", "number", "modality", "quantifier", "subject", "time", "truncation")
    assert {family: made(family, PLAIN) for family in swaps} == dict.fromkeys(swaps)
    assert made("cross_case_splice", "Rest helps.") is None


def test_an_opener_that_goes_is_no_truncation() -> None:
    assert every("truncation", "However, gentle stretching loosens tight shoulders.") == {None}
    assert every("truncation", "The steps are:") == {None}


def test_appended_advice_leaves_the_sentence_and_adds_to_it() -> None:
    for text in every("appended_advice", PLAIN):
        assert text
        assert text.startswith(PLAIN[:-1])
        assert len(tokens(text)) >= len(tokens(PLAIN)) + 3


def test_a_splice_begins_here_and_ends_there() -> None:
    text = made("cross_case_splice", "Slow breathing tells the body that all is well.")
    assert text == "Slow breathing tells the for a quiet start into the day."


def test_a_homoglyph_looks_the_same_and_is_not() -> None:
    texts = every("homoglyph", PLAIN)
    assert len(texts) > 3
    for text in texts:
        assert text
        assert text != PLAIN
        odd = [letter for letter in text if letter not in PLAIN]
        assert len(odd) == 1
        assert not odd[0].isascii()
        assert unicodedata.name(odd[0], "")


def test_reported_speech_puts_a_sentence_into_another_mouth() -> None:
    for text in every("reported_speech", PLAIN):
        assert text
        assert text.endswith(" gentle stretching loosens tight shoulders.")


@pytest.mark.parametrize("family", FAMILIES)
def test_the_same_seed_gives_the_same_change(family: str) -> None:
    text = "You should not rest before 3 of the good days end or begin, and all easy rest is work."
    assert made(family, text) == made(family, text)
    one_way_only = {"wrong_document", "cross_case_splice"}
    assert (len(every(family, text)) > 1) == (family not in one_way_only)


def test_a_rewording_is_true_by_the_lists_that_made_it() -> None:
    words = load_words()
    agreement = Agreement(words)
    for text in (
        "However, you do not have to rest for 2 days.",
        "You can't sleep, and it is fine to talk to someone.",
        "The children often rest because of the heat.",
    ):
        new = {reworded(text, words, seed=seed) for seed in SEEDS}
        assert len(new) > 1
        for said in new:
            assert said not in (None, text)
            assert agreement.fault(said, text) is None
    assert reworded(PLAIN, words, seed="1") is None
