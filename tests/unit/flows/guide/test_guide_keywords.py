"""Keywords: whole words, in any spelling, and nothing that merely holds them (H10, H34)."""

from __future__ import annotations

import math

import pytest
from guide_parts import entity

from handrail.content.entities import packaged_entities
from handrail.content.spellings import spellings
from handrail.flows.guide.keywords import Keywords
from handrail.flows.guide.text import normal


def found(keywords: list[str], text: str) -> list[str]:
    """What is found of them, in the words of the original."""
    index = Keywords([entity("a", keywords=tuple(keywords))], spellings())
    return [hit.span.of(text) for hit in index.find(normal(text))]


@pytest.mark.parametrize(
    ("keyword", "text"),
    [
        ("die", "on a diet with a soldier"),
        ("kill", "new skills for my killjoy"),
        ("snap", "on snapchat, snapped"),
        ("lose it", "close it, lose items, lost it"),
        ("lose it", "whose item do I lose"),
        ("court order", "It ended in court. Order a pizza"),
        ("gray rock", "All is gray! Rock music helps"),
        ("gray rock", "gray? Rock"),
        ("gray rock", "gray rocky, gray pet rock"),
        ("abuse", "disabused"),
        ("no one", "none"),
    ],
)
def test_h34_words_that_merely_hold_a_keyword_are_none(keyword: str, text: str) -> None:
    assert found([keyword], text) == []


@pytest.mark.parametrize(
    ("keyword", "text", "matched"),
    [
        ("gray rock", "Should I GREY-ROCK him?", "GREY-ROCK"),
        ("gray rock", "grayrock", "grayrock"),
        ("gray rock", "gray\u00a0\nrock", "gray\u00a0\nrock"),
        ("gray rock", "“gray” rock", "gray” rock"),
        ("pick-up", "at pickup time", "pickup"),
        ("pick up", "the pick\u2011up", "pick\u2011up"),
        ("i'm suicidal", "I\u2019m suicidal", "I\u2019m suicidal"),
        ("i'm suicidal", "im suicidal", "im suicidal"),
        ("BIFF", "a biff, please", "biff"),
        ("lose it", "👩‍👧İß lose it!", "lose it"),
        ("lose it", "\ud800lose it\x00", "lose it"),
        ("fiancé", "my fiance", "fiance"),
        ("g.a.l.", "the g.a.l. came", "g.a.l"),
    ],
)
def test_h10_h34_a_keyword_is_found_in_any_spelling(keyword: str, text: str, matched: str) -> None:
    assert found([keyword], text) == [matched]


def test_h34_of_two_that_overlap_the_longer_that_begins_first_counts() -> None:
    assert found(["rock", "gray rock", "rock bottom"], "gray rock bottom") == ["gray rock"]
    assert found(["gray rock wall", "gray", "rock"], "gray rock") == ["gray", "rock"]


def test_h10_a_rare_keyword_weighs_more_and_each_has_its_entities() -> None:
    entities = [entity("a", keywords=("calm", "breathe")), entity("b", keywords=("Calm", "calm"))]
    index = Keywords(entities, {})
    calm, breathe = index.find(normal("stay calm and breathe"))
    assert (calm.rows.tolist(), breathe.rows.tolist()) == ([0, 1], [0])
    assert (calm.weight, breathe.weight) == pytest.approx((math.log(2), math.log(3)))


def test_keywords_of_signs_alone_and_no_keywords_find_nothing() -> None:
    assert found(["---", "👩‍👧", "?"], "--- 👩‍👧 ? hello") == []
    assert Keywords([], {}).find("anything") == []


def test_h4_what_somebody_asks_for_by_name_is_found_by_its_keyword() -> None:
    entities = [one for one in packaged_entities() if one.keywords]
    index = Keywords(entities, spellings())
    for text, wanted in [
        ("help me gray rock", "gray_rock"),
        ("how do I write a BIFF reply", "biff_response"),
        ("documentation for the judge", "documentation"),
    ]:
        rows = {row for hit in index.find(normal(text)) for row in hit.rows.tolist()}
        assert wanted in {entities[row].entity_id for row in rows}


def test_h34_the_seeds_traps_find_no_packaged_entity_for_danger_or_flooding() -> None:
    entities = packaged_entities()
    index = Keywords(entities, spellings())
    text = normal("my soldier on a diet has skills on snapchat, close it and can't take it to work")
    rows = {row for hit in index.find(text) for row in hit.rows.tolist()}
    assert not {entities[row].entity_id for row in rows} & {
        "handler_crisis",
        "rotg_de_escalation",
        "domestic_violence_safety",
        "child_abuse_disclosure",
    }


def test_h34_a_long_message_of_first_words_takes_no_long_time() -> None:
    """Each word begins a keyword of many words: looking further never grows with the message."""
    index = Keywords([entity("a", keywords=("a a a a a a a a a b",))], {})
    assert index.find("a " * 10_000) == []
