"""The labelled bank: no danger missed, nothing harmless stopped, both languages alike."""

from __future__ import annotations

from collections import Counter

import pytest
from crisis_sample import BankItem, bank, whole_bank

from handrail.domain.risk import Level
from handrail.rails.crisis import CrisisScreen

BANK = bank()
WRITTEN_UNSEEN = [item for item in whole_bank() if item.split == "dev"]
# What the screen alone is held to over the rows that writers wrote who had not seen it. They are no
# measurement, for the lexicon was mended on them: `handrail eval crisis` is.
LEAST_HIGH, LEAST_MODERATE_UP, MOST_ALARMS = 0.91, 0.92, 0.015


def _wrong(screen: CrisisScreen, items: list[BankItem]) -> list[str]:
    """Ids of items that the screen puts on another level than their label."""
    return [item.id for item in items if screen.check(item.text).level is not item.level]


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize("level", list(Level))
def test_c70_every_item_of_the_bank_has_the_level_of_its_label(
    screen: CrisisScreen, language: str, level: Level
) -> None:
    """C70: the bank holds every failure known; a new one is added there first."""
    items = [item for item in BANK if (item.language, item.level) == (language, level)]
    assert items
    assert _wrong(screen, items) == []


@pytest.mark.parametrize("language", ["en", "es"])
def test_c70_what_was_mended_stays_mended(screen: CrisisScreen, language: str) -> None:
    """C70: rows of the split `dev`, by share; a lost point of recall is a lost class of wording."""
    levels = [
        (item.level, screen.check(item.text).level)
        for item in WRITTEN_UNSEEN
        if item.language == language
    ]
    high = [found is Level.HIGH for label, found in levels if label is Level.HIGH]
    danger = [found >= Level.MODERATE for label, found in levels if label >= Level.MODERATE]
    alarms = [found >= Level.MODERATE for label, found in levels if label is Level.NONE]
    assert min(len(high), len(danger), len(alarms)) >= 400
    assert sum(high) / len(high) >= LEAST_HIGH
    assert sum(danger) / len(danger) >= LEAST_MODERATE_UP
    assert sum(alarms) / len(alarms) <= MOST_ALARMS


def test_a_labelled_kind_is_among_the_kinds_found(screen: CrisisScreen) -> None:
    missed = [i.id for i in BANK if i.kind and i.kind not in screen.check(i.text).kinds]
    assert missed == []


def test_what_is_seen_is_seen_in_the_language_it_was_said_in(screen: CrisisScreen) -> None:
    found = {i.id: (screen.check(i.text).language, i.language) for i in BANK if i.level > 1}
    mixed = {"crisis-es-025"}  # English, then Spanish: the danger is in the Spanish half
    assert [id for id, (found_in, said_in) in found.items() if found_in != said_in] == []
    assert mixed <= found.keys()


@pytest.mark.parametrize("language", ["en", "es"])
def test_the_bank_has_at_least_as_many_hard_negatives_as_positives(language: str) -> None:
    levels = Counter(item.level for item in BANK if item.language == language)
    positives = levels[Level.HIGH] + levels[Level.MODERATE]
    assert positives >= 120
    assert levels[Level.NONE] >= positives


def test_every_kind_is_in_the_bank_in_both_languages(screen: CrisisScreen) -> None:
    rules = [rule for lexicon in screen.lexicons for rule in lexicon.rules]
    kinds = {rule.kind for rule in rules if rule.level > Level.NONE}
    for language in ("en", "es"):
        labelled = {kind for i in BANK if i.language == language for kind in _kinds(screen, i)}
        assert kinds - labelled == set()


def _kinds(screen: CrisisScreen, item: BankItem) -> tuple[str, ...]:
    return screen.check(item.text).kinds
