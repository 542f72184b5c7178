"""How long a session may be: configured, shortened by the person, set by a therapist (A37, A50)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from handrail.errors import InvalidInput

MAX_TURNS = 14
FOLLOWUP_BUDGET = 3
HALFWAY_POINT = 0.5
WORD_LIMIT = 110
SUMMARY_LIMIT = 160

SHORTEST = 6  # a greeting, four things to learn and a summary; less is no session
LONGEST = 40
MOST_FOLLOWUPS = 10
WORDS = (105, 400)
SUMMARY_WORDS = (150, 600)


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The limits of one session; ``by`` names who set them, empty for the configuration.

    ``words`` and ``summary_words`` are the most that a reply may have. Raises `InvalidInput` for
    limits that no session can keep.
    """

    max_turns: int = MAX_TURNS
    followups: int = FOLLOWUP_BUDGET
    halfway: float = HALFWAY_POINT
    words: int = WORD_LIMIT
    summary_words: int = SUMMARY_LIMIT
    by: str = ""

    def __post_init__(self) -> None:
        if not SHORTEST <= self.max_turns <= LONGEST:
            raise InvalidInput(f"a session has {SHORTEST} to {LONGEST} turns, not {self.max_turns}")
        if not 0 <= self.followups <= MOST_FOLLOWUPS:
            raise InvalidInput(f"follow-ups are 0 to {MOST_FOLLOWUPS}, not {self.followups}")
        if not 0 < self.halfway < 1:
            raise InvalidInput(f"the halfway point lies between 0 and 1, not at {self.halfway}")
        for words, (least, most) in ((self.words, WORDS), (self.summary_words, SUMMARY_WORDS)):
            if not least <= words <= most:
                raise InvalidInput(f"a reply may have {least} to {most} words, not {words}")

    @property
    def halfway_turn(self) -> int:
        """The turn that carries the banner of the middle (A12)."""
        return max(1, int(self.max_turns * self.halfway))

    @property
    def last_call(self) -> int:
        """The turn in which a summary is due, whatever was reached (A13)."""
        return self.max_turns - 1

    def preferred(self, *, max_turns: int | None = None, followups: int | None = None) -> Limits:
        """What a person asks for: never more than the limits allow, so that sessions end."""
        return replace(
            self,
            max_turns=min(self.max_turns if max_turns is None else max_turns, self.max_turns),
            followups=min(self.followups if followups is None else followups, self.followups),
        )

    def overridden(
        self, *, by: str, max_turns: int | None = None, followups: int | None = None
    ) -> Limits:
        """What a therapist sets, more or less; ``by`` is an opaque name of theirs."""
        if not by.strip():
            raise InvalidInput("limits are set in somebody's name. Say who set them")
        return replace(
            self,
            max_turns=self.max_turns if max_turns is None else max_turns,
            followups=self.followups if followups is None else followups,
            by=by,
        )

    def to_json(self) -> dict[str, Any]:
        """The limits as plain values."""
        return {name: getattr(self, name) for name in self.__slots__}

    @staticmethod
    def from_json(body: Mapping[str, Any]) -> Limits:
        """What `to_json` gave; raises `TypeError` or `InvalidInput` for anything else."""
        return Limits(**body)
