"""A danger stays a danger in disguise."""

from __future__ import annotations

import pytest
from crisis_sample import BankItem, bank

from handrail.domain.risk import Level
from handrail.evals.mutations import MUTATIONS, disguised
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


def test_a_disguise_makes_nothing_harmless_dangerous(screen: CrisisScreen) -> None:
    harmless = [item for item in bank() if item.level is Level.NONE]
    rose = [
        (item.id, name)
        for item in harmless
        for name in ("upper_case", "curly_apostrophe", "full_width", "repeated_letter", "homoglyph")
        if screen.check(MUTATIONS[name](item.text)).level > Level.NONE
    ]
    assert rose == []


def test_signals_point_into_the_text_that_was_sent(screen: CrisisScreen) -> None:
    for item in POSITIVES[::10]:
        for name, said in disguised(item.text).items():
            spans = [signal.span for signal in screen.check(said).signals]
            assert all(0 <= span.start < span.end <= len(said) for span in spans), name
