"""What a search is asked, and what it gives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from handrail.domain.entity import Audience, ChatType, Entity
from handrail.domain.ranking import ChannelHit, Pin, Ranking
from handrail.domain.risk import Risk
from handrail.flows.guide.conditions import State

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from handrail.flows.guide.keywords import KeywordHit
    from handrail.flows.guide.triggers import TriggerHit
    from handrail.ports import Reading


FEW_WORDS = 3  # under which a message is only heard where it names something
STATE_PIN = "state"
"""The reason of a pin that a user's state has set; every other one is a danger's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A message as the channels see it; ``visible`` marks the searched entities that may be shown.

    ``readings`` is the message's own, or one for each theme of a long message; none where
    meaning has no part in the answer.
    """

    text: str
    normal: str
    state: State
    audience: Audience = Audience.PARENT
    chat_type: ChatType | None = None
    visible: NDArray[np.bool_]
    readings: Sequence[Reading] = ()
    triggers: Sequence[TriggerHit] = ()
    keywords: Sequence[KeywordHit] = ()

    @property
    def is_vague(self) -> bool:
        """Whether so little is said that likeness to anything means nothing."""
        return len(self.normal.split()) < FEW_WORDS and not self.triggers and not self.keywords


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """One entity of the final set.

    ``score`` is a fusion score, never a similarity; ``strength`` is the twin's, which orders.
    """

    entity: Entity
    pin: Pin | None = None
    score: float = 0.0
    strength: float = 0.0
    hits: tuple[ChannelHit, ...] = ()

    @property
    def by_state(self) -> bool:
        """Whether the user's state pinned it."""
        return self.pin is not None and self.pin.reason == STATE_PIN

    @property
    def by_danger(self) -> bool:
        """Whether a danger pinned it, whatever flags an editor has set."""
        return self.pin is not None and self.pin.reason != STATE_PIN


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """The final set with pins first, what stands beside it, and the whole way there.

    ``rules`` are those of the always loaded entities that the message touches.
    """

    final: tuple[Chosen, ...]
    always: tuple[Entity, ...]
    ranking: Ranking
    risk: Risk
    warnings: tuple[str, ...] = ()
    rules: tuple[Entity, ...] = ()

    @property
    def ids(self) -> tuple[str, ...]:
        """Ids of the final set in order."""
        return tuple(one.entity.entity_id for one in self.final)
