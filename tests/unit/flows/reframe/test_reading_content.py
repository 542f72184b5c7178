"""The files behind the reader: both languages say the same, and nothing in them is broken."""

from __future__ import annotations

from typing import Any

import pytest

from handrail.adapters.re2 import Re2Engine
from handrail.content.loader import read_yaml
from handrail.errors import ContentInvalid
from handrail.flows.reframe.reading import FAMILIES, Act, Topic
from handrail.flows.reframe.reading.lexicon import Lexicon, ReadingModel

FILES = {language: read_yaml(f"reframe/reading.{language}.yaml") for language in ("en", "es")}
SHELVES = ("acts", "topics", "emotions", "intensities", "numbers", "marks", "clauses")
# What follows from more than words: from their absence, or from an answer's place in the session.
UNSAID = {Act.CONTENT, Act.SILENCE, Act.ASKS}


def rules(language: str, shelf: str) -> dict[str, dict[str, Any]]:
    """What the items of a shelf decide, by id, without their words."""
    items = FILES[language][shelf]
    return {
        item["id"]: {name: item[name] for name in item if name not in ("say", "language")}
        for item in items
    }


@pytest.mark.parametrize("shelf", SHELVES)
def test_the_languages_decide_alike(shelf: str) -> None:
    assert rules("en", shelf) == rules("es", shelf)


@pytest.mark.parametrize("language", FILES)
def test_everything_that_can_be_heard_can_be_said(language: str) -> None:
    body = FILES[language]
    assert {item["act"] for item in body["acts"]} == {act.value for act in set(Act) - UNSAID}
    assert {item["family"] for item in body["emotions"]} == set(FAMILIES)
    topics = {item["topic"] for item in body["topics"]} | {Topic.NO_TASKS.value}
    assert topics == {topic.value for topic in Topic}
    assert len({item.get("trap") for item in body["topics"]} - {None}) == 10
    values = {item["id"]: item["value"] for item in body["intensities"]}
    assert list(values.values()) == [1, 3, 5, 7, 9]


def test_every_pattern_compiles() -> None:
    lexicon = Lexicon.packaged(Re2Engine())
    lexicon.warm()
    assert {model.language for model in lexicon.models} == {"en", "es"}


def test_a_phrase_that_cannot_be_read_is_named() -> None:
    body = FILES["en"]
    broken = {**body["acts"][0], "id": "act-broken", "say": "(hello"}
    model = ReadingModel.model_validate({**body, "acts": [*body["acts"], broken]})
    with pytest.raises(ContentInvalid, match="act-broken"):
        Lexicon([model], Re2Engine())
