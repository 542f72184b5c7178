"""Texts that nobody would write: nothing raises, nothing is skipped, time stays linear."""

from __future__ import annotations

import time

import pytest

from handrail.domain.risk import Level
from handrail.rails.crisis import CrisisScreen

MEGABYTE = 1_000_000
DANGER = "I want to kill myself"


@pytest.mark.parametrize(
    "filler",
    ["a", " ", "\x00", "\n", ".", '"', "'", "*", "\U0001f600", "\ud800", "\u200b", "1a", "أنا "],
)
def test_danger_is_found_behind_any_filler(screen: CrisisScreen, filler: str) -> None:
    said = filler * 50_000 + " " + DANGER
    risk = screen.check(said)
    assert risk.level is Level.HIGH
    assert risk.signals[0].span.of(said).endswith("kill myself")


@pytest.mark.parametrize(
    "piece",
    ["k i l l ", "k*l ", "k1ll ", "i dont want to ", '"i" ', "iwanttodie", "not die or die or "],
)
def test_time_grows_no_faster_than_the_text(screen: CrisisScreen, piece: str) -> None:
    once = _seconds(screen, piece * (20_000 // len(piece)))
    four_times = _seconds(screen, piece * (80_000 // len(piece)))
    assert four_times < 12 * once + 0.05  # linear is 4; room for a busy machine


def test_a_megabyte_is_read_to_its_end_in_bounded_time_and_memory(screen: CrisisScreen) -> None:
    prose = "The meeting ran long and we had soup afterwards, which was good. "
    said = prose * (MEGABYTE // len(prose)) + DANGER
    began = time.perf_counter()
    assert screen.check(said).level is Level.HIGH
    assert time.perf_counter() - began < 15


def test_a_danger_said_a_thousand_times_is_kept_a_few_times(screen: CrisisScreen) -> None:
    risk = screen.check(f"{DANGER}. " * 1000)
    assert risk.level is Level.HIGH
    assert len(risk.signals) <= 100


def test_a_thousand_denials_do_not_hide_what_comes_after(screen: CrisisScreen) -> None:
    assert screen.check("I don't want to die. " * 1000 + DANGER).level is Level.HIGH


@pytest.mark.parametrize(
    "said", ["", " ", "\n\n", "?", '"', "\ud83d", "\x00", "'", "$", "*", "\u202e"]
)
def test_next_to_nothing_is_no_risk(screen: CrisisScreen, said: str) -> None:
    assert screen.check(said).level is Level.NONE


def _seconds(screen: CrisisScreen, said: str) -> float:
    best = float("inf")
    for _ in range(2):
        began = time.thread_time()
        screen.check(said)
        best = min(best, time.thread_time() - began)
    return best


def test_many_trivial_remarks_do_not_hide_a_plain_one(screen: CrisisScreen) -> None:
    said = "This homework makes me want to die. " * 30 + "I want to die."
    assert screen.check(said).level is Level.HIGH
