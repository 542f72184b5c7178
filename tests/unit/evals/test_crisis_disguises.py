"""Disguises change how a text looks and nothing else; carriers leave the message whole."""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handrail.errors import InvalidInput
from handrail.evals.carriers import FALLBACK, FRAMES, SLOT, read_carriers
from handrail.evals.mutations import FURTHER, MUTATIONS, disguised

ALL = MUTATIONS | FURTHER
LETTERS = "abcdeiosxyñáéíóúüABEOS'’.,¿? \n1"
said = st.text(st.sampled_from(LETTERS) | st.characters(codec="utf-8"), min_size=1, max_size=60)
worded = said.filter(lambda text: any(c.isalnum() for c in text))


def test_twelve_mutations_have_a_name_and_others_have_another() -> None:
    assert len(MUTATIONS) == 12
    assert not MUTATIONS.keys() & FURTHER.keys()


@pytest.mark.parametrize(
    ("name", "changed"),
    [
        ("upper_case", "I CAN'T SEE ÁNY LIGHT."),
        ("zero_width", "\u200b".join("I can't see ány light.")),
        ("curly_apostrophe", "I can’t see ány light."),
        ("no_apostrophe", "I cant see ány light."),
        ("homoglyph", "\u0406 \u0441\u0430n't s\u0435\u0435 án\u0443 l\u0456ght."),
        ("leet", "I c4n't $33 ány l1ght."),
        ("repeated_letter", "IIII can'tttt seeeee ányyyy light."),
        ("spaced_letters", "I  c a n ' t  s e e  á n y  l i g h t ."),
        ("emoji", "I 😢 can't 😢 see 😢 ány 😢 light."),
        ("line_break", "I\ncan't\nsee\nány\nlight."),
        ("full_width", "Ｉ ｃａｎ＇ｔ ｓｅｅ áｎｙ ｌｉｇｈｔ．"),
        ("typo", "I can't see ány lgiht."),
        ("no_accents", "I can't see any light."),
        ("mixed_case", "i cAn't sEe áNy lIgHt."),
        ("decomposed", "I can't see a\u0301ny light."),
        ("soft_hyphen", "\u00ad".join("I can't see ány light.")),
        ("dotted_letters", "I c.a.n.'.t s.e.e á.n.y l.i.g.h.t.."),
        ("no_punctuation", "I can't see ány light"),
        ("dropped_letter", "I can't see ány liht."),
        ("doubled_letter", "I can't see ány liight."),
    ],
)
def test_each_mutation_does_what_its_name_says(name: str, changed: str) -> None:
    assert ALL[name]("I can't see ány light.") == changed


def test_every_mutation_is_shown_above() -> None:
    marks = test_each_mutation_does_what_its_name_says.pytestmark  # type: ignore[attr-defined]
    assert {name for name, _ in marks[0].args[1]} == ALL.keys()


def test_a_tilde_is_a_letter_and_no_accent() -> None:
    assert FURTHER["no_accents"]("mañana no habrá más pingüinos") == "mañana no habra mas pinguinos"


@given(said)
def test_a_disguise_is_the_same_each_time_and_never_blank(text: str) -> None:
    changed = disguised(text)
    assert changed == disguised(text)
    assert all(mutant.strip() and mutant != text for mutant in changed.values())
    assert changed.keys() <= ALL.keys()


@given(worded)
def test_no_mutation_empties_a_text_with_words(text: str) -> None:
    assert [name for name, mutate in ALL.items() if not mutate(text).strip()] == []


@given(worded)
def test_what_hides_between_letters_takes_none_away(text: str) -> None:
    for name in ("zero_width", "soft_hyphen", "spaced_letters", "emoji", "line_break"):
        kept = iter(MUTATIONS.get(name, ALL[name])(text))
        assert all(letter in kept for letter in text if not letter.isspace()), name


@given(worded)
def test_full_width_and_apart_are_the_same_text_to_unicode(text: str) -> None:
    for name in ("full_width", "decomposed"):
        same = unicodedata.normalize("NFKC", ALL[name](text))
        assert same == unicodedata.normalize("NFKC", text)


@given(worded)
def test_slips_touch_one_letter_at_most(text: str) -> None:
    assert sorted(MUTATIONS["typo"](text)) == sorted(text)
    assert len(text) - len(FURTHER["dropped_letter"](text)) in (0, 1)
    assert len(FURTHER["doubled_letter"](text)) - len(text) in (0, 1)


def test_each_language_has_every_frame_once() -> None:
    carriers = read_carriers()
    assert {FALLBACK, "es"} <= carriers.keys()
    for language, found in carriers.items():
        assert sorted(carrier.frame for carrier in found) == sorted(FRAMES), language


@given(worded)
def test_a_carrier_holds_the_message_whole(message: str) -> None:
    for carriers in read_carriers().values():
        for carrier in carriers:
            before, after = carrier.text.split(SLOT)
            carried = carrier.around(message)
            assert carried.startswith(before + message)
            assert carried.endswith(after)
            assert len(carried) - len(before + message + after) in (0, 1)


@pytest.mark.parametrize(
    ("message", "closed"), [("so be it", "so be it."), ("why?", "why?"), ("es así…", "es así…")]
)
def test_a_message_in_a_carrier_is_closed_like_a_sentence(message: str, closed: str) -> None:
    (greeting,) = (c for c in read_carriers()["en"] if c.frame == "greeting")
    assert f" {closed} Thanks" in greeting.around(message)


@pytest.mark.parametrize("text", ["no place", f"two {SLOT} places {SLOT}"])
def test_a_carrier_with_no_place_or_two_is_refused(tmp_path: Path, text: str) -> None:
    row = {"id": "a", "language": "en", "frame": "story", "text": text}
    (tmp_path / "carriers.jsonl").write_text(json.dumps(row))
    with pytest.raises(InvalidInput, match=r"line 1: text: .*once"):
        read_carriers(tmp_path / "carriers.jsonl")
