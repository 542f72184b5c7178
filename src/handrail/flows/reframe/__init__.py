"""Reframe: a deterministic session that looks at one thought (A1-A63)."""

from handrail.flows.reframe.limits import Limits
from handrail.flows.reframe.orchestrator import Orchestrator
from handrail.flows.reframe.phases import Banner, Move, Phase, Position, advance
from handrail.flows.reframe.result import TurnResult
from handrail.flows.reframe.sessions import Opening, Sessions, Told
from handrail.flows.reframe.state import SessionState

__all__ = [
    "Banner",
    "Limits",
    "Move",
    "Opening",
    "Orchestrator",
    "Phase",
    "Position",
    "SessionState",
    "Sessions",
    "Told",
    "TurnResult",
    "advance",
]
