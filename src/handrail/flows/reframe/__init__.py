"""Reframe: a deterministic session that looks at one thought (A1-A63)."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from handrail.flows.reframe.limits import Limits
    from handrail.flows.reframe.orchestrator import Orchestrator
    from handrail.flows.reframe.phases import Banner, Move, Phase, Position, advance
    from handrail.flows.reframe.result import TurnResult
    from handrail.flows.reframe.sessions import Opening, Sessions, Told
    from handrail.flows.reframe.state import SessionState

_HOME = {
    "Banner": "phases",
    "Limits": "limits",
    "Move": "phases",
    "Opening": "sessions",
    "Orchestrator": "orchestrator",
    "Phase": "phases",
    "Position": "phases",
    "SessionState": "state",
    "Sessions": "sessions",
    "Told": "sessions",
    "TurnResult": "result",
    "advance": "phases",
}

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


def __getattr__(name: str) -> object:
    """The public names, each loaded when it is asked for."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
