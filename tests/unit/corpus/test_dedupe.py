"""Same and nearly the same (C55); texts are invented."""

from __future__ import annotations

import random
import time

import numpy as np
import pytest
from corpus_sample import case

from handrail.corpus.columns import ColumnMap, to_case
from handrail.corpus.dedupe import ALIKE, dedupe, fold, leaders, resemblance, shingles

LONG = (
    "For about three months I have been lying awake until the early morning, and then I am too "
    "tired to work. My partner says that I should stop drinking coffee, which I have tried."
)


def test_exact_pairs_are_merged_and_counted() -> None:
    found = dedupe([case("a b", "c d"), case("a b\r\n", " c d"), case("a b", "e f")])
    assert [c.response for c in found.cases] == ["c d", "e f"]
    assert (found.exact_duplicates, found.near_duplicates) == (1, 0)


@pytest.mark.parametrize(
    "other",
    [
        LONG.upper(),
        LONG.replace(",", " -").replace(".", "!!"),
        LONG.replace("coffee", "cofee"),
        LONG.replace(" ", "  "),
        LONG.replace("which I have tried", "which I have tried once"),
        LONG.replace("o", "ö"),
    ],
)
def test_c55_contexts_that_differ_by_a_trifle_share_a_group(other: str) -> None:
    found = dedupe([case(LONG, "one answer here"), case(other, "quite another thing")])
    assert len(found.cases) == 2
    assert {c.group for c in found.cases} == {found.cases[0].id}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("I feel sad", "I feel bad"),
        ("I can sleep", "I can't sleep"),
        ("My mother hurts me", "My brother hurts me"),
        (LONG, "For about three months I have been sleeping well and working hard."),
        ("😢", "😊"),
        (f"{LONG} I take 5 pills.", f"{LONG} I take 50 pills."),
    ],
)
def test_c55_other_contexts_have_their_own_group(one: str, other: str) -> None:
    found = dedupe([case(one, "x y"), case(other, "x y")])
    assert len(found.cases) == 2
    assert len({c.group for c in found.cases}) == 2


def test_near_duplicate_pairs_keep_the_first() -> None:
    found = dedupe([case(LONG, LONG), case(LONG.upper(), LONG.lower()), case(LONG, "other words")])
    assert [c.context for c in found.cases] == [LONG, LONG]
    assert (found.exact_duplicates, found.near_duplicates) == (0, 1)


def test_texts_without_an_answer_go_only_when_exactly_the_same() -> None:
    texts = (LONG, LONG.upper(), LONG)
    found = dedupe([to_case({"text": text}, ColumnMap(context="text")) for text in texts])
    assert len(found.cases) == 2
    assert (found.exact_duplicates, found.near_duplicates) == (1, 0)
    assert len({c.group for c in found.cases}) == 1


def test_texts_that_come_later_leave_earlier_groups_alone() -> None:
    texts = variants(60)
    whole = leaders(texts)
    assert leaders(texts[:30]) == whole[:30]


def test_a_chain_of_small_steps_does_not_join_its_ends() -> None:
    words = LONG.split()
    chain = [
        " ".join(w[::-1] if place < step else w for place, w in enumerate(words))
        for step in range(len(words) + 1)
    ]
    found = leaders(chain)
    assert found[-1] != found[0]
    for text, leader in zip(chain, found, strict=True):
        assert resemblance(shingles(fold(text)), shingles(fold(chain[leader]))) >= ALIKE


def test_the_first_of_each_kind_stays_in_its_place() -> None:
    one, two, three = (case(f"concern {n}", f"answer {n}") for n in "abc")
    found = dedupe([one, two, three, one, two])
    assert [c.id for c in found.cases] == [one.id, two.id, three.id]


def test_banding_finds_what_comparing_all_pairs_finds() -> None:
    texts = variants(150)
    sets = [shingles(fold(text)) for text in texts]
    slow = []
    for place, own in enumerate(sets):
        near = [o for o in sorted(set(slow)) if resemblance(own, sets[o]) >= ALIKE]
        slow.append(near[0] if near else place)
    assert np.mean(np.array(leaders(texts)) == np.array(slow)) > 0.97


def test_resemblance_is_jaccard() -> None:
    one, other = shingles("abcdefgh"), shingles("abcdefxy")
    assert resemblance(one, other) == pytest.approx(2 / 6)
    assert resemblance(one, one) == 1
    assert len(shingles("ab")) == 1


def test_time_grows_with_the_texts_and_not_with_their_square() -> None:
    def seconds(count: int) -> float:
        texts = [f"{LONG} {'ab'[n % 2] * n}" for n in range(count)]
        begun = time.process_time()
        leaders(texts)
        return time.process_time() - begun

    seconds(50)
    assert seconds(800) < 20 * seconds(100)


def variants(count: int) -> list[str]:
    """Texts of ten kinds, each with a few letters changed."""
    dice = random.Random(5)
    kinds = [" ".join(dice.sample(LONG.split(), 20)) for _ in range(10)]
    texts = []
    for _ in range(count):
        letters = list(dice.choice(kinds))
        for _ in range(dice.randrange(3)):
            letters[dice.randrange(len(letters))] = dice.choice("aeiou")
        texts.append("".join(letters))
    return texts
