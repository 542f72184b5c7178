"""The ten thinking traps of cognitive therapy, by the names and codes that the session uses."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum


class Distortion(StrEnum):
    """A thinking trap (Burns 1980, after Beck 1963); members stand in the order that breaks ties.

    Overgeneralization, which Burns lists apart, is read as all-or-nothing thinking: both make an
    absolute of a part. Blame of others has no place here.
    """

    MIND_READING = "mind-reading"
    FORTUNE_TELLING = "fortune-telling"
    CATASTROPHIZING = "catastrophizing"
    ALL_OR_NOTHING = "all-or-nothing"
    MENTAL_FILTER = "mental-filter"
    PERSONALIZATION = "personalization"
    LABELING = "labeling"
    SHOULD_STATEMENTS = "should-statements"
    EMOTIONAL_REASONING = "emotional-reasoning"
    DISCOUNTING_POSITIVES = "discounting-positives"

    @property
    def code(self) -> str:
        """The two letters that stand for the trap in records."""
        return _CODES[self]


_CODES: Mapping[Distortion, str] = dict(
    zip(Distortion, ("MW", "FT", "CT", "AO", "MF", "PR", "LB", "SH", "ER", "DP"), strict=True)
)
