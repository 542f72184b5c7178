"""The latch itself: what lowers it, and in whose name."""

from __future__ import annotations

import pytest

from handrail.domain.risk import Level, Subject
from handrail.errors import InvalidInput
from handrail.rails.crisis.latch import DENIED_TWICE, HUMAN, SIGNAL, Latch


def _at(level: Level, subject: Subject = Subject.SELF) -> Latch:
    return Latch().raised(subject, level, turn=1, by="a.rule")


@pytest.mark.parametrize("before", Level)
@pytest.mark.parametrize("signal", Level)
def test_c70_a_signal_raises_and_never_lowers(before: Level, signal: Level) -> None:
    """C70."""
    latch = _at(before).raised(Subject.SELF, signal, turn=2, by="b.rule")
    assert latch.level is max(before, signal)
    assert all(change.reason == SIGNAL for change in latch.changes)
    assert len(latch.changes) == (before > Level.NONE) + (signal > before)


def test_subjects_are_held_apart() -> None:
    latch = _at(Level.HIGH, Subject.THIRD)
    assert {who: latch.level_for(who) for who in Subject} == {
        Subject.SELF: Level.NONE,
        Subject.OTHER: Level.NONE,
        Subject.THIRD: Level.HIGH,
    }
    assert latch.level is Level.HIGH


@pytest.mark.parametrize("level", Level)
@pytest.mark.parametrize("subject", Subject)
def test_c70_two_denials_lower_moderate_danger_to_oneself_alone(
    level: Level, subject: Subject
) -> None:
    """C70: never from high, and never somebody else's danger."""
    latch = _at(level, subject)
    falls = level is Level.MODERATE and subject is Subject.SELF
    after = latch.denied_twice(turn=9)
    assert (after == latch) is not falls
    if falls:
        assert after.level is Level.MILD
        assert after.changes[-1].reason == DENIED_TWICE


def test_a_person_releases_in_their_name() -> None:
    after = _at(Level.HIGH).released(Subject.SELF, Level.NONE, turn=4, by="reviewer-7")
    assert after.level is Level.NONE
    change = after.changes[-1]
    assert (change.turn, change.before, change.after) == (4, Level.HIGH, Level.NONE)
    assert (change.reason, change.by) == (HUMAN, "reviewer-7")


def test_a_release_without_a_name_or_that_lowers_nothing_is_refused() -> None:
    with pytest.raises(InvalidInput, match="somebody's name"):
        _at(Level.HIGH).released(Subject.SELF, Level.MILD, turn=2, by=" ")
    for level in (Level.MODERATE, Level.HIGH):
        with pytest.raises(InvalidInput, match="lowers nothing"):
            _at(Level.MODERATE).released(Subject.SELF, level, turn=2, by="reviewer-7")
