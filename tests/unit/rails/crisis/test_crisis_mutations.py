"""A danger stays a danger in disguise."""

from __future__ import annotations

import pytest
from crisis_mutations import MUTATIONS
from crisis_sample import BankItem, bank

from handrail.domain.risk import Level
from handrail.rails.crisis import CrisisScreen

POSITIVES = [item for item in bank() if item.level >= Level.MODERATE]
# Share of positives that keep their level. Leet spelling changes every third letter, lone digits
# among them ("4" for "a"), which cannot be told from numbers.
LEAST = dict.fromkeys(MUTATIONS, 0.97) | {"leet": 0.8}


def retained(screen: CrisisScreen, items: list[BankItem], mutation: str) -> float:
    """Share of items that stand at their level or above after the mutation."""
    change = MUTATIONS[mutation]
    kept = [screen.check(change(item.text)).level >= item.level for item in items]
    return sum(kept) / len(kept)


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize("mutation", MUTATIONS)
def test_c70_disguise_hides_nothing(screen: CrisisScreen, mutation: str, language: str) -> None:
    """C70."""
    items = [item for item in POSITIVES if item.language == language]
    assert retained(screen, items, mutation) >= LEAST[mutation]


def test_the_mutations_change_the_text() -> None:
    said = "I can't see us"
    assert len({change(said) for change in MUTATIONS.values()}) == len(MUTATIONS) == 12


def test_a_disguise_makes_nothing_harmless_dangerous(screen: CrisisScreen) -> None:
    harmless = [item for item in bank() if item.level is Level.NONE]
    rose = [
        (item.id, name)
        for item in harmless
        for name in ("upper case", "curly apostrophe", "full width", "repeated letter", "homoglyph")
        if screen.check(MUTATIONS[name](item.text)).level > Level.NONE
    ]
    assert rose == []
