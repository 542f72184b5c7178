"""The large invented catalogue of the benchmarks: valid, spread as it says, always the same."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from handrail.adapters.re2 import Re2Engine
from handrail.content.entities import entity_json, read_entity
from handrail.domain.entity import Audience
from handrail.flows.guide.conditions import Condition, State
from handrail.flows.guide.text import normal
from handrail.flows.guide.triggers import Triggers
from handrail.ports import Reading, TokenEmbedder
from handrail.testing.hash_embedder import HashEmbedder

BENCHMARKS = Path(__file__).resolve().parents[3] / "benchmarks"
COUNT = 2_000


@pytest.fixture(scope="module")
def modules() -> Iterator[dict[str, Any]]:
    """The scripts' own modules, forgotten afterwards."""
    before = set(sys.modules)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(BENCHMARKS))
        yield {name: import_module(name) for name in ("many_entities", "many_vectors")}
    for name in set(sys.modules) - before:
        if str(getattr(sys.modules[name], "__file__", "")).startswith(str(BENCHMARKS)):
            del sys.modules[name]


@pytest.fixture(scope="module")
def many(modules: dict[str, Any]) -> Any:
    return modules["many_entities"].many(COUNT, messages=100)


class Tokens(HashEmbedder):
    """Two pieces a text, whatever it says."""

    token_dim, pieces = 4, 10

    def read(self, texts: list[str]) -> list[Reading]:
        pieces, tokens = np.array([len(texts), 7], np.int32), np.full((2, 4), 63, np.int8)
        return [Reading(self.embed_query(text), pieces, tokens) for text in texts]


def test_the_same_seed_gives_the_same_catalogue(many: Any, modules: dict[str, Any]) -> None:
    again = modules["many_entities"].many
    assert again(COUNT, messages=100) == many
    assert again(COUNT, messages=100, seed=6).entities != many.entities


def test_an_author_could_send_every_entity(many: Any) -> None:
    assert all(read_entity(entity_json(entity)) == entity for entity in many.entities)
    assert len({entity.entity_id for entity in many.entities}) == COUNT


def test_it_is_spread_as_the_benchmark_says(many: Any) -> None:
    entities = many.entities
    patterned = [len(one.trigger_patterns) for one in entities if one.trigger_patterns]
    assert len(patterned) == COUNT // 50
    assert set(patterned) == {2, 3}
    assert sum(one.state_conditions is not None for one in entities) == COUNT // 20
    assert {len(one.recognition) for one in entities} == {2}
    assert all(1 <= len(one.keywords) <= 4 for one in entities)
    assert sum(Audience.PARENT in one.audience_types for one in entities) > 0.85 * COUNT
    assert min(one.priority for one in entities) < 10 < 90 < max(one.priority for one in entities)


def test_h37_its_conditions_and_states_are_in_the_language_of_the_catalogue(many: Any) -> None:
    asked = [one.state_conditions for one in many.entities if one.state_conditions]
    conditions = {Condition.read(each, where="an invented entity") for each in asked}
    states = [State.read(message.user_state) for message in many.messages]
    assert not any(state.warnings for state in states)
    held = [sum(each.holds(state.values) for each in conditions) for state in states]
    assert 0 < sorted(held)[len(held) // 2] < len(conditions) / 10


def test_h11_its_messages_have_10_to_80_words_and_meet_triggers_and_keywords(many: Any) -> None:
    lengths = [len(message.text.split()) for message in many.messages]
    assert 10 <= min(lengths) <= 15
    assert 70 <= max(lengths) <= 85
    triggers = Triggers(many.entities, Re2Engine())
    assert all(triggers.scan(normal(message.text)) for message in many.messages[::3])
    named = {word for entity in many.entities for word in entity.keywords}
    assert sum(any(word in message.text for word in named) for message in many.messages) > 80


def test_h9_a_text_has_the_same_mixture_wherever_it_stands(
    many: Any, modules: dict[str, Any]
) -> None:
    mixed: TokenEmbedder = modules["many_vectors"].MixedEmbedder(Tokens(), many.pool[:50])
    texts = [one.concept_summary for one in many.entities[:300]]
    vectors = mixed.embed_documents(texts)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)
    assert len(np.unique(vectors, axis=0)) == len(set(texts))
    readings = mixed.read(texts[::-1])[::-1]
    for text, vector, reading in zip(texts[:20], vectors, readings, strict=False):
        assert np.array_equal(mixed.embed_query(text), vector)
        assert np.array_equal(reading.vector, vector)
        assert reading.tokens.shape == (2, mixed.token_dim)
