"""Channels behind one interface, the compiled catalogue, and the deterministic twin."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from guide_parts import Axes, catalogue_of, entity, phrases, stated

from handrail.content.entities import packaged_entities
from handrail.domain.entity import Audience, LoadMode
from handrail.domain.ranking import Candidate, ChannelHit
from handrail.domain.scores import Score, ScoreKind
from handrail.domain.text import Passage, Span
from handrail.flows.guide.catalogue import Catalogue, embedded_texts
from handrail.flows.guide.channels import CHANNELS
from handrail.flows.guide.conditions import State
from handrail.flows.guide.found import Asked
from handrail.flows.guide.limits import CHANNELS as NAMES
from handrail.flows.guide.limits import DEPTHS, RESERVED, WEIGHTS, Limits
from handrail.flows.guide.text import normal
from handrail.flows.guide.twin import LIKE, Evidence, Twin

SAID = "gray rock"
EVERYWHERE = [
    entity(
        name,
        keywords=(SAID,),
        trigger_patterns=phrases(SAID),
        state_conditions={"last_rating": 1},
        audience_types=audiences,
    )
    for name, audiences in [
        ("a", tuple(Audience)),
        ("b", tuple(Audience)),
        ("hidden", (Audience.CLINICIAN,)),
    ]
]


def asked(catalogue: Catalogue, axes: Axes, message: str = SAID) -> Asked:
    said = normal(message)
    return Asked(
        text=message,
        normal=said,
        state=State.read({"last_rating": 1}),
        visible=catalogue.visible(Audience.PARENT, None),
        readings=(axes.read(message),),
        triggers=catalogue.triggers.scan(said),
        keywords=catalogue.keywords.find(said),
    )


def test_h7_h18_h33_the_defaults_are_the_contracts() -> None:
    assert dict(DEPTHS) == {"semantic": 10, "keyword": 5, "pattern": 5, "state": 3}
    assert set(WEIGHTS) == set(RESERVED) == set(DEPTHS) == set(NAMES)
    assert (Limits().candidates, Limits().least, Limits().most) == (15, 3, 6)
    assert sum(RESERVED.values()) <= Limits().candidates


@pytest.mark.parametrize("channel", CHANNELS, ids=lambda channel: channel.name)
def test_h27_each_channel_stands_alone_behind_one_interface(channel) -> None:  # type: ignore[no-untyped-def]
    """H27: channels are added beside each other; none knows of another."""
    axes = Axes({})
    catalogue = catalogue_of(EVERYWHERE, axes)
    found = channel.search(catalogue, asked(catalogue, axes), k=5)
    assert found.channel == channel.name
    assert [hit.passage_id for hit in found.hits] == ["a", "b"]  # ties fall to the smaller id
    assert len(channel.search(catalogue, asked(catalogue, axes), k=1).hits) == 1
    empty = catalogue_of([])
    assert channel.search(empty, asked(empty, axes), k=5).hits == ()


def test_h27_channels_have_the_names_of_the_contract_in_its_order() -> None:
    assert tuple(channel.name for channel in CHANNELS) == NAMES


def test_h10_more_and_rarer_keywords_rank_higher_and_repetition_does_not() -> None:
    entities = [
        entity("common", keywords=("court",)),
        entity("rare", keywords=("affidavit",)),
        entity("other", keywords=("court",)),
        entity("two", keywords=("court", "judge")),
    ]
    axes = Axes({})
    catalogue = catalogue_of(entities, axes)
    found = CHANNELS[1].search(
        catalogue, asked(catalogue, axes, "court court court judge affidavit"), k=5
    )
    assert [hit.passage_id for hit in found.hits] == ["two", "rare", "common", "other"]


def test_h13_what_is_embedded_is_title_summary_and_recognition_alone() -> None:
    one = entity(
        "a",
        title="T",
        concept_summary="S.",
        recognition=("I say so.",),
        recognition_clinician=("Client says so.",),
        keywords=("keyword",),
        examples=("example",),
    )
    assert embedded_texts(one) == ("T. S.", "I say so.", "Client says so.")


def test_h2_every_entity_is_told_in_a_parents_own_voice() -> None:
    """H2: what was only described clinically was not found."""
    searched = [one for one in packaged_entities() if one.load_mode is LoadMode.SITUATION]
    assert all(len(one.recognition) >= 5 for one in searched)
    firsts = {"i", "im", "my", "me", "we", "our", "ive", "us", "id"}
    for one in searched:
        own = [firsts & set(normal(said).replace("'", "").split()) for said in one.recognition]
        assert sum(map(bool, own)) > len(own) / 4, one.entity_id


def test_h29_one_catalogue_holds_all_kinds_of_entities() -> None:
    catalogue = catalogue_of(packaged_entities())
    assert len(catalogue.entities) == 48
    assert len({one.entity_type for one in catalogue.entities}) == 6
    assert len(catalogue.always) == 5
    assert {one.load_mode for one in catalogue.searched} == {LoadMode.SITUATION}
    assert len(catalogue.searched) + 5 + 6 == 48


def test_h25_a_catalogue_is_compiled_once_and_its_vectors_when_they_are_needed() -> None:
    axes = Axes({})
    catalogue = catalogue_of(EVERYWHERE, axes)
    assert axes.asked == []
    first = catalogue.meaning
    assert len(axes.asked) == 3
    assert catalogue.meaning is first
    assert len(axes.asked) == 3


def test_a_catalogues_hash_tells_every_change_and_no_order() -> None:
    plain = catalogue_of(EVERYWHERE)
    assert catalogue_of(EVERYWHERE[::-1]).sha256 == plain.sha256
    for change in ({"version": 2}, {"guidance_do": ("x",)}, {"priority": 51}, {"keywords": ()}):
        changed = [replace(EVERYWHERE[0], **change), *EVERYWHERE[1:]]
        assert catalogue_of(changed).sha256 != plain.sha256


def test_conditions_that_entities_share_are_asked_once() -> None:
    states = [stated(name, {"last_rating": 1}) for name in ("x", "y")]
    assert len(catalogue_of([*EVERYWHERE, *states]).conditions) == 1


def candidate(name: str, likeness: float, **channels: float) -> Candidate:
    hits = tuple(
        ChannelHit(channel=key, rank=1, score=Score(ScoreKind.COUNT, value))
        for key, value in channels.items()
    )
    return Candidate(
        passage=Passage(id=name, document_id=name, text="t", span=Span(0, 1), metadata={}),
        score=Score(ScoreKind.FUSION, 0.5),
        hits=hits,
        parts={LIKE: likeness},
    )


def order(
    *candidates: Candidate, most: int | None = None, **confused: tuple[str, ...]
) -> list[str]:
    entities = {
        one.passage.id: entity(one.passage.id, confused_with=confused.get(one.passage.id, ()))
        for one in candidates
    }
    return Twin(entities, Limits()).order(candidates, most=most)


def test_h8_the_twin_shows_three_to_six_and_ties_fall_to_the_smaller_id() -> None:
    assert order(*(candidate(name, 0.9) for name in "hgfedcba")) == list("abcdef")
    falling = [candidate(f"e{n}", 0.9 - n / 10) for n in range(6)]
    assert order(*falling) == ["e0", "e1", "e2"]
    assert order(*falling, most=2) == ["e0", "e1"]
    assert order(*falling, most=0) == []


def test_the_twin_shows_nothing_where_nothing_fits_and_leaves_out_what_does_not() -> None:
    evidence = Evidence()
    low = evidence.floor * evidence.plain
    assert order(candidate("a", low - 0.01)) == []
    assert order(candidate("a", low + 0.01)) == ["a"]
    assert order(candidate("a", 0.9), candidate("b", 0.0)) == ["a"]
    assert order() == []


def test_h4_a_keyword_lifts_what_lies_as_near() -> None:
    named = candidate("z", 0.5, keyword=6.0)
    assert order(candidate("a", 0.5), named)[0] == "z"
    assert order(candidate("a", 0.5), candidate("z", 0.5, pattern=1.0))[0] == "z"


def test_of_two_that_are_confused_the_clearly_better_one_is_shown() -> None:
    near, far = candidate("a", 0.9), candidate("b", 0.9 - Evidence().apart - 0.01)
    assert order(near, far) == ["a", "b"]
    assert order(near, far, a=("b",)) == ["a"]
    assert order(near, far, b=("a",)) == ["a"]
    close = candidate("b", 0.9 - Evidence().apart + 0.01)
    assert order(near, close, a=("b",)) == ["a", "b"]


def test_vectors_of_many_entities_keep_their_rows() -> None:
    many = [entity(f"e{n:03}") for n in range(300)]
    axes = Axes({"e123": [1.0]})
    catalogue = catalogue_of(many, axes)
    assert catalogue.meaning is not None
    visible = np.ones(300, bool)
    near = catalogue.meaning.near(axes.read("e123").vector, visible, k=10)
    assert 123 in near
