"""Handrail: an engine for high-stakes conversations, where a model may choose but not improvise."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from handrail.bootstrap import build_engine
    from handrail.domain.outcome import Abstention, Answer, Outcome, Refusal, SafetyResponse
    from handrail.domain.risk import Level, Risk
    from handrail.engine import Engine
    from handrail.errors import HandrailError
    from handrail.settings import Settings

__version__ = "0.1.0"

__all__ = [
    "Abstention",
    "Answer",
    "Engine",
    "HandrailError",
    "Level",
    "Outcome",
    "Refusal",
    "Risk",
    "SafetyResponse",
    "Settings",
    "__version__",
    "build_engine",
]

# Where each public name lives; its module is read when the name is first used.
_HOMES = {
    "Abstention": "domain.outcome",
    "Answer": "domain.outcome",
    "Engine": "engine",
    "HandrailError": "errors",
    "Level": "domain.risk",
    "Outcome": "domain.outcome",
    "Refusal": "domain.outcome",
    "Risk": "domain.risk",
    "SafetyResponse": "domain.outcome",
    "Settings": "settings",
    "build_engine": "bootstrap",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
