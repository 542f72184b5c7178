"""The crisis protocol: several turns, from reviewed lines only, by a table."""

from handrail.rails.protocol.protocol import Protocol, Spoken
from handrail.rails.protocol.state import Event, Phase, State, Track

__all__ = ["Event", "Phase", "Protocol", "Spoken", "State", "Track"]
