"""The reviewed lines of a reframing session, two languages at parity."""

from __future__ import annotations

from functools import cache

from handrail.content.wordings import Wordings

_FILES = "reframe/lines.*.yaml"
PREFIX = "reframe/"
SLOTS = frozenset(
    {"situation", "thought", "emotion", "intensity", "evidence", "name", "before", "after"}
)
"""What a line may hold: the person's own words, and ``name``, a thinking trap by its name."""


class ReframeLines(Wordings):
    """Every reviewed line of the flow, by language, move and wording."""

    prefix = PREFIX
    speaker = "the reframing session"
    may_hold = SLOTS


@cache
def packaged_lines() -> ReframeLines:
    """The lines of every packaged language; raises `ContentInvalid` when a file is broken."""
    return ReframeLines.packaged(_FILES)


def move_of(item_id: str) -> str:
    """The move that a reviewed line of the flow makes."""
    return item_id.removeprefix(PREFIX).partition(".")[0]
