from __future__ import annotations

import pytest

from handrail.adapters.prefixes import Prefixes


@pytest.mark.parametrize(
    "model", ["intfloat/e5-small-v2", "intfloat/multilingual-e5-base", "e5-large", "/srv/E5-small"]
)
def test_c7_e5_models_want_prefixes(model: str) -> None:
    assert Prefixes.of(model) == Prefixes("query: ", "passage: ")


@pytest.mark.parametrize(
    "model",
    ["sentence-transformers/all-MiniLM-L6-v2", "multilingual-e5-large-instruct", "the5-model"],
)
def test_c7_other_models_want_none(model: str) -> None:
    assert Prefixes.of(model) == Prefixes("", "")


def test_c7_what_is_given_wins_even_when_it_is_empty() -> None:
    assert Prefixes.of("e5-small", query="", document="text: ") == Prefixes("", "text: ")
