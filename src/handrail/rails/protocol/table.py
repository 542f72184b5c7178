"""Where the talk stands and what was said, to where it stands then and what kind of turn follows.

The table is the whole truth about phases: nothing in it ends a conversation, and nothing leads from
imminent danger to anything less. A row names parts of a turn; `turn` finds their moves.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from handrail.rails.protocol.state import Event, Phase


class Then(StrEnum):
    """What follows the opening words of a turn."""

    ASK = "ask"  # the next question about the danger, help when there is none left
    AGAIN = "again"  # after a denial or when all was asked, one question more, once
    HELP = "help"  # the next offer
    NOW = "now"  # emergency number, company, distance
    WAIT = "wait"  # no question and no offer


@dataclass(frozen=True, slots=True)
class Row:
    """The next phase, the opening move (none: what the danger calls for), and what follows."""

    phase: Phase
    opening: str | None
    then: Then


_C, _A, _V, _I, _S, _D = (
    Phase.CALM,
    Phase.ASKED,
    Phase.ACTIVE,
    Phase.IMMINENT,
    Phase.SUPPORT,
    Phase.DENIED,
)
_NOW = Row(_I, None, Then.NOW)
_GRAVE = Row(_V, None, Then.ASK)

TABLE: Mapping[Phase, Mapping[Event, Row]] = {
    _C: {
        Event.IMMINENT: _NOW,
        Event.GRAVE: _GRAVE,
        Event.SIGN: Row(_A, "ack-first", Then.ASK),
        Event.METHOD: Row(_A, "method", Then.ASK),
        Event.MILD: Row(_C, "ack-mild", Then.WAIT),
        Event.YES: Row(_C, "listen", Then.WAIT),
        Event.NO: Row(_C, "listen", Then.WAIT),
        Event.UNSURE: Row(_C, "listen", Then.WAIT),
        Event.RETRACT: Row(_C, "listen", Then.WAIT),
        Event.STOP: Row(_C, "leave-calm", Then.WAIT),
        Event.SILENCE: Row(_C, "ack-silence", Then.WAIT),
        Event.TALK: Row(_C, "listen", Then.WAIT),
    },
    _A: {
        Event.IMMINENT: _NOW,
        Event.GRAVE: Row(_V, "ack-grave", Then.ASK),
        Event.SIGN: Row(_V, "ack-more", Then.ASK),
        Event.METHOD: Row(_V, "method", Then.ASK),
        Event.MILD: Row(_V, "ack-more", Then.HELP),
        Event.YES: Row(_V, "ack-yes", Then.ASK),
        Event.NO: Row(_D, "denied", Then.WAIT),
        Event.UNSURE: Row(_V, "ack-unsure", Then.ASK),
        Event.RETRACT: Row(_D, "denied", Then.WAIT),
        Event.STOP: Row(_A, "leave", Then.WAIT),
        Event.SILENCE: Row(_V, "ack-silence", Then.HELP),
        Event.TALK: Row(_V, "ack-more", Then.HELP),
    },
    _V: {
        Event.IMMINENT: _NOW,
        Event.GRAVE: Row(_V, "ack-more", Then.ASK),
        Event.SIGN: Row(_V, "ack-more", Then.ASK),
        Event.METHOD: Row(_V, "method", Then.ASK),
        Event.MILD: Row(_V, "ack-more", Then.ASK),
        Event.YES: Row(_V, "ack-yes", Then.ASK),
        Event.NO: Row(_V, "ack-no", Then.ASK),
        Event.UNSURE: Row(_V, "ack-unsure", Then.ASK),
        Event.RETRACT: Row(_D, "retracted", Then.WAIT),
        Event.STOP: Row(_V, "leave", Then.WAIT),
        Event.SILENCE: Row(_V, "ack-silence", Then.HELP),
        Event.TALK: Row(_V, "ack-more", Then.ASK),
    },
    _I: {
        Event.IMMINENT: Row(_I, "ack-now", Then.ASK),
        Event.GRAVE: Row(_I, "ack-now", Then.ASK),
        Event.SIGN: Row(_I, "ack-now", Then.ASK),
        Event.METHOD: Row(_I, "method", Then.ASK),
        Event.MILD: Row(_I, "ack-now", Then.ASK),
        Event.YES: Row(_I, "ack-now", Then.ASK),
        Event.NO: Row(_I, "ack-now", Then.ASK),
        Event.UNSURE: Row(_I, "ack-unsure", Then.ASK),
        Event.RETRACT: Row(_I, "retracted-now", Then.ASK),
        Event.STOP: Row(_I, "leave-now", Then.WAIT),
        Event.SILENCE: Row(_I, "ack-silence-now", Then.HELP),
        Event.TALK: Row(_I, "ack-now", Then.ASK),
    },
    _S: {
        Event.IMMINENT: _NOW,
        Event.GRAVE: Row(_V, "ack-more", Then.AGAIN),
        Event.SIGN: Row(_S, "ack-more", Then.HELP),
        Event.METHOD: Row(_V, "method", Then.ASK),
        Event.MILD: Row(_S, "ack-more", Then.HELP),
        Event.YES: Row(_S, "ack-plain", Then.HELP),
        Event.NO: Row(_S, "ack-plain", Then.HELP),
        Event.UNSURE: Row(_S, "ack-unsure", Then.HELP),
        Event.RETRACT: Row(_S, "retracted", Then.WAIT),
        Event.STOP: Row(_S, "leave", Then.WAIT),
        Event.SILENCE: Row(_S, "ack-silence", Then.HELP),
        Event.TALK: Row(_S, "ack-plain", Then.HELP),
    },
    _D: {
        Event.IMMINENT: _NOW,
        Event.GRAVE: Row(_V, "ack-grave", Then.ASK),
        Event.SIGN: Row(_A, "ack-more", Then.AGAIN),
        Event.METHOD: Row(_A, "method", Then.AGAIN),
        Event.MILD: Row(_D, "ack-plain", Then.HELP),
        Event.YES: Row(_D, "ack-plain", Then.HELP),
        Event.NO: Row(_D, "ack-plain", Then.HELP),
        Event.UNSURE: Row(_D, "ack-plain", Then.HELP),
        Event.RETRACT: Row(_D, "ack-plain", Then.HELP),
        Event.STOP: Row(_D, "leave", Then.WAIT),
        Event.SILENCE: Row(_D, "ack-silence", Then.WAIT),
        Event.TALK: Row(_D, "ack-plain", Then.HELP),
    },
}
"""Every phase and every event; the table is the whole truth about phases."""
